import type { FastifyInstance } from 'fastify';
import type { Link } from '../contracts/link.ts';
import type { Metrics } from './metrics.ts';

/** Options of the routes for those who run the host. */
interface HealthRoutes {
  readonly link: Link;
  readonly metrics: Metrics;
  /** Whether the host is reached from other machines: its metrics are served elsewhere. */
  readonly isExposed?: boolean;
}

/** Routes for those who run the host: whether it lives, whether it takes people, and its metrics (`/healthz`, `/readyz`, `/metrics`). */
export function healthRoutes(app: FastifyInstance, { link, metrics, isExposed = false }: HealthRoutes): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = await link.ready();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
  if (isExposed) return;
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
