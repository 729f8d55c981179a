import type { ActivateHost, Frame } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { geolocationToken } from './origin-permissions.ts';
import {
  pageAnswer,
  pageAsks,
  pageClears,
  perm,
  permissionRequest,
  permissionsOver,
  POSITION_ERROR,
  promiseResponse,
} from '../protocol.ts';
import type { PermissionRequest, PromiseOutcome } from '../protocol.ts';

const MAIN_FRAME = 1;
/** Calls of a page that are kept in mind at once: what exceeds that is not answered. */
const MAX_CALLS = 1000;

/** A call of the page that waits, or a watch. */
interface Call {
  readonly frame: number;
  readonly id: number;
  readonly stays: boolean;
  waits: boolean;
}

/** What the client is at. */
interface Current {
  readonly request: PermissionRequest;
  readonly origin: string;
  /** It has told a position, or that there is none. */
  hasTold: boolean;
}

/**
 * Has pages know where the person is: only where the policy lets them ask and the person has allowed it, and only the page's own origin.
 * Everything else that a person would have to grant is refused by the surrogate itself.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, page, hooks, tab, frames, cdp } = scope;
  const geolocation = scope.services.get(geolocationToken).of(tab.id);
  const calls = new Map<string, Call>();
  let current: Current | undefined;
  let isPlaced = false;
  let last = 0;

  const isSupported = (): boolean => tab.policy().permissions.geolocation;
  const pageOrigin = (): string => frames.get(MAIN_FRAME)?.origin ?? 'null';
  const quietly = (what: Promise<unknown>): void => {
    what.catch((thrown: unknown) => scope.log.info('a permission could not be set', { reason: String(thrown) }));
  };
  const letAsk = (...origins: string[]): void =>
    quietly(geolocation.letAsk(isSupported() ? origins.filter(isWeb) : []));
  const reply = (frame: number, id: number, isRefused = false): void => page.send(frame, pageAnswer, { id, isRefused });
  const answer = (isRefused?: boolean): void => {
    for (const [key, call] of calls) {
      if (call.waits) reply(call.frame, call.id, isRefused);
      if (call.stays) call.waits = false;
      else calls.delete(key);
    }
  };
  /** Has the client be at what the page wants to know now, and at nothing else. */
  const update = (): void => {
    const origin = pageOrigin();
    const isGiven = geolocation.decision(origin) === 'granted';
    const stays = [...calls.values()].some((call) => call.stays);
    if (calls.size === 0) {
      if (current) commands.send(permissionsOver, undefined);
      current = undefined;
    } else if (!current || (isGiven && stays && !current.request.stays)) {
      const site = (URL.parse(origin)?.host ?? '').slice(0, 300);
      current = { request: { id: ++last, name: 'geolocation', site, isGiven, stays }, origin, hasTold: false };
      commands.send(permissionRequest, current.request);
    }
  };
  const drop = (isOver: (call: Call) => boolean): void => {
    for (const [key, call] of calls) if (isOver(call)) calls.delete(key);
    update();
  };
  /** The page is gone, or may not be told any more. */
  const over = (): void => {
    drop(() => true);
    if (isPlaced) quietly(cdp.send(0, 'Emulation.clearGeolocationOverride'));
    isPlaced = false;
  };
  const refuse = (): void => {
    answer(true);
    over();
  };
  const deny = async (asked: Current): Promise<void> => {
    await geolocation.decide(asked.origin, 'denied');
    if (current !== asked) return;
    answer(); // by the browser, which refuses
    over();
  };
  const place = async (told: Current, outcome: PromiseOutcome): Promise<void> => {
    isPlaced = true;
    // Without a position, the page is told that there is none.
    await cdp.send(0, 'Emulation.setGeolocationOverride', outcome.ok ? outcome.value : {});
    if (current !== told) return;
    told.hasTold = true;
    if (!told.request.stays) current = undefined;
    answer();
    update();
  };

  page.handle(pageAsks, ({ id, stays }, frame) => {
    if (!isPages(frame, frames.get(MAIN_FRAME))) reply(frame.id, id, true);
    else if (!isSupported() || geolocation.decision(frame.origin) === 'denied') reply(frame.id, id);
    else if (calls.size < MAX_CALLS) {
      calls.set(keyOf(frame.id, id), { frame: frame.id, id, stays, waits: true });
      if (current?.request.stays && current.hasTold) answer();
      update();
    }
  });
  page.handle(pageClears, ({ id }, frame) => {
    calls.delete(keyOf(frame.id, id));
    update();
  });
  commands.handle(perm, async ({ id, granted }) => {
    if (current?.request.id !== id || current.request.isGiven) return;
    if (!granted) return deny(current);
    await geolocation.decide(current.origin, 'granted');
    update();
  });
  commands.handle(promiseResponse, async ({ id, outcome }) => {
    if (current?.request.id !== id || !isSupported()) return;
    const isRefused = !outcome.ok && outcome.code === POSITION_ERROR.permissionDenied;
    const decision = geolocation.decision(current.origin);
    if (decision === 'granted' && !isRefused) await place(current, outcome);
    else if (decision) await deny(current); // by this browser, or in another tab
  });

  // As early as it is known where the page goes: its first script may ask what it is granted.
  cdp.on('Page.frameStartedNavigating', ({ frameId, url }) => {
    if (cdp.frameOf(frameId) === MAIN_FRAME) letAsk(pageOrigin(), URL.parse(url)?.origin ?? 'null');
  });
  const gone = (frame: number): void => {
    if (frame === MAIN_FRAME) over();
    else drop((call) => call.frame === frame);
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (sameDocument) return;
    gone(frame);
    if (frame === MAIN_FRAME) letAsk(pageOrigin());
  });
  frames.onGone(gone);
  hooks.tap(tab.hooks.replaced, () => {
    isPlaced = false;
    over();
  });
  hooks.tap(tab.hooks.policyChanged, () => {
    letAsk(pageOrigin());
    if (!isSupported()) refuse();
  });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    current = undefined;
    update();
  });
  scope.onDispose(() => {
    quietly(geolocation.letAsk([]));
    refuse();
  });
};

const keyOf = (frame: number, id: number): string => `${frame} ${id}`;

const isWeb = (origin: string): boolean => /^https?:\/\//.test(origin);

/** Frames of other sites would be asked for in the page's name. */
function isPages({ origin }: Frame, main: Frame | undefined): boolean {
  return isWeb(origin) && origin === main?.origin;
}
