/**
 * One table of what third parties' halves, which run in threads, have of the scopes of halves: true, or the reason why not. A method that is
 * refused throws `not-permitted`, or `no-service`, with that reason.
 */
import { AppError } from '../../../core/protocol/errors.ts';
import type { RouteContext, RouteTab } from '../../contracts/routes.ts';
import type { Session, SessionScope, SessionSurrogate, SessionTab } from '../../contracts/session-scope.ts';
import type { HostScope } from '../../contracts/host-scope.ts';

type Given<T> = Readonly<Record<keyof T & string, true | string>>;

const NO_SERVICES = 'services are objects, which do not reach into threads, nor out of them';

const HOST: Given<HostScope> = {
  plugin: true,
  log: true,
  signal: true,
  onDispose: true,
  commands: true,
  page: true,
  frames: true,
  cdp: true,
  input: true,
  hooks: true,
  tab: true,
  service: true,
  options: true,
  records: true,
  services: NO_SERVICES,
};
const SESSION_SCOPE: Given<Omit<SessionScope, 'session' | 'surrogate'>> = {
  plugin: true,
  log: true,
  signal: true,
  onDispose: true,
  service: true,
  options: true,
  records: true,
  services: NO_SERVICES,
};
const SESSION: Given<Session> = {
  cid: true,
  person: true,
  policy: true,
  tabs: true,
  onOpened: true,
  onClosed: true,
};
const TAB: Given<SessionTab> = {
  id: true,
  url: true,
  policy: true,
  frames: true,
  originOf: true,
  isShown: true,
  gesture: true,
};
const SURROGATE: Given<SessionSurrogate> = {
  onRenewed: true,
  openExtensionPage: 'a page of our extension reaches all sites of the person',
  setPermission: "it holds for the whole browser: a site would be given what no tab's policy was asked about",
  tabsInWindow: 'the numbers of windows come from an extension half, which a plugin from outside does not have',
  onDownload: 'there is one listener for them, and files go through the checks of the build',
  stage: 'files for pages go through the checks of the build',
  mostStaged: 'it stages none',
  onExtensionCall: 'a plugin from outside has no extension half, whose calls these are',
};
const CONTEXT: Given<Omit<RouteContext, 'session'>> = {
  service: true,
  options: true,
  records: true,
  services: NO_SERVICES,
  tab: true,
};
const ROUTE_TAB: Given<Pick<RouteTab, 'service'>> = { service: NO_SERVICES };

/** The table, by scope. */
export const GIVEN = {
  'scope of a host half': HOST,
  'scope of a session half': SESSION_SCOPE,
  session: SESSION,
  'tab of a session': TAB,
  surrogate: SURROGATE,
  'context of a route': CONTEXT,
  'tab of a route': ROUTE_TAB,
} as const;

/** A method of the surrogate that is refused. */
export function refuseSurrogate(name: keyof SessionSurrogate): never {
  throw new AppError('not-permitted', `surrogate.${name} is not given to plugins from outside: ${SURROGATE[name]}`);
}

/** Services as halves in threads have them: none. */
export const NO_SERVICE: HostScope['services'] = {
  provide: (token) => {
    throw new AppError('no-service', `${token.name}: ${NO_SERVICES}`);
  },
  get: (token) => {
    throw new AppError('no-service', `${token.name}: ${NO_SERVICES}`);
  },
  find: () => undefined,
};
