/** Contract of a plugin's routes below `/r/`: requests of the person's browser that the gateway passes to the cell. */
import type { Services } from '../../core/contracts/scope.ts';
import type { Token } from '../../core/contracts/token.ts';
import type { HostAccess } from './host-access.ts';
import type { Session, SessionTab } from './session-scope.ts';

/** Types of bodies that answers may have: none of them runs or styles anything. */
export const ROUTE_TYPES = [
  'application/octet-stream',
  'application/json',
  'application/pdf',
  'application/zip',
  'text/plain; charset=utf-8',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
] as const;
type RouteType = (typeof ROUTE_TYPES)[number];

/** Statuses of answers. 416: the requested part does not exist. */
export const ROUTE_STATUSES = [200, 201, 202, 204, 206, 416] as const;
type RouteStatus = (typeof ROUTE_STATUSES)[number];

/** A request to a route: all of it is untrusted. */
export interface RouteRequest {
  readonly method: 'GET' | 'POST';
  /** As the manifest has it. */
  readonly path: string;
  /** Remaining path of a route that ends with `/*`, decoded; empty for others. */
  readonly rest: string;
  /** The last value of each name. */
  readonly query: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  /** Headers `Range` and `If-Range` (RFC 9110), as they are. */
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  /** Read it as it comes, or not at all. Iteration throws once it is longer than {@link MAX_ROUTE_BODY_BYTES}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Largest body of a request, in bytes. */
export const MAX_ROUTE_BODY_BYTES = 256 * 1024 * 1024;

/** An answer: never shown as a document of our origin, never kept by the browser. */
export interface RouteAnswer {
  /** 200 unless given. */
  readonly status?: RouteStatus;
  readonly type: RouteType;
  /** Name under which the browser saves it: any text without control characters and path separators, of at most 255 units. */
  readonly filename?: string;
  /** Number of bytes of the body, where it is known: the browser then notices a body that is cut. */
  readonly size?: number;
  /** The part of a larger whole, in bytes, `last` included; with status 206. `total` is absent while it still grows. */
  readonly part?: { readonly first: number; readonly last: number; readonly total?: number };
  /** Names the content: a strong entity tag without its quotes, of letters, digits, `-` and `_`. With it the browser may ask for parts. */
  readonly tag?: string;
  /** A stream is read as fast as the browser takes it; what it throws ends the answer. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** A tab that has the plugin, as its routes see it. */
export interface RouteTab extends SessionTab {
  /** A service of the tab. */
  service<T>(token: Token<T>): T | undefined;
}

/** Names of a tab as its client knows it. */
export interface RouteTabNames {
  readonly cid: string;
  readonly rid: string;
  readonly tabId: string;
}

/** The session of the person who asks, and access of the plugin whose route it is. */
export interface RouteContext extends HostAccess {
  readonly session: Session;
  /** Services of the session. */
  readonly services: Pick<Services, 'get' | 'find'>;
  /** One of the person's tabs. @throws AppError `session-not-found`, `policy-refused` when it does not have the plugin. */
  tab(names: RouteTabNames): RouteTab;
}

/**
 * Answers a request. It is called only while a tab of the session has the plugin. The HTTP status of an AppError is that which `errors`
 * has for its code, or the core's own; 500, without its message, for what neither has.
 */
export type Route = (request: RouteRequest, context: RouteContext) => RouteAnswer | Promise<RouteAnswer>;

/**
 * `host/routes.ts` exports `routes`: by method and path, such as `GET /r/print`, each of which the manifest names. A path that ends with `/*`
 * is that of all below it.
 */
export type Routes = Readonly<Record<string, Route>>;

/** `host/routes.ts` may export `errors`: HTTP statuses, 400 to 599, by the codes of the plugin's errors. */
export type RouteErrors = Readonly<Record<string, number>>;
