import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { validate } from '../../core/protocol/message.ts';
import { MAX_POSTED_BYTES, UP_PATH } from '../../core/protocol/bodies/posting.ts';
import type { Link } from '../contracts/link.ts';
import { channelQuery, number } from './channel-query.ts';

const upQuery = v.object({ ...channelQuery, nr: number(10) });
const bytes = v.instance(Uint8Array);

/** POST /c/up: pieces of bodies from a client to its cell, in a frame, beside a channel that carries JSON only that way (M-075). */
export async function bodyRoutes(app: FastifyInstance, link: Link): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => body,
    );
    scope.post(
      UP_PATH,
      {
        // A frame's table and headers come on top.
        bodyLimit: 2 * MAX_POSTED_BYTES,
        // An upload of a person is no message of the client: the cell bounds it.
        config: { intake: { isUnmetered: true } },
      },
      async (request, reply) => {
        const { cid, tab_id: tabId, chid, nr } = validate(upQuery, request.query, 'up');
        const frame = validate(bytes, request.body, 'up');
        await link.receiveBodies(request.person, { cid, tabId, chid, number: nr }, frame);
        return reply.header('cache-control', 'no-store').send({});
      },
    );
  });
}
