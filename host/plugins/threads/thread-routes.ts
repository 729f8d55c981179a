/** Routes of a plugin whose requests are answered in a thread: the thread's side. */
import { AppError } from '../../../core/protocol/errors.ts';
import type { ErrorRecord } from '../../../core/protocol/errors.ts';
import type { Route, RouteAnswer, RouteContext, RouteRequest, Routes } from '../../contracts/routes.ts';
import type { SessionScope } from '../../contracts/session-scope.ts';
import { NO_SERVICE } from './given.ts';
import type { RouteFacts } from './route-methods.ts';
import { Accompanied, followed, STREAM } from './thread-bodies.ts';
import { threadTab } from './thread-session.ts';
import type { ThreadWire } from './thread-wire.ts';
import { errorOf } from './wire.ts';

/** Facts of what a file of routes exports, which the host checks. @throws AppError `bad-plugin` */
export function routeFacts(file: string, { routes = {}, errors = {} }: Readonly<Record<string, unknown>>): RouteFacts {
  const all = Object.entries(Object(routes) as Record<string, unknown>); // whatever it is
  if (all.some(([, route]) => typeof route !== 'function'))
    throw new AppError('bad-plugin', `${file}: routes: functions by method and path`);
  return { routes: all.map(([name]) => name), errors: errors as RouteFacts['errors'] }; // the host checks it
}

/** Answers the requests that the host passes on, until the thread ends. */
export function serveRoutes(
  wire: ThreadWire,
  routes: Routes,
  { session, service, options, records }: SessionScope,
): void {
  /** Requests that are being answered, bodies of answers included. */
  const requests = new Map<number, (reason?: AppError) => void>();

  const contextOf = (request: number): RouteContext => ({
    session,
    service,
    options,
    records,
    services: NO_SERVICE,
    tab: ({ cid, rid, tabId }) => ({
      ...threadTab(wire, wire.sync('routes.tab', request, cid, rid, tabId) as string), // the host's own
      service: () => undefined,
    }),
  });
  const answer = async ([number, head]: readonly unknown[], body: number): Promise<Accompanied> => {
    const id = number as number; // the host's own, as is the head
    const request = head as Omit<RouteRequest, 'body' | 'signal'>;
    const abort = new AbortController();
    const stream = wire.bodies.stream(body);
    /** `reason`: nobody waits for the answer any more. */
    const over = (reason?: AppError): void => {
      requests.delete(id);
      stream.cancel(); // what is left of it
      if (reason) abort.abort(reason);
    };
    const left = (): void => over(new AppError('request-closed', 'nobody reads the answer any more'));
    requests.set(id, over);
    try {
      const name = `${request.method} ${request.path}`;
      const route: Route | undefined = Object.hasOwn(routes, name) ? routes[name] : undefined;
      if (!route) throw new AppError('policy-refused', 'There is no such route.');
      const asked = { ...request, body: stream, signal: abort.signal };
      const { body: given, ...facts } = bodied(name, await route(asked, contextOf(id)));
      const sent = ArrayBuffer.isView(given) ? given : followed(given, (isComplete) => (isComplete ? over() : left()));
      return new Accompanied(facts, sent, STREAM, abort.signal);
    } catch (thrown) {
      over();
      throw thrown;
    }
  };
  const answering = wire.register(answer);
  // Null: the answer is complete. All of it is the host's own.
  const aborting = wire.register(([number, reason]) =>
    requests.get(number as number)?.(reason === null ? undefined : errorOf(reason as ErrorRecord)),
  );
  wire.sync('routes.serve', answering, aborting);
}

/** An answer that has a body, of whatever kind. @throws AppError `bad-answer` */
function bodied(name: string, answer: RouteAnswer): RouteAnswer {
  const { body } = Object(answer) as { readonly body?: unknown }; // of a third party's making
  const isBody =
    body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body);
  if (!isBody) throw new AppError('bad-answer', `${name}: the answer has no body of bytes`);
  return answer;
}
