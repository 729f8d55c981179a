import { AppError, toAppError } from '../../core/protocol/errors.ts';
import type { RouteAnswer, RouteContext, RouteErrors, RouteRequest, RouteTabNames } from '../contracts/routes.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import type { HostAccessOf } from '../plugins/host-access.ts';
import type { PersonSession } from './session/person-session.ts';
import type { Tab } from './tab/tab.ts';

/** Outcome of a request to a route; without a status the core's own for the code applies. */
export type RouteOutcome =
  { readonly answer: RouteAnswer } | { readonly error: AppError; readonly status: number | undefined };

/** Passes a request to the plugin that owns its route. Never rejects. */
export async function answerRoute(
  session: PersonSession,
  request: RouteRequest,
  accessOf: HostAccessOf,
): Promise<RouteOutcome> {
  let errors: RouteErrors = {};
  try {
    const name = `${request.method} ${request.path}`;
    const owner = ownerOf(name, session.tabs.values());
    const { routes, errors: statuses } = session.plugins.routesOf(owner);
    errors = statuses;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (!route) throw refused();
    return { answer: await route(request, contextOf(session, owner, accessOf)) };
  } catch (thrown) {
    const error = toAppError(thrown);
    return { error, status: Object.hasOwn(errors, error.code) ? errors[error.code] : undefined };
  }
}

/** The plugin of a tab that has a route. @throws AppError `session-not-found`, `policy-refused` */
function ownerOf(route: string, tabs: Iterable<Tab>): RegisteredPlugin {
  const all = [...tabs];
  if (all.length === 0) throw notFound();
  for (const { plugins } of all) {
    const owner = plugins.find(({ manifest }) => manifest.routes?.includes(route));
    if (owner) return owner;
  }
  throw refused();
}

function contextOf(session: PersonSession, owner: RegisteredPlugin, accessOf: HostAccessOf): RouteContext {
  const services = session.plugins.services;
  return {
    session: session.seen,
    services: { get: (token) => services.get(token), find: (token) => services.find(token) },
    ...accessOf(owner.manifest),
    tab: ({ cid, rid, tabId }: RouteTabNames) => {
      const tab = session.cid === cid ? session.tabs.get(tabId) : undefined;
      const seen = tab && session.seenAs(tab);
      if (!seen || tab.rid !== rid) throw notFound();
      if (!tab.plugins.includes(owner)) throw refused();
      return { ...seen, service: (token) => tab.service(token) };
    },
  };
}

const notFound = (): AppError => new AppError('session-not-found', 'There is no such session.');
const refused = (): AppError => new AppError('policy-refused', 'The policy does not allow this.');
