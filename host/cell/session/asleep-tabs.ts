import type { AsleepTab } from '../../cells/protocol.ts';
import { isOpenable } from '../../base/addresses.ts';
import type { Tab } from '../tab/tab.ts';
import type { PagePlace } from './discarded-tabs.ts';

/** Longest address that is kept, in UTF-16 units. */
const MAX_ADDRESS = 8192;

/** Addresses of tabs that have ended because nobody came back to them: their clients may still do so. */
export class AsleepTabs {
  readonly #max: number;
  readonly #tabs = new Map<string, AsleepTab>();

  /** `max`: number of tabs that are kept, the latest. */
  constructor(max: number) {
    this.#max = max;
  }

  get all(): readonly AsleepTab[] {
    return [...this.#tabs.values()];
  }

  add({ safeRid }: Tab, place: PagePlace): void {
    const tab = asleepTab(safeRid, place);
    if (!tab) return;
    this.#tabs.set(safeRid, tab);
    for (const first of this.#tabs.keys()) {
      if (this.#tabs.size <= this.#max) break;
      this.#tabs.delete(first);
    }
  }

  /** The tab of a client that comes back; once. */
  take(safeRid: string): AsleepTab | undefined {
    const tab = this.#tabs.get(safeRid);
    this.#tabs.delete(safeRid);
    return tab;
  }
}

/** A tab as it is kept without its page; undefined for one that cannot be opened again. */
function asleepTab(safeRid: string, { url, scroll }: PagePlace): AsleepTab | undefined {
  return url.length <= MAX_ADDRESS && isOpenable(url) ? { safeRid, url, ...scroll } : undefined;
}
