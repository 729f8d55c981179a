import type { FastifyInstance } from 'fastify';
import type { Link } from '../link.ts';

/** What the page shows, by opaque token: `/c/i/{token}` pictures, `/c/f/{token}` fonts, `/c/m/{token}` media (S-034). */
export function resourceRoutes(app: FastifyInstance, link: Link): void {
  app.get<{ Params: { kind: string; token: string } }>('/c/:kind/:token', async (request, reply) => {
    const { kind, token } = request.params;
    const answer = await link.resource(request.person, kind, token);
    // The person's browser has these bytes already.
    if (request.headers['if-none-match'] === answer.headers['etag'] && answer.headers['etag'] !== undefined)
      return reply.code(304).headers(answer.headers).send();
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.length));
  });
}
