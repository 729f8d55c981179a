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
/** Maximum number of pending calls of a page. Further calls are not answered. */
const MAX_CALLS = 1000;

/** A pending call of the page, or a watch. */
interface Call {
  readonly frame: number;
  readonly id: number;
  readonly stays: boolean;
  waits: boolean;
}

/** The client's current request. */
interface Current {
  readonly request: PermissionRequest;
  readonly origin: string;
  /** Whether it has reported a position or its absence. */
  hasReported: boolean;
}

/**
 * Gives pages the person's location: only where the policy allows requests and the person has agreed, and only for the page's own origin.
 * The surrogate itself denies everything else that needs a permission.
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
  /** Updates the client's request to the page's current calls. */
  const update = (): void => {
    const origin = pageOrigin();
    const isGiven = geolocation.decision(origin) === 'granted';
    const stays = [...calls.values()].some((call) => call.stays);
    if (calls.size === 0) {
      if (current) commands.send(permissionsOver, undefined);
      current = undefined;
    } else if (!current || (isGiven && stays && !current.request.stays)) {
      const site = (URL.parse(origin)?.host ?? '').slice(0, 300);
      current = { request: { id: ++last, name: 'geolocation', site, isGiven, stays }, origin, hasReported: false };
      commands.send(permissionRequest, current.request);
    }
  };
  const drop = (isOver: (call: Call) => boolean): void => {
    for (const [key, call] of calls) if (isOver(call)) calls.delete(key);
    update();
  };
  /** The page was closed, or has lost its permission. */
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
    answer(); // the browser denies it
    over();
  };
  const place = async (asked: Current, outcome: PromiseOutcome): Promise<void> => {
    isPlaced = true;
    // Without a position, the page gets the error that there is none.
    await cdp.send(0, 'Emulation.setGeolocationOverride', outcome.ok ? outcome.value : {});
    if (current !== asked) return;
    asked.hasReported = true;
    if (!asked.request.stays) current = undefined;
    answer();
    update();
  };

  page.handle(pageAsks, ({ id, stays }, frame) => {
    if (!isPages(frame, frames.get(MAIN_FRAME))) reply(frame.id, id, true);
    else if (!isSupported() || geolocation.decision(frame.origin) === 'denied') reply(frame.id, id);
    else if (calls.size < MAX_CALLS) {
      calls.set(keyOf(frame.id, id), { frame: frame.id, id, stays, waits: true });
      if (current?.request.stays && current.hasReported) answer();
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

  // As soon as the destination is known: the page's first script may query its permissions.
  cdp.on('Page.frameStartedNavigating', ({ frameId, url }) => {
    if (cdp.frameOf(frameId) === MAIN_FRAME) letAsk(pageOrigin(), URL.parse(url)?.origin ?? 'null');
  });
  const dropFrame = (frame: number): void => {
    if (frame === MAIN_FRAME) over();
    else drop((call) => call.frame === frame);
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (sameDocument) return;
    dropFrame(frame);
    if (frame === MAIN_FRAME) letAsk(pageOrigin());
  });
  frames.onGone(dropFrame);
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

/** Whether a frame has the page's origin. Frames of other sites would be asked for under the page's name. */
function isPages({ origin }: Frame, main: Frame | undefined): boolean {
  return isWeb(origin) && origin === main?.origin;
}
