import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { pairRequestSchema, repairRequestSchema, unpairRequestSchema } from '../../core/protocol/pairing.ts';
import type { PairAnswer, PairRequest } from '../../core/protocol/pairing.ts';
import { withoutOwnParameters } from '../../core/protocol/shell-address.ts';
import { PROTOCOL_VERSION } from '../../core/protocol/wire.ts';
import type { Link } from '../contracts/link.ts';
import { isBypassed } from './policy-routes.ts';
import type { PolicyRoutes } from './policy-routes.ts';

/** Maximum size of a pair request, in bytes: it may carry the body of a POST navigation. */
const PAIR_BODY_BYTES = 16 * 1024 * 1024;

/** Answer to a client with another protocol version: the shell loads the client that belongs to this host. */
const RELOAD: PairAnswer = { version: 'reload' };
const versioned = v.object({ tc_api: v.number() });

/** Options of pairing in addition to those of policy routes. */
interface PairRoutes extends PolicyRoutes {
  /** Sign-in data of a paired tab for our other hosts. */
  readonly signIn?: (subject: string) => PairAnswer;
}

/** POST /r/pair, /r/repair and /r/unpair (S-037, S-108, S-115). */
export function pairRoutes(app: FastifyInstance, link: Link, options: PairRoutes): void {
  const completed = (subject: string, answer: PairAnswer): PairAnswer =>
    answer.safe_rid === undefined ? answer : { ...options.signIn?.(subject), ...answer };
  // A beacon on exit has type text/plain but the same JSON.
  app.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: 64 * 1024 }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new AppError('bad-message', 'not JSON'), undefined);
    }
  });
  app.post('/r/pair', { bodyLimit: PAIR_BODY_BYTES }, async (request, reply) => {
    if (isOutdated(request.body)) return RELOAD;
    const asked = cleaned(validate(pairRequestSchema, request.body, 'pair'));
    const answer = isBypassed(options, request, asked.url)
      ? { direct_access: asked.url }
      : await link.pair(request.person, asked);
    return reply.header('cache-control', 'no-store').send(completed(request.person.subject, answer));
  });
  app.post<{ Querystring: { cid?: string } }>('/r/repair', { bodyLimit: PAIR_BODY_BYTES }, async (request, reply) => {
    const { cid } = request.query;
    if (isOutdated(request.body)) return RELOAD;
    if (typeof cid !== 'string') throw new AppError('session-not-found', 'There is no such session.');
    const answer = await link.repair(
      request.person,
      cid,
      cleaned(validate(repairRequestSchema, request.body, 'repair')),
    );
    return reply.header('cache-control', 'no-store').send(completed(request.person.subject, answer));
  });
  app.post('/r/unpair', async (request) => {
    await link.unpair(request.person, validate(unpairRequestSchema, request.body, 'unpair'));
    return {};
  });
}

/** The request without the service's own parameters in the page's address, which its site must not see (S-096). */
function cleaned<T extends PairRequest>(request: T): T {
  return { ...request, url: withoutOwnParameters(request.url) };
}

/** Whether a client uses another protocol version: the rest of its request cannot be parsed reliably. */
function isOutdated(body: unknown): boolean {
  return v.is(versioned, body) && body.tc_api !== PROTOCOL_VERSION;
}
