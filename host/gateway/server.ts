import fastifyStatic from '@fastify/static';
import fastifyWebsocket from '@fastify/websocket';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isOfPages } from '../../core/protocol/shell-address.ts';
import { MAX_UPSTREAM_BYTES } from '../../core/protocol/wire.ts';
import type { PluginFile } from '../plugins/external/external-plugins.ts';
import type { Link } from '../contracts/link.ts';
import { MAX_ROUTE_BODY_BYTES } from '../contracts/routes.ts';
import type { BypassTokens } from '../policy/bypass.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { FaultLog } from '../base/fault-log.ts';
import { hostLog } from '../base/host-log.ts';
import { CLIENT_BASE } from '../build/base.ts';
import { SHELL_PATH } from './address.ts';
import type { Assets } from './assets.ts';
import { DEFLATE } from './compression.ts';
import { LINK_LIMITS } from '../link/limits.ts';
import { admissionRoutes } from './admission-routes.ts';
import type { Admission } from './admission.ts';
import { authRoutes, signInFacts } from './auth-routes.ts';
import { arrivalMs, BodyBudget } from './body-intake.ts';
import { bodyRoutes } from './body-routes.ts';
import { channelRoutes, endSoon } from './channel-routes.ts';
import { Connections } from './connections.ts';
import type { ConnectionBounds } from './connections.ts';
import { directorRoutes } from './director-routes.ts';
import type { EventLog } from './event-log.ts';
import { eventRoutes } from './event-routes.ts';
import { galleryRoutes } from '../gallery/gallery.ts';
import { gatewayDocument } from './gallery-documents.ts';
import { frameRoutes } from './frame-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { hostOf } from './helper-frames.ts';
import type { IntegrityTokens } from './integrity-tokens.ts';
import type { Metrics } from './metrics.ts';
import { pageRoutes } from './page-routes.ts';
import { PairedAttempts } from './paired-attempts.ts';
import { pairRoutes } from './pair-routes.ts';
import { pluginRoutes } from './plugin-routes.ts';
import { pollRoutes } from './poll-routes.ts';
import type { PersonCookies } from './person.ts';
import { prepareRequests } from './prepare-requests.ts';
import type { Rates } from './rates.ts';
import { answerErrors } from './request-errors.ts';
import { RequestLines } from './request-lines.ts';
import { policyRoutes } from './policy-routes.ts';
import { protectionRoute } from './protection.ts';
import type { HostProtection } from './protection.ts';
import { resourceRoutes } from './resource-routes.ts';
import { pluginRequests } from './route-requests.ts';
import { UpstreamMeter } from './upstream-meter.ts';

/** Options of the gateway. */
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
  /** Admits browsers; absent where everybody who reaches the host may use it. */
  readonly admission?: Admission | undefined;
  /** Whether the host is reached from other machines: its metrics are served elsewhere. */
  readonly isExposed?: boolean;
  /** Addresses of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: IP or CIDR. */
  readonly trustedProxies?: readonly string[];
  /** Rates of client addresses; new ones unless given. */
  readonly rates?: Rates;
  /** Bounds on connections, where not the usual ones. */
  readonly connections?: ConnectionBounds;
  /** Facts for the page that tells people what protects them. */
  readonly protection: HostProtection;
  /** Checkout whose surfaces `/gallery` shows, for development; absent: there is no such path. */
  readonly gallery?: string | undefined;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

/** Longest time without a byte on a connection that waits for an answer, in ms: longer than any call of a cell takes. */
const SILENT_MS = LINK_LIMITS.maxDeadlineMs + 60_000;

/** Time for which a connection is kept for the next request, in ms: longer than proxies keep theirs. */
const KEEP_ALIVE_MS = 72_000;

/** Builds the gateway: people's connections, routes and static files. The caller listens and closes. */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { link, assets, persons, metrics, log, inspectOrigin, clusterOrigin } = options;
  const connections = new Connections(options);
  const times = { requestTimeout: arrivalMs(MAX_ROUTE_BODY_BYTES), connectionTimeout: SILENT_MS };
  const app = Fastify({
    loggerInstance: log,
    ...(options.tls ? { https: options.tls } : {}),
    serverFactory: (handler) => connections.server(handler, { ...times, keepAliveTimeout: KEEP_ALIVE_MS }, options.tls),
    bodyLimit: MAX_UPSTREAM_BYTES,
    ...times,
    ...(options.trustedProxies?.length ? { trustProxy: [...options.trustedProxies] } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    // Page addresses hold anything: percent signs, doubled slashes, semicolons. They go to one route, unread.
    rewriteUrl: (request) => (isOfPages(request.url ?? '') ? SHELL_PATH : (request.url ?? '/')),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
  }) as unknown as FastifyInstance; // http or https: the rest does not care

  // Before all other hooks: it tells them which requests are websockets, and ends those that they refuse.
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
  const meter = new UpstreamMeter();
  await prepareRequests(app, { ...options, meter, bodies: new BodyBudget() });
  const lines = new RequestLines(metrics);
  answerErrors(app, { ...options, lines });

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
  protectionRoute(app, options);
  frameRoutes(app, options);
  if (options.gallery !== undefined) galleryRoutes(app, options.gallery, gatewayDocument);
  policyRoutes(app, { ...options, lines });
  const auth = {
    tokens: options.integrity,
    persons,
    admission: options.admission,
    inspectHost: hostOf(inspectOrigin),
    clusterHost: hostOf(clusterOrigin),
  };
  admissionRoutes(app, options);
  authRoutes(app, auth);
  const attempts = new PairedAttempts();
  pairRoutes(app, link, { ...options, attempts, signIn: (subject) => signInFacts(auth, subject) });
  channelRoutes(app, link, { attempts, metrics, meter, lines });
  pollRoutes(app, link, metrics);
  await bodyRoutes(app, link);
  resourceRoutes(app, link);
  await pluginRequests(app, link, options.routes ?? []);
  directorRoutes(app, link);
  eventRoutes(app, metrics, options.events, new FaultLog(hostLog(log)));
  healthRoutes(app, options);
  return app;
}
