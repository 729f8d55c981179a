import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { HostScope } from '../../../host/plugin.ts';
import { historyJump, MAX_ADDRESS, updateNavbar } from '../protocol.ts';
import { ASK_AGAIN_MS, askedAgain, MAX_ASKED } from './ask-again.ts';
import { EntryNames } from './entry-names.ts';

/** The page's history as the client was last told. */
interface Known {
  readonly ids: readonly number[];
  readonly index: number;
  readonly url: string;
}

/** How the client is told of an entry. */
interface Telling {
  readonly sameDocument: boolean;
  readonly names: EntryNames;
  /** What a browser's first entry does to the one that the client has, while the client has been told of none of them. */
  readonly begins: 'add' | 'replace' | undefined;
}

const BLANK = 'about:blank';

/** Tells the client of the page's history, one change after the other. It lasts as long as the tab, over all its browsers. */
export class ToldHistory {
  readonly #scope: HostScope;
  readonly #names = new EntryNames();
  #known: Known | undefined;
  #begins: Telling['begins'] = 'replace';
  #reading: Promise<void> = Promise.resolve();

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /** Compares the page's history with what the client knows; one at a time, so that changes keep their order. */
  follow(sameDocument: boolean): void {
    this.#inOrder(async () => {
      try {
        this.#known = await tell(this.#scope, this.#known, { sameDocument, names: this.#names, begins: this.#begins });
        if (this.#known) this.#begins = undefined;
      } catch (thrown) {
        this.#scope.log.info('the history could not be read', { reason: String(thrown) });
      }
    });
  }

  /** Another browser takes the place of the page's; `isNew`: on its way to an address that gets an entry of its own. */
  renew(isNew: boolean): void {
    this.#inOrder(() => {
      this.#begins = isNew && this.#known ? 'add' : 'replace';
      this.#known = undefined;
      this.#names.renew();
    });
  }

  /** The client knows nothing yet: at once, whatever is being read. */
  forget(): void {
    this.#known = undefined;
  }

  /** The client is to be told all again after what it is being told now. */
  forgetLater(): void {
    this.#inOrder(() => this.forget());
  }

  /** The browser's own number of an entry; undefined for one of a browser that is gone. */
  idOf(entry: Parameters<EntryNames['idOf']>[0]): number | undefined {
    return this.#names.idOf(entry);
  }

  #inOrder(step: () => void | Promise<void>): void {
    this.#reading = this.#reading.then(step);
  }
}

/** The page's history once its entry is that of the document: the page's process tells of this before the browser knows. */
async function historyOf(scope: HostScope): Promise<Protocol.Page.GetNavigationHistoryResponse> {
  for (let times = 1; ; times++) {
    const history = await askedAgain(scope, () => scope.cdp.send(0, 'Page.getNavigationHistory'));
    const shown = scope.frames.get(1)?.url ?? '';
    const known = history.entries[history.currentIndex]?.url.slice(0, MAX_ADDRESS);
    if (!/^https?:/.test(shown) || shown === known || times === MAX_ASKED || scope.signal.aborted) return history;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Reads the page's history, tells the client what has changed since `known`, and answers with the new state. */
async function tell(
  scope: HostScope,
  known: Known | undefined,
  { sameDocument, names, begins }: Telling,
): Promise<Known | undefined> {
  const { entries, currentIndex } = await historyOf(scope);
  const current = entries[currentIndex];
  if (!current) return known;
  const url = current.url.slice(0, MAX_ADDRESS);
  const next: Known = { ids: entries.map(({ id }) => id), index: currentIndex, url };
  const before = known?.ids[known.index];
  if (known && current.id === before && url === known.url) return next;
  const place = known?.ids.indexOf(current.id) ?? -1;
  if (known && place >= 0 && current.id !== before) {
    scope.commands.send(historyJump, { hid: names.of(current.id), url, delta: place - known.index });
    return next;
  }
  // The blank page that a browser begins with is none that the person has opened.
  const blank = scope.tab.url() === BLANK ? 0 : entries.findIndex((entry) => entry.url !== BLANK);
  if (begins && blank < 0) return undefined;
  const from = begins ? blank - 1 : before === undefined ? -1 : next.ids.indexOf(before);
  if (begins || (place < 0 && from >= 0)) {
    // More than one may have come since the last look: the client has an entry for each, in order.
    const kind = sameDocument ? 'pushstate' : 'add';
    for (const [nth, { id, url: each }] of entries.slice(from + 1).entries())
      scope.commands.send(updateNavbar, {
        kind: (nth === 0 && begins) || kind,
        hid: names.of(id),
        url: each.slice(0, MAX_ADDRESS),
      });
    const delta = currentIndex - (entries.length - 1);
    if (delta < 0) scope.commands.send(historyJump, { hid: names.of(current.id), url, delta });
    return next;
  }
  scope.commands.send(updateNavbar, {
    kind: sameDocument ? 'replacestate' : 'replace',
    hid: names.of(current.id),
    url,
  });
  return next;
}
