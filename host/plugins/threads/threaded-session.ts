import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { validate } from '../../../core/protocol/message.ts';
import type { Route, RouteErrors, Routes } from '../../contracts/routes.ts';
import type { SessionScope } from '../../contracts/session-scope.ts';
import { addAccessMethods } from './access-methods.ts';
import { methodTable } from './method-table.ts';
import { addRouteMethods, ROUTE_DEADLINE_MS, routeFactsSchema } from './route-methods.ts';
import { runHalf } from './running-half.ts';
import type { HalfListener } from './running-half.ts';
import { addSessionMethods } from './session-methods.ts';
import type { SessionFiles } from './wire.ts';

/** The routes of a plugin, by method and path, and the HTTP statuses of its errors. */
export interface PluginRoutes {
  readonly routes: Routes;
  readonly errors: RouteErrors;
}

/** The same, and reported of the routes that the half answers from now on, for as long as it is active. */
export interface SessionHalfListener extends HalfListener {
  readonly onRoutes: (routes: PluginRoutes) => void;
}

/**
 * Makes the session half of the plugin in `folder`, and its routes, run in one thread for each person. What comes of it rejects when it
 * cannot be activated. `routeDeadlineMs`: see {@link ROUTE_DEADLINE_MS}.
 */
export function threadedSession(
  folder: string,
  files: SessionFiles,
  manifest: AnyManifest,
  routeDeadlineMs = ROUTE_DEADLINE_MS,
): (scope: SessionScope, listener: SessionHalfListener) => Promise<void> {
  return async (scope, listener) => {
    const { plugin, session, options, log } = scope;
    let route: Route | undefined;
    const reported = await runHalf({
      folder,
      node: manifest.permissions?.node ?? [],
      task: {
        kind: 'run-session',
        files,
        facts: { plugin, options, session: { cid: session.cid, person: session.person } },
      },
      log,
      onDispose: (undo) => scope.onDispose(undo),
      methods: (calls) => {
        const table = methodTable();
        addSessionMethods(table, scope, calls);
        addAccessMethods(table, scope, calls);
        route = addRouteMethods(table, calls, routeDeadlineMs);
        return table.methods;
      },
      listener,
    });
    const { routes, errors } = validate(routeFactsSchema, reported, `${plugin.id}: routes`);
    const answered = (manifest.routes ?? []).filter((name) => routes.includes(name));
    if (route)
      listener.onRoutes({ routes: Object.fromEntries(answered.map((name) => [name, route as Route])), errors }); // set above
  };
}
