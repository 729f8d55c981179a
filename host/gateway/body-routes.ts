import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { MAX_POSTED_BYTES, UP_PATH } from '../../core/protocol/bodies/posting.ts';
import type { Link } from '../contracts/link.ts';
import { channelQuery, number } from './channel-query.ts';

/** Requests of one person that may be on their way: each channel has one at a time, and repeats what was not answered. */
const MAX_POSTS_PER_PERSON = 16;
/** The same of all people: what they may have the gateway keep is this times {@link MAX_POSTED_BYTES}. */
const MAX_POSTS = 256;

const upQuery = v.object({ ...channelQuery, nr: number(10) });
const bytes = v.instance(Uint8Array);

/** POST /c/up: pieces of bodies from a client to its cell, in a frame, beside a channel that carries JSON only that way (M-075). */
export async function bodyRoutes(app: FastifyInstance, link: Link): Promise<void> {
  const underWay = new Map<string, number>();
  let all = 0;
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
        // Before anything of the body is kept.
        onRequest: async ({ person: { subject } }, reply) => {
          const own = underWay.get(subject) ?? 0;
          if (own >= MAX_POSTS_PER_PERSON || all >= MAX_POSTS)
            throw new AppError('too-many-requests', 'Too much is being sent at a time.', { retryable: true });
          underWay.set(subject, own + 1);
          all += 1;
          reply.raw.once('close', () => {
            const left = (underWay.get(subject) ?? 1) - 1;
            if (left > 0) underWay.set(subject, left);
            else underWay.delete(subject);
            all -= 1;
          });
        },
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
