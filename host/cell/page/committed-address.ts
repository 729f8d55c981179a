import { setTimeout as delay } from 'node:timers/promises';
import { BLANK, withoutCredentials } from '../../base/addresses.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { PageSessions } from './page-sessions.ts';

/** Maximum length of an address that is kept. */
const MAX_URL = 65_536;
/** A page that changes to another process has no history for a moment: delay before it is asked again, in ms, and how often. */
const AGAIN_MS = 50;
const MAX_TIMES = 40;
/** Events after which the browser may know another address. They are only a reason to ask. */
const REASONS = [
  'Page.frameNavigated',
  'Page.navigatedWithinDocument',
  'Page.frameStoppedLoading',
  'Target.targetInfoChanged',
] as const;

/** The entry of the history that a page is in. */
interface Entry {
  readonly url: string;
  readonly index: number;
}

/**
 * Address of a page as the browser's own process knows it, by which policy goes (L5). Events on a page's session do not tell it: the page's process may
 * send any of them. It is asked for by a command that only the browser's process is shown, and answers.
 */
export class CommittedAddress {
  readonly #onChanged: () => void;
  #page: CdpSession | undefined;
  #url = '';
  #isBegun = false;
  #isAsking = false;
  #isStale = false;

  /** `onChanged` is called when the address is another. */
  constructor(sessions: PageSessions, onChanged: () => void) {
    this.#onChanged = onChanged;
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind !== 'page') return;
        this.#page = session;
        this.#url = '';
        this.#isBegun = false;
        for (const reason of REASONS) session.on(reason, () => this.#ask());
      },
    });
  }

  /** Empty until the browser has reported one. */
  get url(): string {
    return this.#url;
  }

  /** Whether the page has gone anywhere from the blank document that it begins with. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Asks now, or again after the answer that is awaited: any number of events costs two questions. */
  #ask(): void {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    void this.#read().finally(() => (this.#isAsking = false));
  }

  async #read(): Promise<void> {
    for (let failures = 0; this.#isStale;) {
      this.#isStale = false;
      const page = this.#page;
      if (!page || page.closed.aborted) return;
      const entry = await committed(page);
      if (page !== this.#page) this.#isStale = true;
      else if (entry !== undefined) this.#know(entry);
      else if (++failures <= MAX_TIMES) {
        this.#isStale = true;
        await delay(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  #know({ url, index }: Entry): void {
    const isBegun = this.#isBegun || (url !== '' && url !== BLANK) || index > 0;
    if (url === this.#url && isBegun === this.#isBegun) return;
    this.#url = url;
    this.#isBegun = isBegun;
    this.#onChanged();
  }
}

async function committed(page: CdpSession): Promise<Entry | undefined> {
  try {
    const { entries, currentIndex } = await page.send('Page.getNavigationHistory');
    const url = entries[currentIndex]?.url.slice(0, MAX_URL);
    return url === undefined ? undefined : { url: withoutCredentials(url), index: currentIndex };
  } catch {
    return undefined; // closed, or between two processes
  }
}
