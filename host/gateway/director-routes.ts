import type { FastifyInstance } from 'fastify';
import type { Link } from '../link.ts';

/** Where a tab that has lost its session asks whether to come back: `go`, or `wait` while no session could be had (S-116). */
export function directorRoutes(app: FastifyInstance, link: Link): void {
  app.get('/safeview-director/traffic-check', async (_request, reply) => {
    const answer = (await link.ready()) ? 'go' : 'wait';
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(answer);
  });
}
