import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import type { Person } from '../person.ts';
import { COF_PATH } from './helper-frames.ts';
import type { Metrics } from './metrics.ts';
import { PERSON_COOKIE, setPersonCookie } from './person.ts';
import type { PersonCookies } from './person.ts';
import { checkRequest } from './request-check.ts';

/** Options of every request's checks. */
interface RequestOptions {
  readonly persons: PersonCookies;
  readonly metrics: Metrics;
  /** Public origins besides address literals and localhost. */
  readonly origins: readonly string[];
  readonly inspectOrigin?: string | undefined;
  readonly clusterOrigin?: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Person of the request: set before any route runs. */
    person: Person;
    /** The request target as it came, for pages: Fastify's router must not read it. */
    target: string;
  }
}

/** Headers of every answer. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'browsing-topics=(), camera=(), geolocation=(self), microphone=(), payment=(), usb=()',
} as const;

/** Checks every request before its route runs, finds its person, gives its answer the headers of all answers, and counts it. */
export async function prepareRequests(app: FastifyInstance, options: RequestOptions): Promise<void> {
  const { persons, metrics, inspectOrigin, clusterOrigin } = options;
  const origins = [...options.origins, inspectOrigin, clusterOrigin].filter((origin) => origin !== undefined);
  app.decorateRequest('target', '');
  app.decorateRequest('person');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    request.target = request.originalUrl;
    checkRequest(request.headers, request.method, { origins, mayBeFramed: request.url.startsWith(`${COF_PATH}?`) });
  });
  await app.register(fastifyCookie);
  app.addHook('onRequest', async (request, reply) => {
    request.person = personOf(request, reply, persons);
  });
  app.addHook('onResponse', async (request, reply) => {
    metrics.requests.inc({ route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) });
  });
}

/** The person of a request; a browser that we do not know yet is given a cookie. */
function personOf(request: FastifyRequest, reply: FastifyReply, persons: PersonCookies): Person {
  let subject = persons.subjectOf(request.cookies[PERSON_COOKIE]);
  if (!subject) {
    const issued = persons.issue();
    subject = issued.subject;
    if (!request.ws) setPersonCookie(request, reply, issued.value);
  }
  const host = request.headers.host;
  if (!host) throw new AppError('foreign-host', 'The request names no host.');
  return { subject, tenant: 'default', groups: [], origin: `${request.protocol}://${host}` };
}
