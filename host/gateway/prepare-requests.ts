import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import type { Person } from '../base/person.ts';
import { admitRequests } from './admission-routes.ts';
import type { Admission } from './admission.ts';
import { takeBodies } from './body-intake.ts';
import type { BodyBudget } from './body-intake.ts';
import { SHELL_PATH } from './address.ts';
import { addressShared, networkShared } from './client-address.ts';
import { COF_PATH, hostOf } from './helper-frames.ts';
import type { Metrics } from './metrics.ts';
import { ownCookie } from './own-cookies.ts';
import { PERSON_COOKIE, setPersonCookie } from './person.ts';
import type { PersonCookies } from './person.ts';
import { limitRates, Rates } from './rates.ts';
import { checkRequest } from './request-check.ts';
import type { Framers } from './request-check.ts';
import { strictTransport } from './transport-security.ts';
import type { UpstreamMeter } from './upstream-meter.ts';

/** Options of every request's checks. */
interface RequestOptions {
  readonly persons: PersonCookies;
  readonly metrics: Metrics;
  /** Public origins besides address literals and localhost. */
  readonly origins: readonly string[];
  readonly inspectOrigin?: string | undefined;
  readonly clusterOrigin?: string | undefined;
  /** Origins that may have the shell in a frame. */
  readonly frameAncestors: readonly string[];
  /** Absent where everybody who reaches the host may use it. */
  readonly admission?: Admission | undefined;
  /** Rates of client addresses; new ones unless given. */
  readonly rates?: Rates;
  readonly meter: UpstreamMeter;
  readonly bodies: BodyBudget;
  /** Whether the host is reached from other machines. */
  readonly isExposed?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Person of the request: set before any route runs. */
    person: Person;
    /** Whether the browser reaches the host by https: here, or at a proxy before it. */
    isSecure: boolean;
    /** Whether the browser may use the host. */
    isAdmitted: boolean;
    /** Client address by which rates and cells are shared out; undefined for this machine's own, where nobody else reaches the host. */
    address: string | undefined;
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
  const { persons, metrics, meter, bodies, isExposed = false, inspectOrigin, clusterOrigin, frameAncestors } = options;
  const helpers = [inspectOrigin, clusterOrigin].filter((origin) => origin !== undefined);
  const origins = [...options.origins, ...helpers];
  const framersOf = (url: string): Framers => {
    if (url.startsWith(`${COF_PATH}?`)) return 'anybody';
    return url === SHELL_PATH && frameAncestors.length > 0 ? 'same-site' : 'nobody';
  };
  const secureHosts = origins.filter((origin) => origin.startsWith('https:')).map(hostOf);
  app.decorateRequest('target', '');
  app.decorateRequest('person');
  app.decorateRequest('isSecure', false);
  app.decorateRequest('address');
  app.addHook('onRequest', async (request, reply) => {
    const { host } = request.headers;
    request.isSecure = request.protocol === 'https' || secureHosts.includes(host);
    request.address = addressShared(request.ip, isExposed);
    request.target = request.originalUrl;
    reply.headers({ ...HEADERS, ...(request.isSecure && strictTransport(host ?? '')) });
    checkRequest(request.headers, request.method, { origins, framers: framersOf(request.url) });
  });
  await app.register(fastifyCookie);
  admitRequests(app, { admission: options.admission, helperHosts: helpers.map((origin) => hostOf(origin) ?? '') });
  limitRates(app, options.rates ?? new Rates());
  app.addHook('onRequest', async (request, reply) => {
    request.person = personOf(request, reply, persons, isExposed);
  });
  takeBodies(app, meter, bodies);
  app.addHook('onResponse', async (request, reply) => {
    metrics.requests.inc({ route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) });
  });
}

/** The person of a request; a browser that we do not know yet is given a cookie. */
function personOf(request: FastifyRequest, reply: FastifyReply, persons: PersonCookies, isExposed: boolean): Person {
  let subject = persons.subjectOf(ownCookie(request, PERSON_COOKIE));
  if (!subject) {
    const issued = persons.issue();
    subject = issued.subject;
    if (!request.ws) setPersonCookie(request, reply, issued.value);
  }
  const { headers, isSecure } = request;
  const address = networkShared(request.ip, isExposed);
  if (!headers.host) throw new AppError('foreign-host', 'The request names no host.');
  const origin = `${isSecure ? 'https' : 'http'}://${headers.host}`;
  return { subject, tenant: 'default', groups: [], origin, ...(address !== undefined && { address }) };
}
