import type { FastifyInstance } from 'fastify';
import type { Link } from '../contracts/link.ts';
import { bodyStream } from './body-stream.ts';

/** Resources of pages, by opaque token: `/c/i/{token}` pictures, `/c/f/{token}` fonts, `/c/m/{token}` media (S-034). */
export function resourceRoutes(app: FastifyInstance, link: Link): void {
  app.get<{ Params: { kind: string; token: string } }>('/c/:kind/:token', async (request, reply) => {
    const { kind, token } = request.params;
    const { headers, size, body } = await link.resource(request.person, kind, token);
    // The person's browser already has these bytes.
    if (request.headers['if-none-match'] === headers['etag'] && headers['etag'] !== undefined) {
      if ('abort' in body) body.abort();
      return reply.code(304).headers(headers).send();
    }
    void reply.headers(headers).header('content-length', size);
    if ('abort' in body) return reply.send(bodyStream(body, size));
    return reply.send(Buffer.from(body.buffer, body.byteOffset, body.length));
  });
}
