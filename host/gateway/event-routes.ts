import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { validate } from '../../core/protocol/message.ts';
import type { EventLog } from './event-log.ts';
import type { Metrics } from './metrics.ts';

const text = v.pipe(v.string(), v.maxLength(8192));
const batchSchema = v.object({
  items: v.pipe(
    v.array(v.looseObject({ event: v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/)), level: v.exactOptional(text) })),
    v.maxLength(100),
  ),
  url: v.exactOptional(text),
  host: v.exactOptional(text),
});
const pingStatsSchema = v.record(
  v.pipe(v.string(), v.maxLength(20)),
  v.union([v.number(), v.pipe(v.string(), v.maxLength(20))]),
);

/** Where clients report, event by event into the log (S-089: nothing else is accepted): POST /safeview-client-logger/clientevent (S-114) and /pingstats (S-041). */
export function eventRoutes(app: FastifyInstance, metrics: Metrics, log: EventLog): void {
  app.post('/safeview-client-logger/clientevent', async (request) => {
    const batch = validate(batchSchema, request.body, 'clientevent');
    for (const item of batch.items) {
      metrics.clientEvent(item.event);
      log.append({ at: Date.now(), person: request.person.subject, ...item });
    }
    return { accepted: batch.items.length };
  });
  app.post('/safeview-client-logger/pingstats', async (request) => {
    const stats = validate(pingStatsSchema, request.body, 'pingstats');
    log.append({ at: Date.now(), person: request.person.subject, event: 'pingstats', data: stats });
    return {};
  });
}
