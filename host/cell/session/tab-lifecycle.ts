import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { AwakeReason } from '../page/keep-awake.ts';
import type { Tab } from '../tab/tab.ts';

/** Time after which the page of a tab whose client has fallen silent is frozen, in ms: the network may be back sooner. */
const SILENT_MS = 10_000;
/** Interval of the questions whether a page may be frozen by now, in ms. */
const ASK_AGAIN_MS = 60_000;

/** Functions of a session that the lifecycle of its tabs uses. */
interface TabLifecycleOptions {
  readonly tabs: ReadonlyMap<string, Tab>;
  /** Time after which the page of a hidden tab is frozen, in ms. */
  readonly freezeMs: number;
  /** Resolves once the window of the tab's page is hidden, and it is known where that is scrolled. */
  readonly hidden: (tab: Tab) => Promise<void>;
  readonly onChange: () => void;
  readonly log: Log;
}

/** State of the page of one tab. */
interface Rest {
  /** When the page was hidden; undefined while it is shown. */
  hiddenAt: number | undefined;
  /** Whether it was hidden here, and not by its person. */
  isHiddenHere: boolean;
  isFrozen: boolean;
  isAsking: boolean;
  askedAt: number;
}

/**
 * Freezes the pages that nobody looks at, and lets them go on: at once those that were left, after a time hidden ones, by the rules of
 * browsers. A frozen page runs no scripts and no timers, and loses nothing.
 */
export class TabLifecycle {
  readonly #options: TabLifecycleOptions;
  readonly #rests = new WeakMap<Tab, Rest>();

  constructor(options: TabLifecycleOptions) {
    this.#options = options;
  }

  /** Call it about once a second. */
  look(now = performance.now()): void {
    for (const tab of this.#options.tabs.values()) {
      const rest = this.#restOf(tab);
      if (tab.emulation.visible) rest.hiddenAt = undefined;
      else rest.hiddenAt ??= now;
      if (rest.isFrozen || rest.isAsking || !tab.sessions.page || !this.#isDue(tab, rest, now)) continue;
      rest.isAsking = true;
      rest.askedAt = now;
      void this.#freeze(tab, rest).finally(() => (rest.isAsking = false));
    }
  }

  isFrozen(tab: Tab): boolean {
    return this.#rests.get(tab)?.isFrozen ?? false;
  }

  /** The time since which nobody looks at a tab; undefined while somebody does. */
  unseenSince(tab: Tab): number | undefined {
    const { state, since } = tab.presence;
    return state === 'left' || state === 'silent' ? since : this.#rests.get(tab)?.hiddenAt;
  }

  /** Somebody comes to the tab, or looks at it: its page goes on. */
  wake(tab: Tab): void {
    const rest = this.#restOf(tab);
    rest.askedAt = -Infinity;
    if (rest.isHiddenHere) {
      rest.isHiddenHere = false;
      tab.show(true);
    }
    if (!rest.isFrozen) return;
    rest.isFrozen = false;
    this.#set(tab, 'active').catch(() => undefined); // the page is gone, and another runs
    this.#options.onChange();
  }

  /** The tab has another page, which runs. */
  replaced(tab: Tab): void {
    this.#rests.delete(tab);
  }

  /** A reason for which the page of a tab must not be frozen, or discarded, now. Never rejects. */
  reason(tab: Tab): Promise<AwakeReason | undefined> {
    return tab.awake.reason({
      hasActed: tab.gesture.actedAt > -Infinity,
      isHeard: tab.presence.state === 'attached',
      isFrozen: this.isFrozen(tab),
    });
  }

  #isDue(tab: Tab, rest: Rest, now: number): boolean {
    const { state, since } = tab.presence;
    const { freezeMs } = this.#options;
    const mayAsk = now - rest.askedAt >= Math.min(ASK_AGAIN_MS, freezeMs);
    if (state === 'left') return true;
    if (state === 'silent') return mayAsk && now - since >= Math.min(SILENT_MS, freezeMs);
    return state === 'attached' && mayAsk && rest.hiddenAt !== undefined && now - rest.hiddenAt >= freezeMs;
  }

  async #freeze(tab: Tab, rest: Rest): Promise<void> {
    const { page } = tab.sessions;
    const { state, since } = tab.presence;
    const isSame = (): boolean =>
      tab.sessions.page === page && tab.presence.since === since && tab.presence.state === state;
    try {
      if (state !== 'left' && ((await this.reason(tab)) !== undefined || !isSame())) return;
      if (tab.emulation.visible) {
        if (state === 'attached') return; // shown meanwhile
        rest.isHiddenHere = true;
        tab.show(false);
      }
      await this.#options.hidden(tab);
      if (!isSame() || tab.emulation.visible) return;
      rest.isFrozen = true;
      await this.#set(tab, 'frozen');
      this.#options.onChange();
    } catch (thrown) {
      rest.isFrozen = false;
      this.#set(tab, 'active').catch(() => undefined); // the page may have been frozen all the same
      this.#options.log.debug('page not frozen', { tab: tab.id, code: toAppError(thrown).code });
    }
  }

  async #set(tab: Tab, state: 'frozen' | 'active'): Promise<void> {
    await tab.sessions.page?.send('Page.setWebLifecycleState', { state });
  }

  #restOf(tab: Tab): Rest {
    const known = this.#rests.get(tab);
    if (known) return known;
    const rest: Rest = {
      hiddenAt: undefined,
      isHiddenHere: false,
      isFrozen: false,
      isAsking: false,
      askedAt: -Infinity,
    };
    this.#rests.set(tab, rest);
    return rest;
  }
}
