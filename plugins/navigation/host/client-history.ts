import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { withoutCredentials } from '../../../host/plugin.ts';
import type { HostScope, PageHistory } from '../../../host/plugin.ts';
import { historyJump, MAX_ADDRESS, updateNavbar } from '../protocol.ts';
import type { NAVBAR_KINDS } from '../protocol.ts';
import { ASK_AGAIN_MS, askedAgain, MAX_ASKED } from './ask-again.ts';
import { EntryNames } from './entry-names.ts';
import { PassedEntries } from './passed-entries.ts';
import { ReadPace } from './read-pace.ts';

/** The page's history as last sent to the client. */
interface Known {
  readonly entries: readonly Entry[];
  readonly index: number;
  readonly url: string;
}

type Entry = Protocol.Page.NavigationEntry;
/** An entry that the page is to show. */
type Target = Pick<Entry, 'id' | 'url'>;

/** Where the client is in the page's history. */
interface ClientPlace {
  /** Name of its entry, by what it was sent and by what it has asked for; unknown for a new client. */
  at: number | undefined;
  /** Id of the browser's first entry that is the person's: not that of the blank page with which a browser begins. */
  first: number | undefined;
}

/** A change that the page has reported, or that may have been missed. */
interface Change {
  /** Whether the main frame has kept its document. */
  readonly sameDocument: boolean;
  /** Whether the main frame has got a new one. */
  readonly isLoaded: boolean;
  /** Whether the person has acted in the document before. */
  readonly acted: boolean;
  /** Whether the person has stayed, asked whether to leave. */
  readonly stays?: boolean;
}

/** Options of a history update to the client. */
interface UpdateOptions extends Change {
  readonly names: EntryNames;
  readonly passed: PassedEntries;
  readonly client: ClientPlace;
  /** Kind of update for a new browser's first entry, until the client has received one. */
  readonly begins: 'add' | 'replace' | undefined;
  /** Whether the browser does not know yet that the page is to go to the entry in which the client is already. */
  readonly isMoving: () => boolean;
}

const BLANK = 'about:blank';

/** Sends the page's history to the client, one change at a time. One per tab, over all its browsers. */
export class ClientHistory implements PageHistory {
  readonly #scope: HostScope;
  readonly #names = new EntryNames();
  readonly #passed = new PassedEntries();
  readonly #client: ClientPlace = { at: undefined, first: undefined };
  #known: Known | undefined;
  #begins: UpdateOptions['begins'] = 'replace';
  #reading: Promise<void> = Promise.resolve();
  readonly #pace = new ReadPace();
  /** The changes that the next read is for. */
  #changes: Change | undefined;
  /** Number of the person's moves that the page's browser does not know yet: from then on it says where the page goes. */
  #untold = 0;

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /**
   * Compares the page's history with the one the client knows; one at a time, so that changes keep their order. Changes that come while one
   * is being read, or waits for its turn, are read together.
   */
  follow(change: Change): void {
    const isWaiting = this.#changes !== undefined;
    this.#changes = this.#changes ? together(this.#changes, change) : change;
    if (isWaiting) return;
    this.#inOrder(async () => {
      await this.#pace.turn();
      const changes = this.#changes ?? change;
      this.#changes = undefined;
      try {
        this.#known = await sendChanges(this.#scope, () => this.#known, {
          ...changes,
          names: this.#names,
          passed: this.#passed,
          client: this.#client,
          begins: this.#begins,
          isMoving: () => this.#untold > 0,
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
      this.#client.first = undefined;
      this.#names.renew();
      this.#passed.renew();
    });
  }

  /** There is a new client: discards what the last one knew immediately, even during a read. */
  forget(): void {
    this.#known = undefined;
    this.#client.at = undefined;
  }

  /** See `PageHistory`. */
  followed(): Promise<void> {
    return this.#reading;
  }

  /** The policy for the page may be another: what the client keeps with its entry is sent again. */
  refresh(): void {
    this.#inOrder(() => {
      const { entries = [], index = 0, url = '' } = this.#known ?? {};
      const current = entries[index];
      const hid = current && this.#names.of(current.id);
      // One to which the person is going gets its own once the page is there.
      if (hid !== undefined && hid === this.#client.at)
        sendUpdate(this.#scope, this.#client, 'stateupdate', { hid, url });
    });
  }

  /**
   * The person has moved the client to an entry. `tell` tells the browser of the entry that the page is to show: that one, or the next one that
   * is not passed over. Undefined: this browser has none. Where it has none to go to, the client is moved on.
   */
  async moved(name: number, acted: boolean, tell: (target: Target | undefined) => Promise<void>): Promise<void> {
    const target = this.#targetOf(name, acted);
    if (target === 'stays') return;
    this.#untold += 1;
    try {
      await tell(target);
    } finally {
      this.#untold -= 1;
    }
  }

  #targetOf(name: number, acted: boolean): Target | 'stays' | undefined {
    const { entries = [], index = 0, url = '' } = this.#known ?? {};
    const ids = entries.map(({ id }) => id);
    const from = placeOf(ids, this.#names, this.#client.at) ?? index;
    this.#client.at = name;
    const asked = this.#names.idOf(name);
    if (asked === undefined) return undefined;
    const to = ids.indexOf(asked);
    if (to < 0) return { id: asked, url: '' };
    if (acted) this.#passed.acted(ids, index);
    const at = this.#passed.target(ids, from, to);
    const target = entries[at];
    if (!target || at === to) return target;
    // The page before the tab's first one is the person's own browser's: the client leads there, and the page stays.
    if (at !== index && at >= ids.indexOf(this.#client.first ?? target.id)) return target;
    sendJump(this.#scope, this.#client, {
      hid: this.#names.of(target.id),
      url: at === index ? url : BLANK,
      delta: at - to,
    });
    return 'stays';
  }

  /** Discards the client's known history after the current update, but not the entry in which it is. */
  forgetLater(): void {
    this.#inOrder(() => {
      this.#known = undefined;
    });
  }

  #inOrder(step: () => void | Promise<void>): void {
    this.#reading = this.#reading.then(step);
  }
}

