import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import fastifyWebsocket from '@fastify/websocket';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { MAX_UPSTREAM_BYTES } from '../../core/protocol/wire.ts';
import type { PluginFile } from '../plugins/external/external-plugins.ts';
import type { Link, Person } from '../link.ts';
import type { BypassTokens } from '../policy/bypass.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { FaultLog } from '../fault-log.ts';
import { hostLog } from '../host-log.ts';
import { CLIENT_BASE } from '../build/base.ts';
import { looksLikePage } from './address.ts';
import type { Assets } from './assets.ts';
import { answerStray, isNavigation } from './stray-paths.ts';
import { DEFLATE } from './compression.ts';
import { authRoutes, signInFacts } from './auth-routes.ts';
import { bodyRoutes } from './body-routes.ts';
import { channelRoutes, endSoon } from './channel-routes.ts';
import { directorRoutes } from './director-routes.ts';
import type { EventLog } from './event-log.ts';
import { eventRoutes } from './event-routes.ts';
import { COF_PATH, hostOf } from './helper-frames.ts';
import type { IntegrityTokens } from './integrity-tokens.ts';
import type { Metrics } from './metrics.ts';
import { pageRoutes } from './page-routes.ts';
import { pairRoutes } from './pair-routes.ts';
import { pluginRoutes } from './plugin-routes.ts';
import { pollRoutes } from './poll-routes.ts';
import { PERSON_COOKIE, setPersonCookie } from './person.ts';
import type { PersonCookies } from './person.ts';
import { checkRequest } from './request-check.ts';
import { policyRoutes } from './policy-routes.ts';
import { resourceRoutes } from './resource-routes.ts';
import { pluginRequests, RouteError } from './route-requests.ts';

/** What the gateway is made of. */
export interface GatewayOptions {
  readonly link: Link;
  readonly assets: Assets;
  /** Client halves of plugins from outside, by address. */
  readonly pluginFiles?: ReadonlyMap<string, PluginFile>;
  /** Routes of plugins, such as `GET /r/print`. */
  readonly routes?: readonly string[];
  readonly persons: PersonCookies;
  readonly integrity: IntegrityTokens;
  readonly policy: PolicyEngine;
  readonly bypass: BypassTokens;
  readonly metrics: Metrics;
  readonly events: EventLog;
  readonly log: FastifyBaseLogger;
  /** Public origins besides address literals and localhost. */
  readonly origins: readonly string[];
  readonly frameAncestors: readonly string[];
  /** Origins by which the cross-origin helper frame reaches this host; the shell's own unless given (S-136, S-137). */
  readonly inspectOrigin?: string | undefined;
  readonly clusterOrigin?: string | undefined;
  /** Origins that sign people in. */
  readonly loginOrigins?: readonly string[];
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: set before any route runs. */
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

/** HTTP status by error code of the core; plugins declare those of their own. 500 for what is not listed. */
const STATUS: Readonly<Record<string, number>> = {
  'bad-frame': 400,
  'bad-message': 400,
  'bad-packet': 400,
  'bad-sequence': 400,
  'poll-lost': 409,
  'poll-replaced': 410,
  'foreign-host': 421,
  'foreign-origin': 403,
  'cross-site': 403,
  'policy-refused': 403,
  'unknown-action': 404,
  'integrity-token': 403,
  'session-not-found': 404,
  'resource-not-found': 404,
  'post-body': 415,
  'resource-type': 415,
  'resource-too-large': 413,
  'stream-too-large': 413,
  'body-too-large': 413,
  'too-many-requests': 429,
  'cdp-timeout': 504,
  'resource-timeout': 504,
  'shutting-down': 503,
};

/** Codes of what Fastify refuses by itself, by HTTP status. */
const CODE: Readonly<Record<number, string>> = {
  413: 'message-too-large',
  414: 'message-too-large',
  415: 'message-type',
};

/** What was thrown while a request was answered, with a code of ours. */
function requestError(thrown: unknown): { readonly error: AppError; readonly status: number } {
  const error = toAppError(thrown);
  const known = (error instanceof RouteError ? error.status : undefined) ?? STATUS[error.code];
  if (known !== undefined) return { error, status: known };
  const { statusCode: status = 500 } = thrown as { readonly statusCode?: number }; // Fastify's errors have one
  if (status < 400 || status >= 500) return { error, status: 500 };
  return { error: new AppError(CODE[status] ?? 'bad-message', error.message), status };
}

/** Builds the gateway: people's connections, routes and static files. The caller listens and closes. */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { link, assets, persons, metrics, log } = options;
  const app = Fastify({
    loggerInstance: log,
    ...(options.tls ? { https: options.tls } : {}),
    bodyLimit: MAX_UPSTREAM_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    // Page addresses hold anything: percent signs, doubled slashes, semicolons. They go to one route, unread.
    rewriteUrl: (request) => (looksLikePage(request.url ?? '') ? '/vitrine-page' : (request.url ?? '/')),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
  }) as unknown as FastifyInstance; // http or https: the rest does not care

  const { inspectOrigin, clusterOrigin } = options;
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
  app.setErrorHandler((thrown, request, reply) => {
    const { error, status } = requestError(thrown);
    metrics.fault('request', error.code);
    if (status >= 500) request.log.error({ err: thrown }, 'request failed');
    else request.log.info({ code: error.code, target: request.originalUrl.slice(0, 200) }, error.message);
    return reply
      .code(status)
      .send({ code: error.code, message: status === 500 ? 'The host failed to answer.' : error.message });
  });
  app.setNotFoundHandler((request, reply) =>
    isNavigation(request)
      ? answerStray(assets, request, reply)
      : reply.code(404).send({ code: 'not-found', message: 'There is nothing here.' }),
  );

  await app.register(fastifyWebsocket, {
    options: {
      maxPayload: MAX_UPSTREAM_BYTES,
      perMessageDeflate: DEFLATE,
    },
    errorHandler: (error, socket, { log }) => {
      if (socket.readyState === socket.OPEN) {
        log.error({ err: error }, 'websocket route failed');
        socket.close(1011);
      } else log.info({ err: error }, 'websocket failed');
      endSoon(socket);
    },
  });
  await app.register(fastifyStatic, {
    root: assets.clientDir,
    prefix: CLIENT_BASE,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    list: false,
    decorateReply: false,
  });
  pluginRoutes(app, options.pluginFiles ?? new Map());
  pageRoutes(app, options);
  policyRoutes(app, options);
  const auth = {
    tokens: options.integrity,
    persons,
    inspectHost: hostOf(inspectOrigin),
    clusterHost: hostOf(clusterOrigin),
  };
  authRoutes(app, auth);
  pairRoutes(app, link, { ...options, signIn: (subject) => signInFacts(auth, subject) });
  channelRoutes(app, link, metrics);
  pollRoutes(app, link, metrics);
  await bodyRoutes(app, link);
  resourceRoutes(app, link);
  await pluginRequests(app, link, options.routes ?? []);
  directorRoutes(app, link);
  eventRoutes(app, metrics, options.events, new FaultLog(hostLog(log)));

  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = await link.ready();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  return app;
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
