import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { AuthCheckAnswer, TokenAuthAnswer } from '../../core/protocol/auth.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import type { PairAnswer } from '../../core/protocol/pairing.ts';
import { admit } from './admission-routes.ts';
import type { Admission } from './admission.ts';
import type { IntegrityTokens } from './integrity-tokens.ts';
import { setPersonCookie } from './person.ts';
import type { PersonCookies } from './person.ts';

const text = v.pipe(v.string(), v.maxLength(1000));
const checkSchema = v.object({ sb: text });
const tokenSchema = v.object({ itok: text, tok_s: text, host: text });

/** Options of the sign-in routes. */
interface AuthOptions {
  readonly tokens: IntegrityTokens;
  readonly persons: PersonCookies;
  /** Absent where everybody who reaches the host may use it. */
  readonly admission?: Admission | undefined;
  /** Other hosts under which this one is reached, in addition to the shell's own. */
  readonly inspectHost?: string | undefined;
  readonly clusterHost?: string | undefined;
}

/** Sign-in data of a pairing for our other hosts; empty when there are none (S-037). */
export function signInFacts({ tokens, inspectHost, clusterHost }: AuthOptions, subject: string): PairAnswer {
  if (inspectHost === undefined) return {};
  return {
    sb: tokens.blob(subject),
    inspect_host: inspectHost,
    integrity_hosts: [inspectHost, clusterHost].filter((host) => host !== undefined),
    use_integrity_token: true,
  };
}

/**
 * POST /safeview-auth-server/check and /do_itok_auth (S-123): a browser that has paired at one of our origins gets the
 * same person at another, where a helper frame sends the request. It first presents the blob of its pairing, then a
 * token for that host alone.
 */
export function authRoutes(app: FastifyInstance, options: AuthOptions): void {
  const { tokens, persons, admission, inspectHost, clusterHost } = options;
  app.post('/safeview-auth-server/check', async (request, reply): Promise<AuthCheckAnswer> => {
    const { sb } = validate(checkSchema, request.body, 'auth check');
    const host = request.headers.host ?? '';
    const subject = tokens.ownerOf(sb);
    reply.header('cache-control', 'no-store');
    if (subject === undefined) return { success: false, reauth: true, redirects: [] };
    const isKnown = request.isAdmitted && request.person.subject === subject;
    return { success: true, reauth: false, redirects: isKnown ? [] : [{ host, ...tokens.token(subject, host) }] };
  });
  app.post('/safeview-auth-server/do_itok_auth', async (request, reply): Promise<TokenAuthAnswer> => {
    const { host, ...token } = validate(tokenSchema, request.body, 'integrity token');
    const isOurs = host === request.headers.host && (host === inspectHost || host === clusterHost);
    const subject = isOurs ? tokens.redeem(token, host) : undefined;
    if (subject === undefined) throw new AppError('integrity-token', 'The integrity token is invalid.');
    setPersonCookie(request, reply, persons.of(subject));
    if (admission) admit(request, reply, admission); // the person was admitted where they have paired
    reply.header('cache-control', 'no-store');
    return { use_inspect_host: host === inspectHost };
  });
}
