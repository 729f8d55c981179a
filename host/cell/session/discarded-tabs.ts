import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { scrollBack, scrollPlace } from '../page/scroll-place.ts';
import type { ScrollPlace } from '../page/scroll-place.ts';
import type { Tab } from '../tab/tab.ts';

/** Functions of a session that its discarded tabs use. */
interface DiscardedTabsOptions {
  readonly tabs: ReadonlyMap<string, Tab>;
  readonly openPage: () => Promise<CdpSession>;
  readonly closePage: (page: CdpSession) => void;
  /** Continues a tab in another page. */
  readonly open: (tab: Tab, page: CdpSession, url: string) => void;
  readonly closeTab: (tab: Tab, reason: string) => void;
  readonly onChange: () => void;
  readonly log: Log;
}

/** Address of a page, and where it was scrolled to. */
export interface PagePlace {
  readonly url: string;
  readonly scroll: ScrollPlace;
}

/** Tabs without a page, to save memory: they come back at their address, scrolled where they were, when somebody looks at them. */
export class DiscardedTabs {
  readonly #options: DiscardedTabsOptions;
  /** Until their next page is there: one that comes late must not count as closed. */
  readonly #places = new Map<Tab, PagePlace>();
  /** Pages of discarded tabs: closing them may take longer than opening the next. */
  readonly #closing = new WeakSet<CdpSession>();
  readonly #returning = new WeakSet<Tab>();
  /** Where pages were scrolled when they were frozen. */
  readonly #noted = new WeakMap<CdpSession, ScrollPlace>();

  constructor(options: DiscardedTabsOptions) {
    this.#options = options;
  }

  has(tab: Tab): boolean {
    return this.#places.has(tab);
  }

  /** Keeps in mind where a page is scrolled that is about to be frozen: later it may be too slow to say so. Never rejects. */
  async note(page: CdpSession): Promise<void> {
    const place = await scrollPlace(page);
    if (place) this.#noted.set(page, place);
  }

  /** The address and place of a tab, discarded or not; the top where nobody knows better. Never rejects. */
  async placeOf(tab: Tab): Promise<PagePlace> {
    return this.#places.get(tab) ?? { url: urlOf(tab), scroll: (await this.#scrollOf(tab)) ?? { x: 0, y: 0 } };
  }

  /** Closes the page of a tab, if nobody has come to it when `mayStill` is asked. Never rejects. */
  async discard(tab: Tab, mayStill: () => boolean): Promise<boolean> {
    const { page } = tab.sessions;
    const scroll = await this.#scrollOf(tab);
    if (!page || tab.sessions.page !== page || this.#options.tabs.get(tab.id) !== tab || !mayStill()) return false;
    if (!scroll) return false; // it would come back elsewhere
    this.#places.set(tab, { url: urlOf(tab), scroll });
    this.#closing.add(page);
    this.#options.closePage(page);
    this.#options.log.info('tab discarded', { tab: tab.id });
    this.#options.onChange();
    return true;
  }

  /** The tab has ended. */
  forget(tab: Tab): void {
    this.#places.delete(tab);
  }

  /** Somebody looks at the tab. */
  bringBack(tab: Tab): void {
    const place = this.#places.get(tab);
    if (!place || this.#returning.has(tab)) return;
    this.#returning.add(tab);
    void this.#open(tab, place).finally(() => this.#returning.delete(tab));
  }

  async #scrollOf({ sessions: { page } }: Tab): Promise<ScrollPlace | undefined> {
    return page && ((await scrollPlace(page)) ?? this.#noted.get(page));
  }

  async #open(tab: Tab, { url, scroll }: PagePlace): Promise<void> {
    const { tabs, closePage, open, closeTab, onChange, log } = this.#options;
    try {
      const page = await this.#nextPage();
      const last = tab.sessions.page;
      const isElsewhere = last !== undefined && !this.#closing.has(last);
      if (isElsewhere) this.#places.delete(tab);
      if (isElsewhere || tabs.get(tab.id) !== tab) return closePage(page);
      tab.replaced('discarded');
      open(tab, page, tab.load.destination ?? url);
      this.#places.delete(tab);
      returnTo(tab, scroll);
      onChange();
    } catch (thrown) {
      log.error('discarded tab not restored', { tab: tab.id, error: toAppError(thrown).message });
      if (tabs.get(tab.id) === tab) closeTab(tab, 'not restored');
    }
  }

  /** Opens a page; where the browser is lost meanwhile, in the next one. @throws AppError as `openPage` */
  async #nextPage(): Promise<CdpSession> {
    const { openPage } = this.#options;
    try {
      return await openPage();
    } catch (thrown) {
      if (toAppError(thrown).code !== 'cdp-closed') throw thrown;
      return openPage();
    }
  }
}

/** The address that a tab would be opened at again. */
function urlOf(tab: Tab): string {
  return tab.load.destination ?? tab.url;
}

/** Scrolls the page of a tab back, unless the person acts in it, or has gone elsewhere. */
export function returnTo(tab: Tab, scroll: ScrollPlace): void {
  const { page } = tab.sessions;
  const now = performance.now();
  if (page) scrollBack(page, scroll, () => tab.sessions.page !== page || tab.gesture.actedAt > now);
}
