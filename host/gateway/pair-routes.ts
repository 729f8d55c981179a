import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { pairRequestSchema, repairRequestSchema, unpairRequestSchema } from '../../core/protocol/pairing.ts';
import type { PairAnswer, PairRequest } from '../../core/protocol/pairing.ts';
import { JSON_TEXT } from '../../core/protocol/json-text.ts';
import { withoutOwnParameters } from '../../core/protocol/shell-address.ts';
import { isStrictAddress } from '../../core/protocol/strict-address.ts';
import { PROTOCOL_VERSION } from '../../core/protocol/wire.ts';
import type { Link } from '../contracts/link.ts';
import { POST_BODY_BYTES } from './page-routes.ts';
import { hostRefusal } from '../policy/host-refusal.ts';
import type { PairedAttempts } from './paired-attempts.ts';
import { isBypassed } from './policy-routes.ts';
import type { PolicyRoutes } from './policy-routes.ts';

/** Maximum size of a pair request, in bytes: most of it are addresses. The body of a POST navigation comes after it, see {@link JSON_TEXT}. */
const PAIR_BYTES = 160 * 1024;
const NEW_LINE = 10;

/** Answer to a client with another protocol version: the shell loads the client that belongs to this host. */
const RELOAD: PairAnswer = { version: 'reload' };
const versioned = v.object({ tc_api: v.number() });

/** Options of pairing in addition to those of policy routes. */
interface PairRoutes extends PolicyRoutes {
  /** Learns which tab each attempt to pair has led to. */
  readonly attempts: PairedAttempts;
  /** Sign-in data of a paired tab for our other hosts. */
  readonly signIn?: (subject: string) => PairAnswer;
}

/** POST /r/pair, /r/repair and /r/unpair (S-037, S-108, S-115). */
export function pairRoutes(app: FastifyInstance, link: Link, options: PairRoutes): void {
  // A beacon on exit has type text/plain but the same JSON.
  app.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: 64 * 1024 }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new AppError('bad-message', 'not JSON'), undefined);
    }
  });
  void app.register((paired, _options, done) => {
    takePairing(paired);
    pairing(paired, link, options);
    done();
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

/**
 * The answer for a page that the policy refuses: where the person is sent instead, or who refuses it (S-060, R-058). No surrogate is begun
 * for it, and that of a tab which had another page is left alone. Undefined when the person may open it.
 */
function refusalOf(
  { policy }: PolicyRoutes,
  { person, headers: { origin = '' } }: Pick<FastifyRequest, 'person' | 'headers'>,
  url: string,
): PairAnswer | undefined {
  const message = hostRefusal({ mayReach: (destination) => policy.mayReach(person, destination) }, url);
  if (message === undefined) return undefined;
  const { redirect } = policy.decide(person).settings.egress;
  // A tab over TLS goes to no page without it.
  const isFollowed = redirect !== undefined && (!origin.startsWith('https:') || isStrictAddress(redirect));
  if (isFollowed) return { error: 'access_denied_redirect', redirect_url: redirect };
  return { block: { site: (URL.parse(url)?.host ?? '').slice(0, 300), message: message.slice(0, 2000) } };
}

/** The answer for a page that the person has a token for: its site itself (S-112). Undefined without one. */
function directOf(
  options: PolicyRoutes,
  request: FastifyRequest,
  { url, force_isolate }: PairRequest,
): PairAnswer | undefined {
  return force_isolate !== true && isBypassed(options, request, url) ? { direct_access: url } : undefined;
}

function pairing(app: FastifyInstance, link: Link, options: PairRoutes): void {
  const completed = (subject: string, answer: PairAnswer): PairAnswer =>
    answer.safe_rid === undefined ? answer : { ...options.signIn?.(subject), ...answer };
  const config = { intake: { maxBytes: PAIR_BYTES + POST_BODY_BYTES, isUnmetered: true } } as const;
  app.post('/r/pair', { config }, async (request, reply) => {
    if (isOutdated(request.body)) return RELOAD;
    const asked = cleaned(validate(pairRequestSchema, request.body, 'pair'));
    const answer =
      refusalOf(options, request, asked.url) ??
      directOf(options, request, asked) ??
      (await link.pair(request.person, asked));
    options.attempts.paired(request.person, asked.attempt, answer);
    return reply.header('cache-control', 'no-store').send(completed(request.person.subject, answer));
  });
  app.post<{ Querystring: { cid?: string } }>('/r/repair', { config }, async (request, reply) => {
    const { cid } = request.query;
    if (isOutdated(request.body)) return RELOAD;
    if (typeof cid !== 'string') throw new AppError('session-not-found', 'There is no such session.');
    const asked = cleaned(validate(repairRequestSchema, request.body, 'repair'));
    const known = refusalOf(options, request, asked.url) ?? directOf(options, request, asked);
    if (known?.direct_access !== undefined) await link.unpair(request.person, { safe_rid: asked.safe_rid }); // nobody comes back to its surrogate
    const answer = known ?? (await link.repair(request.person, cid, asked));
    options.attempts.paired(request.person, asked.attempt, answer);
    return reply.header('cache-control', 'no-store').send(completed(request.person.subject, answer));
  });
}

/** Has a scope take pair requests: in JSON, or in JSON with the body of a POST navigation after it, which is not parsed. */
function takePairing(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: PAIR_BYTES }, parse);
  app.addContentTypeParser(
    JSON_TEXT,
    { parseAs: 'buffer', bodyLimit: PAIR_BYTES + POST_BODY_BYTES },
    (request, body: Buffer, done) => {
      const end = body.subarray(0, PAIR_BYTES).indexOf(NEW_LINE);
      if (end < 0) {
        done(new AppError('bad-message', 'no line of JSON'), undefined);
        return;
      }
      void parse(request, body.toString('utf8', 0, end), (failed, asked: unknown) => {
        if (failed || typeof asked !== 'object') done(failed ?? new AppError('bad-message', 'no object'), undefined);
        else done(null, { ...asked, body: body.toString('utf8', end + 1) });
      });
    },
  );
}
