import type { Log } from '../../../core/contracts/scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { DiscardedTabs } from './discarded-tabs.ts';
import type { PagePlace } from './discarded-tabs.ts';
import type { SessionBrowser } from './session-browser.ts';
import { TabLifecycle } from './tab-lifecycle.ts';

/** Functions of a session that {@link TabRest} uses. */
interface TabRestOptions {
  readonly tabs: ReadonlyMap<string, Tab>;
  /** Time after which the page of a hidden tab is frozen, in ms. */
  readonly freezeMs: number;
  readonly browser: SessionBrowser;
  /** Continues a tab in another page. */
  readonly open: (tab: Tab, page: CdpSession, url: string) => void;
  readonly closeTab: (tab: Tab, reason: string) => void;
  readonly onChange: () => void;
  readonly log: Log;
}

/** Tabs of a session by what becomes of their pages while nobody looks. */
interface RestCounts {
  readonly hidden: number;
  readonly left: number;
  readonly frozen: number;
  readonly discarded: number;
}

/** Time without anybody after which a tab may be discarded, in ms: it was not just left for a moment. */
const DISCARD_AFTER_MS = 10_000;
/** Time after the last page was frozen until the browser gives back memory, in ms: a reload is over sooner. */
const TRIM_AFTER_MS = 5000;
/** Interval at which the browser gives back memory while nobody looks at any of its pages, in ms. */
const TRIM_EVERY_MS = 5 * 60_000;

/** The pages of a session's tabs while nobody looks at them: hidden, frozen, discarded, and brought back. */
export class TabRest {
  readonly #options: TabRestOptions;
  readonly #lifecycle: TabLifecycle;
  readonly #discarded: DiscardedTabs;
  #isDiscarding = false;
  /** When the browser shall give back memory next; undefined while a page runs. */
  #trimAt: number | undefined;

  constructor(options: TabRestOptions) {
    const { browser } = options;
    this.#options = options;
    this.#lifecycle = new TabLifecycle({
      ...options,
      hidden: async ({ sessions: { page } }) => {
        if (!page) return;
        await Promise.all([browser.targets?.show(page, false), this.#discarded.note(page)]);
      },
    });
    this.#discarded = new DiscardedTabs({
      ...options,
      openPage: () => browser.openPage(),
      closePage: (page) => browser.closePage(page),
    });
  }

  /** Freezes what is due. Call it about once a second. */
  look(): void {
    this.#lifecycle.look();
    this.#trim();
  }

  /** Somebody comes to a tab, or looks at it. */
  wake(tab: Tab): void {
    this.#lifecycle.wake(tab);
    this.#discarded.bringBack(tab);
  }

  /** The tab has another page. */
  replaced(tab: Tab): void {
    this.#lifecycle.replaced(tab);
  }

  /** The tab has ended. */
  forget(tab: Tab): void {
    this.#discarded.forget(tab);
  }

  isDiscarded(tab: Tab): boolean {
    return this.#discarded.has(tab);
  }

  /** The address and place of a tab. Never rejects. */
  placeOf(tab: Tab): Promise<PagePlace> {
    return this.#discarded.placeOf(tab);
  }

  /** Memory is short: discards the page that nobody has looked at for the longest time and that loses nothing by it. Never rejects. */
  async relieve(): Promise<boolean> {
    if (this.#isDiscarding) return false;
    this.#isDiscarding = true;
    try {
      const before = performance.now() - Math.min(DISCARD_AFTER_MS, this.#options.freezeMs);
      const unseen = [...this.#options.tabs.values()].flatMap((tab) => {
        const since = this.#lifecycle.unseenSince(tab);
        return since !== undefined && since < before && tab.sessions.page && !this.#discarded.has(tab)
          ? [{ tab, since }]
          : [];
      });
      for (const { tab, since } of unseen.sort((one, other) => one.since - other.since)) {
        if ((await this.#lifecycle.reason(tab)) !== undefined) continue;
        if (await this.#discarded.discard(tab, () => this.#lifecycle.unseenSince(tab) === since)) return true;
      }
      this.#options.browser.trim();
      return false;
    } finally {
      this.#isDiscarding = false;
    }
  }

  counts(): RestCounts {
    const tabs = [...this.#options.tabs.values()];
    const are = (is: (tab: Tab) => boolean): number => tabs.filter(is).length;
    return {
      hidden: are(({ presence, emulation }) => presence.state === 'attached' && !emulation.visible),
      left: are(({ presence: { state } }) => state === 'left' || state === 'silent'),
      frozen: are((tab) => this.#lifecycle.isFrozen(tab) && !this.#discarded.has(tab)),
      discarded: are((tab) => this.#discarded.has(tab)),
    };
  }

  /** Has the browser give back memory once all its pages have been frozen for a moment, and from time to time while they stay so. */
  #trim(): void {
    const tabs = [...this.#options.tabs.values()];
    const isAtRest = tabs.length > 0 && tabs.every((tab) => this.#lifecycle.isFrozen(tab) || this.#discarded.has(tab));
    const now = performance.now();
    if (!isAtRest) this.#trimAt = undefined;
    else if ((this.#trimAt ??= now + TRIM_AFTER_MS) <= now) {
      this.#trimAt = now + TRIM_EVERY_MS;
      this.#options.browser.trim();
    }
  }
}
