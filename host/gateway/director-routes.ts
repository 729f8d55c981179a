import type { FastifyInstance } from 'fastify';
import type { Link } from '../contracts/link.ts';

/**
 * A tab that has lost its session asks here whether to come back: `go`, or `wait` while no session is available
 * (S-116).
 */
export function directorRoutes(app: FastifyInstance, link: Link): void {
  app.get('/safeview-director/traffic-check', async (_request, reply) => {
    const answer = (await link.ready()) ? 'go' : 'wait';
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(answer);
  });
}