/** Two changes that are read at once. */
function together(one: Change, other: Change): Change {
  return {
    sameDocument: one.sameDocument && other.sameDocument,
    isLoaded: one.isLoaded || other.isLoaded,
    acted: one.acted || other.acted,
    stays: one.stays === true || other.stays === true,
  };
}

/** Index of the entry with a name. */
function placeOf(ids: readonly number[], names: EntryNames, name: number | undefined): number | undefined {
  const id = name === undefined ? undefined : names.idOf(name);
  const place = id === undefined ? -1 : ids.indexOf(id);
  return place < 0 ? undefined : place;
}

/** Returns the page's history once its entry matches the document: the page's process reports a navigation before the browser knows it. */
async function historyOf(scope: HostScope): Promise<Protocol.Page.GetNavigationHistoryResponse> {
  for (let times = 1; ; times++) {
    const history = await askedAgain(scope, () => scope.cdp.send(0, 'Page.getNavigationHistory'));
    const shown = scope.frames.get(1)?.url ?? '';
    const known = history.entries[history.currentIndex]?.url.slice(0, MAX_ADDRESS);
    if (
      !/^(?:https?:|blob:|about:blank$)/.test(shown) ||
      shown === known ||
      times === MAX_ASKED ||
      scope.signal.aborted
    ) {
      const entries = history.entries.map((entry) => ({ ...entry, url: withoutCredentials(entry.url) }));
      return { ...history, entries };
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Whether the page goes to another address. */
function isLeft({ tab }: HostScope): boolean {
  const destination = tab.destination();
  return destination !== undefined && destination !== tab.url();
}

/** Reads the page's history, sends the changes since then to the client, and returns the new state. `knownNow`: a new client may come during the read. */
async function sendChanges(
  scope: HostScope,
  knownNow: () => Known | undefined,
  options: UpdateOptions,
): Promise<Known | undefined> {
  const { sameDocument, names, passed, client, begins } = options;
  const { entries, currentIndex: index } = await historyOf(scope);
  const known = knownNow();
  const current = entries[index];
  if (!current) return known;
  // The client's entry is for the address that the page goes to, not for the page that is still there.
  const isGoing = options.isMoving() || (!options.isLoaded && !options.stays && isLeft(scope));
  if (!known && isGoing) return undefined;
  const url = current.url.slice(0, MAX_ADDRESS);
  const next: Known = { entries, index, url };
  const ids = entries.map(({ id }) => id);
  const before = known?.entries[known.index]?.id;
  const here = { hid: names.of(current.id), url };
  const clientNow = placeOf(ids, names, client.at) ?? index;
  const isSame = known && current.id === before && url === known.url;
  if (clientNow !== index && (!known || isSame)) {
    // The page has stayed: it was a download, or the person does not want to leave.
    if (!options.isMoving()) sendJump(scope, client, { ...here, delta: index - clientNow });
    return next;
  }
  if (isSame) {
    if (options.isLoaded) sendUpdate(scope, client, 'reload', here);
    return next;
  }
  // Indexes as the client has them: of long histories browsers drop the first.
  const idsBefore = known?.entries.map(({ id }) => id) ?? [];
  const place = idsBefore.indexOf(current.id);
  const at = placeOf(idsBefore, names, client.at);
  if (known && place >= 0 && current.id !== before) {
    if (options.acted) passed.acted(ids, ids.indexOf(before ?? 0));
    sendJump(scope, client, { ...here, delta: place - (at ?? known.index) });
    return next;
  }
  // A new browser starts with a blank page that the person has not opened.
  const blank = scope.tab.url() === BLANK ? 0 : entries.findIndex((entry) => entry.url !== BLANK);
  if (begins && blank < 0) return undefined;
  if (begins) client.first = entries[blank]?.id;
  const left = before === undefined ? -1 : ids.indexOf(before);
  // The page may have gone to another entry before it added one.
  const from = begins ? blank - 1 : left < 0 ? -1 : Math.max(left, ids.findIndex((id) => !idsBefore.includes(id)) - 1);
  const isNew = begins !== undefined || (place < 0 && from >= 0);
  if (before !== undefined && !isNew) passed.replaced(before, current.id, !options.isLoaded);
  const base = isNew ? idsBefore.indexOf(ids[from] ?? 0) : idsBefore.indexOf(before ?? 0);
  const entry = known?.entries[base];
  if (entry && at !== undefined && at !== base) {
    // The person has left the entry that the page has replaced: the client is sent it once the page is there again.
    if (!isNew && options.isMoving()) return next;
    sendJump(scope, client, { hid: names.of(entry.id), url: entry.url.slice(0, MAX_ADDRESS), delta: base - at });
  }
  if (isNew) {
    if (options.acted && from !== left) passed.acted(ids, left);
    // Where it was in another document before that entry, that is what it has loaded: it adds the others to it.
    const isLoaded = options.isLoaded && passed.isOneDocument(ids[left], ids[from]);
    passed.added({ entries, from, isLoaded, acted: options.acted && from === left });
    // There may be several new entries: the client gets an entry for each, in order.
    const kind = sameDocument ? 'pushstate' : 'add';
    for (const [nth, { id, url: each }] of entries.slice(from + 1).entries())
      sendUpdate(scope, client, (nth === 0 && begins) || kind, { hid: names.of(id), url: each.slice(0, MAX_ADDRESS) });
    const delta = index - (entries.length - 1);
    if (delta < 0) sendJump(scope, client, { ...here, delta });
    return next;
  }
  sendUpdate(scope, client, sameDocument ? 'replacestate' : 'replace', here);
  return next;
}

/** An entry of the page's history: its name, and its address. */
interface Place {
  readonly hid: number;
  readonly url: string;
}

function sendUpdate(
  scope: HostScope,
  client: ClientPlace,
  kind: (typeof NAVBAR_KINDS)[number],
  { hid, url }: Place,
): void {
  const after = client.at;
  const { persistent_policy } = scope.tab.policy(url);
  scope.commands.send(updateNavbar, { kind, hid, url, persistent_policy, ...(after !== undefined && { after }) });
  client.at = hid;
}

function sendJump(
  scope: HostScope,
  client: ClientPlace,
  { hid, url, delta }: Place & { readonly delta: number },
): void {
  const { persistent_policy } = scope.tab.policy(url);
  scope.commands.send(historyJump, { hid, url, persistent_policy, delta });
  client.at = hid;
}
