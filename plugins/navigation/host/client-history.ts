import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { HostScope, ParamsOf } from '../../../host/plugin.ts';
import { historyJump, MAX_ADDRESS, updateNavbar } from '../protocol.ts';
import { ASK_AGAIN_MS, askedAgain, MAX_ASKED } from './ask-again.ts';
import { EntryNames } from './entry-names.ts';

/** The page's history as last sent to the client. */
interface Known {
  readonly ids: readonly number[];
  readonly index: number;
  readonly url: string;
}

/** Name of the entry in which the client is, by what it was sent and by what it has asked for; unknown for a new client. */
interface ClientPlace {
  at: number | undefined;
}

/** Options of a history update to the client. */
interface UpdateOptions {
  readonly sameDocument: boolean;
  readonly names: EntryNames;
  readonly client: ClientPlace;
  /** Kind of update for a new browser's first entry, until the client has received one. */
  readonly begins: 'add' | 'replace' | undefined;
}

const BLANK = 'about:blank';

/** Sends the page's history to the client, one change at a time. One per tab, over all its browsers. */
export class ClientHistory {
  readonly #scope: HostScope;
  readonly #names = new EntryNames();
  readonly #client: ClientPlace = { at: undefined };
  #known: Known | undefined;
  #begins: UpdateOptions['begins'] = 'replace';
  #reading: Promise<void> = Promise.resolve();

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /** Compares the page's history with the one the client knows; one at a time, so that changes keep their order. */
  follow(sameDocument: boolean): void {
    this.#inOrder(async () => {
      try {
        this.#known = await sendChanges(this.#scope, this.#known, {
          sameDocument,
          names: this.#names,
          client: this.#client,
          begins: this.#begins,
        });
        if (this.#known) this.#begins = undefined;
      } catch (thrown) {
        this.#scope.log.info('the history could not be read', { reason: String(thrown) });
      }
    });
  }

  /** The page continues in another browser. `isNew`: while it was loading an address that gets a new entry. */
  renew(isNew: boolean): void {
    this.#inOrder(() => {
      this.#begins = isNew && this.#known ? 'add' : 'replace';
      this.#known = undefined;
      this.#names.renew();
    });
  }

  /** Discards the client's known history immediately, even during a read. */
  forget(): void {
    this.#known = undefined;
    this.#client.at = undefined;
  }

  /** The person has moved the client to an entry. */
  moved(entry: number): void {
    this.#client.at = entry;
  }

  /** Discards the client's known history after the current update. */
  forgetLater(): void {
    this.#inOrder(() => this.forget());
  }

  /** The browser's id of an entry; undefined for entries of a previous browser. */
  idOf(entry: Parameters<EntryNames['idOf']>[0]): number | undefined {
    return this.#names.idOf(entry);
  }

  #inOrder(step: () => void | Promise<void>): void {
    this.#reading = this.#reading.then(step);
  }
}

/** Returns the page's history once its entry matches the document: the page's process reports a navigation before the browser knows it. */
async function historyOf(scope: HostScope): Promise<Protocol.Page.GetNavigationHistoryResponse> {
  for (let times = 1; ; times++) {
    const history = await askedAgain(scope, () => scope.cdp.send(0, 'Page.getNavigationHistory'));
    const shown = scope.frames.get(1)?.url ?? '';
    const known = history.entries[history.currentIndex]?.url.slice(0, MAX_ADDRESS);
    if (!/^https?:/.test(shown) || shown === known || times === MAX_ASKED || scope.signal.aborted) return history;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Reads the page's history, sends the changes since `known` to the client, and returns the new state. */
async function sendChanges(
  scope: HostScope,
  known: Known | undefined,
  { sameDocument, names, client, begins }: UpdateOptions,
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
    sendJump(scope, client, { hid: names.of(current.id), url, delta: place - known.index });
    return next;
  }
  // A new browser starts with a blank page that the person has not opened.
  const blank = scope.tab.url() === BLANK ? 0 : entries.findIndex((entry) => entry.url !== BLANK);
  if (begins && blank < 0) return undefined;
  const from = begins ? blank - 1 : before === undefined ? -1 : next.ids.indexOf(before);
  if (begins || (place < 0 && from >= 0)) {
    // There may be several new entries: the client gets an entry for each, in order.
    const kind = sameDocument ? 'pushstate' : 'add';
    for (const [nth, { id, url: each }] of entries.slice(from + 1).entries())
      sendUpdate(scope, client, {
        kind: (nth === 0 && begins) || kind,
        hid: names.of(id),
        url: each.slice(0, MAX_ADDRESS),
      });
    const delta = currentIndex - (entries.length - 1);
    if (delta < 0) sendJump(scope, client, { hid: names.of(current.id), url, delta });
    return next;
  }
  sendUpdate(scope, client, { kind: sameDocument ? 'replacestate' : 'replace', hid: names.of(current.id), url });
  return next;
}

function sendUpdate({ commands }: HostScope, client: ClientPlace, update: ParamsOf<typeof updateNavbar>): void {
  commands.send(updateNavbar, client.at === undefined ? update : { ...update, after: client.at });
  client.at = update.hid;
}

function sendJump({ commands }: HostScope, client: ClientPlace, jump: ParamsOf<typeof historyJump>): void {
  commands.send(historyJump, jump);
  client.at = jump.hid;
}
