import { hooksToken, SLOTS, textsToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope, SlotContribution } from '../../../core/index.ts';
import { BannerText } from './banner-text.ts';
import { countDown } from './countdown.ts';

export interface BannerProps {
  readonly text: BannerText;
}

/** Path of the director's check whether the host accepts tabs (S-116). */
const CHECK_PATH = '/safeview-director/traffic-check';
const CHECK_TIMEOUT_MS = 10_000;
/** The host responds but does not know the session: a ping-404 in the specification. */
const PING_404 = 'session-not-found';
/** A tab that loses its session again within this time, in ms, waits before it reloads, to avoid an endless loop. */
const TWICE_MS = 15_000;
const LAST_KEY = 'last-reload';
/** Delay before the banner is loaded, in ms: it needs React, which must not compete with the page's own loading. */
const FILL_AFTER_MS = 3000;

const banner: SlotContribution<BannerProps> = { load: () => import('./banner.tsx'), order: -10 };

/**
 * Reloads a tab that has lost its session, while it is visible: at once if the host responds, otherwise after a countdown and a
 * check (S-033).
 */
export const activate: ActivateClient = (scope) => {
  const { reload_allowed, client_caps } = scope.session.pairing;
  const texts = scope.services.get(textsToken);
  const text = new BannerText();
  let isFilled = client_caps['enable_reconnect_banner'] !== true;
  const fill = (): void => {
    if (!isFilled) scope.slots.fill(SLOTS.banner, banner, { text });
    isFilled = true;
  };
  // Filled in advance, empty: nothing can be fetched when it is needed.
  const filling = setTimeout(fill, FILL_AFTER_MS);
  scope.onDispose(() => clearTimeout(filling));

  const comeBack = (why: string): void => {
    void scope.storage.set(LAST_KEY, Date.now()).finally(() => {
      scope.session.reload(why);
    });
  };
  const start = async (reason: string): Promise<void> => {
    if (reason === PING_404 && !(await isTwice(scope))) {
      comeBack(reason);
      return;
    }
    scope.onDispose(
      countDown({
        check: () => trafficCheck(scope),
        onTick: (seconds) => text.set(texts.text('ID_TC_RELOADING', { seconds })),
        onError: () => text.set(texts.text('ID_TC_RECONNECT_ERROR')),
        onGo: () => whenVisible(scope.signal, () => comeBack('reconnect')),
      }),
    );
  };
  scope.hooks.tap(scope.services.get(hooksToken).detached, ({ reason }) => {
    fill();
    if (reload_allowed) whenVisible(scope.signal, () => void start(reason));
    return undefined;
  });
};

/** Runs now, or once the tab becomes visible: a hidden tab stays detached. */
function whenVisible(signal: AbortSignal, run: () => void): void {
  if (!document.hidden) {
    run();
    return;
  }
  document.addEventListener('visibilitychange', run, { once: true, signal });
}

async function isTwice({ storage }: ClientScope): Promise<boolean> {
  const last = await storage.get(LAST_KEY).catch(() => undefined);
  return typeof last === 'number' && Date.now() - last < TWICE_MS;
}

async function trafficCheck({ events, session }: ClientScope): Promise<string> {
  try {
    const answer = await fetch(session.pairing.origin + CHECK_PATH, {
      cache: 'no-store',
      credentials: 'include',
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    const text = (await answer.text()).slice(0, 100);
    events.report('tc-service-check-done', { answer: text }, { force: true });
    return text;
  } catch (thrown) {
    const message = String(thrown);
    events.report('tc-service-check-failed', { why: message }, { level: 'warning', force: true });
    events.report('tc-server-call-failed', { label: 'traffic-check', message }, { level: 'warning', force: true }); // S-106
    throw thrown;
  }
}
