import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { validate } from '../../core/protocol/message.ts';
import { ByteAllowances } from '../base/byte-allowances.ts';
import type { FaultLog } from '../base/fault-log.ts';
import type { Person } from '../base/person.ts';
import type { EventLog } from './event-log.ts';
import type { Metrics } from './metrics.ts';

const text = v.pipe(v.string(), v.maxLength(8192));
const batchSchema = v.object({
  items: v.pipe(
    v.array(
      v.looseObject({
        event: v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/)),
        level: v.exactOptional(text),
        data: v.exactOptional(v.unknown()),
      }),
    ),
    v.maxLength(100),
  ),
  url: v.exactOptional(text),
  host: v.exactOptional(text),
});
const pingStatsSchema = v.record(
  v.pipe(v.string(), v.maxLength(20)),
  v.union([v.number(), v.pipe(v.string(), v.maxLength(20))]),
);

/**
 * Bytes of events that one person may have written, and that all people of one network address may: at once, and in an hour. People are made
 * by new cookies.
 */
const PERSON_BYTES = { burst: 256 * 1024, perHour: 1024 * 1024 };
const ADDRESS_BYTES = { burst: 2 * 1024 * 1024, perHour: 4 * 1024 * 1024 };

/** Fields of a plugin's fault that are logged, with their maximum length in UTF-16 units. */
const FAULT_FIELDS = { plugin: 50, version: 50, variant: 50, code: 100, message: 500 } as const;

/**
 * Routes on which clients report events to the log (S-089: nothing else is accepted): POST
 * /safeview-client-logger/clientevent (S-114) and /pingstats (S-041). Events beyond the share of a person are counted, and not kept.
 */
export function eventRoutes(app: FastifyInstance, metrics: Metrics, log: EventLog, faults: FaultLog): void {
  const people = new ByteAllowances(PERSON_BYTES);
  const addresses = new ByteAllowances(ADDRESS_BYTES);
  const append = ({ subject, address }: Person, event: object): void => {
    const line = { ...event, at: Date.now(), person: subject }; // whatever the event says of these
    const bytes = Buffer.byteLength(JSON.stringify(line));
    const isKept = people.take(subject, bytes) && (address === undefined || addresses.take(address, bytes));
    if (isKept) log.append(line);
    else metrics.fault('client', 'events-dropped');
  };
  app.post('/safeview-client-logger/clientevent', async (request) => {
    const batch = validate(batchSchema, request.body, 'clientevent');
    for (const item of batch.items) {
      metrics.clientEvent(item.event);
      append(request.person, item);
      const fault = item.level === 'error' ? pluginFault(item.data) : undefined;
      if (fault)
        faults.line('warn', 'plugin: failed in the client', {
          ...fault,
          event: item.event,
          person: request.person.subject,
          from: 'client',
        });
    }
    return { accepted: batch.items.length };
  });
  app.post('/safeview-client-logger/pingstats', async (request) => {
    const stats = validate(pingStatsSchema, request.body, 'pingstats');
    append(request.person, { event: 'pingstats', data: stats });
    return {};
  });
}

/**
 * Returns the fields of an error report about the plugin whose client half failed; undefined for one that is not about
 * a plugin.
 */
function pluginFault(data: unknown): Readonly<Record<string, string>> | undefined {
  const fields = new Map(Object.entries(data ?? {}));
  if (typeof fields.get('plugin') !== 'string') return undefined;
  return Object.fromEntries(
    Object.entries(FAULT_FIELDS).flatMap(([field, max]) => {
      const value: unknown = fields.get(field);
      return typeof value === 'string' ? [[field, value.slice(0, max)]] : [];
    }),
  );
}
