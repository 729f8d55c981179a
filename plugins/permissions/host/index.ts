import type { ActivateHost, Frame, PermissionSetting } from '../../../host/plugin.ts';
import {
  pageAnswer,
  pageAsks,
  perm,
  permissionRequest,
  permissionsOver,
  POSITION_ERROR,
  promiseResponse,
} from '../protocol.ts';
import type { PermissionRequest, PromiseOutcome } from '../protocol.ts';

const MAIN_FRAME = 1;
/** Calls of a page that may wait for one answer. */
const MAX_WAITING = 100;

/**
 * Has pages know where the person is: only where the policy lets them ask and the person has allowed it, and only the page's own origin.
 * Everything else that a person would have to grant is refused by the surrogate itself.
 */
export const activate: ActivateHost = (scope) => {
  const { commands, page, hooks, tab, frames, cdp } = scope;
  /** What the person has decided, by origin. */
  const decided = new Map<string, 'granted' | 'denied'>();
  /** What the surrogate tells pages, by origin, where that is not `denied`. */
  const told = new Map<string, PermissionSetting>();
  /** What the client is at. */
  let current: { readonly request: PermissionRequest; readonly origin: string } | undefined;
  let waiting: { readonly frame: number; readonly id: number }[] = [];
  let isPlaced = false;
  let last = 0;

  const isSupported = (): boolean => tab.policy().permissions.geolocation;
  const quietly = (what: Promise<unknown>): void => {
    what.catch((thrown: unknown) => scope.log.info('a permission could not be set', { reason: String(thrown) }));
  };
  /** Has the surrogate tell pages of an origin what holds for them. */
  const tell = async (origin: string): Promise<void> => {
    const setting = isSupported() && isWeb(origin) ? (decided.get(origin) ?? 'prompt') : 'denied';
    if (setting === (told.get(origin) ?? 'denied')) return;
    told.set(origin, setting);
    await tab.permit?.('geolocation', origin, setting);
  };
  const answer = (): void => {
    for (const { frame, id } of waiting.splice(0)) page.send(frame, pageAnswer, { id });
  };
  /** The page is gone, or may not be told any more. */
  const over = (): void => {
    waiting = [];
    if (current) commands.send(permissionsOver, undefined);
    current = undefined;
    if (isPlaced) quietly(cdp.send(0, 'Emulation.clearGeolocationOverride'));
    isPlaced = false;
  };
  const ask = (origin: string, stays: boolean): void => {
    const isGiven = decided.get(origin) === 'granted';
    const site = (URL.parse(origin)?.host ?? '').slice(0, 300);
    current = { request: { id: ++last, name: 'geolocation', site, isGiven, stays }, origin };
    commands.send(permissionRequest, current.request);
  };
  const decide = async (origin: string, decision: 'granted' | 'denied'): Promise<void> => {
    decided.set(origin, decision);
    await tell(origin);
    if (decision === 'denied') answer();
  };
  const place = async (origin: string, outcome: PromiseOutcome): Promise<void> => {
    if (!outcome.ok && outcome.code === POSITION_ERROR.permissionDenied) {
      await decide(origin, 'denied');
      return;
    }
    isPlaced = true;
    // Without a position, the page is told that there is none.
    await cdp.send(0, 'Emulation.setGeolocationOverride', outcome.ok ? outcome.value : {});
    answer();
  };

  page.handle(pageAsks, ({ id, stays }, frame) => {
    const { origin } = frame;
    if (!isSupported() || !isPages(frame, frames.get(MAIN_FRAME)) || decided.get(origin) === 'denied') {
      page.send(frame.id, pageAnswer, { id });
      return;
    }
    if (waiting.length >= MAX_WAITING) return;
    const isNews = waiting.length === 0;
    waiting.push({ frame: frame.id, id });
    const isAtIt = current?.origin === origin && (current.request.stays || !stays);
    if (current?.origin === origin && isAtIt && isPlaced && current.request.stays) answer();
    else if (isNews || !current) ask(origin, stays || current?.request.stays === true);
  });
  commands.handle(perm, async ({ id, granted }) => {
    if (current?.request.id !== id || current.request.isGiven) return;
    const { origin } = current;
    if (!granted) current = undefined;
    await decide(origin, granted ? 'granted' : 'denied');
  });
  commands.handle(promiseResponse, async ({ id, outcome }) => {
    if (current?.request.id !== id || decided.get(current.origin) !== 'granted' || !isSupported()) return;
    await place(current.origin, outcome);
  });

  // As early as it is known where the page goes: its first script may ask what it is granted.
  cdp.on('Page.frameStartedNavigating', ({ frameId, url }) => {
    if (cdp.frameOf(frameId) === MAIN_FRAME) quietly(tell(URL.parse(url)?.origin ?? 'null'));
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== MAIN_FRAME || sameDocument) return;
    over();
    quietly(tell(frames.get(MAIN_FRAME)?.origin ?? 'null'));
  });
  hooks.tap(tab.hooks.replaced, () => {
    isPlaced = false;
    told.clear(); // another browser, perhaps
    over();
  });
  hooks.tap(tab.hooks.policyChanged, () => {
    for (const origin of [...told.keys(), frames.get(MAIN_FRAME)?.origin ?? 'null']) quietly(tell(origin));
    if (isSupported()) return;
    answer(); // with no
    over();
  });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh || !current) return;
    const { origin, request } = current;
    ask(origin, request.stays);
  });
  scope.onDispose(() => {
    for (const origin of told.keys()) quietly(tab.permit?.('geolocation', origin, 'denied') ?? Promise.resolve());
  });
};

const isWeb = (origin: string): boolean => /^https?:\/\//.test(origin);

/** Frames of other sites would be asked for in the page's name. */
function isPages({ origin }: Frame, main: Frame | undefined): boolean {
  return isWeb(origin) && origin === main?.origin;
}
