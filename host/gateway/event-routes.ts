import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { validate } from '../../core/protocol/message.ts';
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

/** Where clients report: POST /safeview-client-logger/clientevent (S-114) and /pingstats (S-041). */
export function eventRoutes(app: FastifyInstance, metrics: Metrics): void {
  app.post('/safeview-client-logger/clientevent', async (request) => {
    const batch = validate(batchSchema, request.body, 'clientevent');
    for (const item of batch.items) {
      metrics.clientEvent(item.event);
      request.log.info({ clientEvent: item }, 'client event');
    }
    return { accepted: batch.items.length };
  });
  app.post('/safeview-client-logger/pingstats', async (request) => {
    request.log.info({ pingStats: validate(pingStatsSchema, request.body, 'pingstats') }, 'ping statistics');
    return {};
  });
}
