import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, FrameLocator, Page } from 'playwright/test';

/** Interval in which a tab is asked for its history that is between two processes, in ms. */
const AGAIN_MS = 50;

/** An entry of a tab's history, as the person sees it in the menu of the back button. */
interface SeenEntry {
  readonly address: string;
  /** Empty for a page that could not be shown: browsers differ in it. */
  readonly title: string;
}

/** A tab as a person sees it: the same whether the page is opened directly or through the product. */
export interface SeenTab {
  readonly address: string;
  /** The entries since the walk has begun, and which of them is shown. */
  readonly entries: readonly SeenEntry[];
  readonly at: number;
  /** The page's words of itself: the text of its `#at`; empty where there is none. */
  readonly text: string;
}

/** A tab of the person in which a walk is done. */
export class WalkingTab {
  readonly page: Page;
  /** The page as it is opened directly, or its mirrored main frame. */
  readonly frame: Page | FrameLocator;
  readonly #prefix: string;
  #first = 0;
  #session: Promise<CDPSession> | undefined;

  /** `prefix`: the part of an address that is the product's. */
  constructor(page: Page, frame: Page | FrameLocator, prefix: string) {
    this.page = page;
    this.frame = frame;
    this.#prefix = prefix;
  }

  /** The walk begins in the current entry. */
  async begin(): Promise<void> {
    this.#first = (await this.#history()).currentIndex;
  }

  async click(selector: string): Promise<void> {
    await this.frame.locator(selector).click();
  }

  /** Goes through the history by the browser's own means, several entries at once where the distance is so. */
  async go(distance: number): Promise<void> {
    const { currentIndex, entries } = await this.#history();
    const entryId = entries[currentIndex + distance]?.id;
    if (entryId === undefined) throw new Error(`there is no entry ${distance} from here`);
    await (await this.#cdp()).send('Page.navigateToHistoryEntry', { entryId });
  }

  async seen(): Promise<SeenTab> {
    const { currentIndex, entries } = await this.#history();
    const shown = entries.map(({ url, title }) => {
      const address = url.startsWith(this.#prefix) ? url.slice(this.#prefix.length) : url;
      return { address, title: title === URL.parse(address)?.host ? '' : title };
    });
    const isFailed = (await this.page.getByRole('alert').count()) > 0;
    const texts = await this.frame
      .locator('#at')
      .allTextContents()
      .catch(() => []); // it is between two documents
    return {
      address: shown[currentIndex]?.address ?? '',
      entries: shown.slice(this.#first),
      at: currentIndex - this.#first,
      text: isFailed ? '' : texts.join(),
    };
  }

  /** Whether a page that is opened directly says so of itself, and the browser's history has its address and title; an error page says nothing. */
  async shows(text: string): Promise<boolean> {
    const { address, entries, at, text: said } = await this.seen();
    if (said !== text) return false;
    if (text === '') return this.page.url().startsWith('chrome-error:');
    const found = await this.page.evaluate(() => [location.href, document.title] as const).catch(() => undefined); // it is between two documents
    return found?.[0] === address && found[1] === entries[at]?.title;
  }

  /** A tab that changes to another process has no history for a moment. */
  async #history() {
    const session = await this.#cdp();
    for (;;) {
      try {
        return await session.send('Page.getNavigationHistory');
      } catch (thrown) {
        if (!String(thrown).includes('Not attached')) throw thrown;
        await delay(AGAIN_MS);
      }
    }
  }

  #cdp(): Promise<CDPSession> {
    return (this.#session ??= this.page.context().newCDPSession(this.page));
  }
}
