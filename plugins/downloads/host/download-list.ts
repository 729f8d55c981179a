import { AppError, toAppError, token } from '../../../host/plugin.ts';
import type { DeskFile, FileDesk, Records, SessionScope, SessionTab, SurrogateDownload } from '../../../host/plugin.ts';
import { againOf } from './again.ts';
import type { Again } from './again.ts';
import { addressesOf, isSpurious, MIB, mostOf, NAMES, REASONS, siteOf } from './download-facts.ts';
import { isOver, nameOf, progressOf, recordOf, restoredOf, ruleOf } from './download-item.ts';
import type { DownloadPolicy, Item, Progress } from './download-item.ts';
import { CANCEL } from '../protocol.ts';
import type { CancelReason, DownloadRecord, RestoredDownload } from '../protocol.ts';

/** Downloads that are listed at a time; further ones are stopped. */
const MAX_LISTED = 100;
/** Downloads in the list that no act of the person has started: a page can start as many as it likes. */
const MAX_UNASKED = 10;
/** Shortest time between two messages about the same download, in ms. */
const PROGRESS_MS = 250;
/** Time in which a download that the person has begun again takes the place of the first, in ms: its site may be slow. Later they may try once more. */
const AGAIN_MS = 30_000;

/** Events of downloads, as the client of one tab hears them. */
interface DownloadListener {
  /** `replaces`: the id of one that is begun again by it, and is no longer listed. */
  requested(record: DownloadRecord, replaces?: number): void;
  updated(id: number, status: 'started' | 'finished', progress: Progress): void;
  cancelled(id: number, reason: CancelReason, most?: number): void;
  ignored(filename: string, site: string): void;
  /** The file service is not there for it. */
  failed(id: number, filename: string, reason: CancelReason): void;
  restored(item: RestoredDownload): void;
  /** Has the page ask for one again. Rejects where it cannot. */
  again(place: Again): Promise<void>;
}

/** Downloads of a person, as the host halves of their tabs have them. */
interface DownloadTabs {
  /** Reports the downloads of a tab, until undone: then another tab takes them over. */
  attach(tab: string, listener: DownloadListener): () => void;
  /** Reports all downloads of a tab again. */
  restore(tab: string): void;
  /** Ends one of a tab. Does nothing for others, and for those that are over. */
  cancel(tab: string, id: number): void;
  /** Judges one that is encrypted again, with its password. Does nothing for others. */
  resume(tab: string, id: number, password: string): void;
  /** Begins one again that was canceled: the next one of its address takes its place. Does nothing for others. */
  again(tab: string, id: number): void;
  saved(tab: string, id: number): void;
  /** Takes one off the list, with its bytes. */
  forget(tab: string, id: number): void;
  /** Does so with all of a tab that was opened in advance, and that no client has come for: the tab opened in its place has them again. */
  abandon(tab: string): void;
}

export const downloadTabsToken = token<DownloadTabs>('downloads.list');

interface DownloadListOptions {
  readonly desk: () => FileDesk;
  /** The policy for files from a page and an address. */
  readonly policyOf: (tab: SessionTab, addresses: readonly string[]) => DownloadPolicy;
  /** First address of the download of an address; undefined where that is not known. Called once for each. Never rejects. */
  readonly firstOf: (url: string) => Promise<string | undefined>;
  readonly tabs: () => readonly SessionTab[];
  readonly records: Records;
  readonly log: SessionScope['log'];
}

/** The downloads of one person: each goes from the surrogate to the file store, and is reported to one tab. */
export class DownloadList implements DownloadTabs {
  readonly #options: DownloadListOptions;
  readonly #items = new Map<number, Item>();
  /** Downloads that are about to be listed, and whether the person has acted. */
  readonly #reserved = new Map<number, boolean>();
  readonly #listeners = new Map<string, DownloadListener>();
  #last = 0;

  constructor(options: DownloadListOptions) {
    this.#options = options;
  }

  /** Takes a download. `chosen`: the person has said so, and it is from a frame of these addresses. Never rejects. */
  async take(download: SurrogateDownload, chosen?: readonly string[]): Promise<void> {
    const { desk, policyOf, firstOf, records, log } = this.#options;
    records.count('started');
    const asked = chosen ? download.url : firstOf(download.url);
    const tab = this.#ownerOf(download);
    const source = download.tab ?? tab;
    // Nobody has asked for a file of a page that is gone.
    // Act and policy are those of the page that it comes from, whichever tab shows it; of the policy also those of its frame and its own addresses.
    const isAsked = chosen !== undefined || download.isAsked;
    const isFull = this.#isFull(isAsked);
    if (!tab || !source || isFull || isSpurious(download)) {
      download.sourceRead();
      await download.remove();
      records.count('failed');
      if (isFull && tab && source) this.#tooMany(download, { tab, source, isAsked });
      return;
    }
    const site = siteOf(download.tab ? source.url() : download.url);
    // A window that was opened for a download alone is closed while its address is looked for.
    const home = (): string => (this.#ownerOf(download) ?? tab).id;
    const id = ++this.#last;
    this.#reserved.set(id, isAsked);
    const placed = chosen ? undefined : againOf(download, source);
    const known = chosen ? [source.url(), ...chosen, download.url] : await addressesOf(download, source);
    download.sourceRead();
    const first = await asked;
    const again = placed?.(first);
    if (first === undefined) log.warn('the first address of a download is not known');
    const addresses = [...new Set([...known, ...download.redirects, first ?? download.url])];
    const policy = policyOf(source, addresses);
    if (!policy.downloads) {
      this.#reserved.delete(id);
      await download.remove();
      records.count('refused');
      const refusing = siteOf(addresses.find((address) => !policyOf(source, [address]).downloads) ?? source.url());
      this.#note(download, site, 'refused', { refusing });
      // A page that starts one after the other covers itself with no dialogs.
      if (isAsked) this.#listeners.get(home())?.ignored(nameOf(download), refusing);
      return;
    }
    let item: Item | undefined;
    let reason: CancelReason = CANCEL.host;
    try {
      const file = await desk().begin({
        name: download.name,
        keepMinutes: policy.keep_minutes,
        tab: source,
        addresses,
      });
      const facts = { id, download, file, site, isAsked, policy, again, tab: home(), over: new AbortController() };
      item = { ...facts, status: 'started', reason: undefined, saved: false, toldAt: 0 };
      this.#follow(item);
      const maxBytes = policy.max_download_megabytes * MIB;
      await file.receive(download.bytes(), { maxBytes, signal: item.over.signal });
      if ((await download.ended) !== 'completed') throw new AppError('download-canceled', 'The download has failed.');
      await file.complete();
      await download.verify(file.sha256 ?? '');
    } catch (thrown) {
      const { code, message, data } = toAppError(thrown);
      reason = REASONS[code] ?? CANCEL.host;
      log.info('a download has failed', { code, error: message });
      if (item && code === 'file-blocked') this.#block(item);
      else if (item) this.#end(item, reason, mostOf(reason, data, policy));
      else {
        records.count('failed');
        this.#listeners.get(home())?.failed(id, nameOf(download), reason);
      }
    } finally {
      this.#reserved.delete(id);
      await download.remove();
    }
    if (item?.status !== 'started') return;
    item.status = 'finished';
    this.#listeners.get(item.tab)?.updated(id, 'finished', progressOf(item));
    await this.#judge(item);
  }

  /** Reports one that has no place in the list: to the person where they have asked for it. */
  #tooMany(
    download: SurrogateDownload,
    { tab, source, isAsked }: { readonly tab: SessionTab; readonly source: SessionTab; readonly isAsked: boolean },
  ): void {
    this.#options.log.info('a download was stopped: there are too many', { isAsked });
    this.#note(download, siteOf(source.url()), 'too-many');
    if (isAsked) this.#listeners.get(tab.id)?.failed(++this.#last, nameOf(download), CANCEL.host);
  }

  /** Lists a new one, reports how it proceeds, and ends it where it becomes too large. */
  #follow(item: Item): void {
    const before = [...this.#items.values()].find(
      ({ begun, again }) => begun && again && again.address === item.again?.address,
    );
    if (before) {
      item.tab = before.tab;
      item.isAsked = true;
      this.#drop(before);
    }
    this.#reserved.delete(item.id);
    this.#items.set(item.id, item);
    this.#listeners.get(item.tab)?.requested(recordOf(item), before?.id);
    const { download, file } = item;
    const most = item.policy.max_download_megabytes;
    const look = (): void => {
      const size = Math.max(download.total ?? 0, download.received);
      if (size > most * MIB) this.#end(item, CANCEL.tooLarge, most);
      else if (size > (file.limit?.bytes ?? Infinity)) this.#block(item);
      else this.#tell(item);
    };
    download.onProgress(look);
    look();
    if (before?.begun?.isCanceled === true) this.#end(item, CANCEL.user);
  }

  /** Ends one that a rule of the policy blocks before it is whole: the client asks for its status. */
  #block(item: Item): void {
    if (item.status !== 'started') return;
    const { file, download, site, tab, id } = item;
    item.status = 'finished';
    void file.block(); // its state says so at once
    item.over.abort();
    download.cancel();
    this.#options.records.count('blocked');
    this.#note(download, site, 'blocked', { file, reason: 'rule' });
    this.#listeners.get(tab)?.updated(id, 'finished', progressOf(item));
  }

  /** Has a whole file judged: the client asks for its status. Never rejects. */
  async #judge(item: Item, password?: string): Promise<void> {
    const { file, download, site, over } = item;
    const { records, log } = this.#options;
    try {
      const findings = await file.judge({ signal: over.signal, ...(password !== undefined && { password }) });
      const { is } = file.state;
      if (is !== 'allowed' && is !== 'blocked' && is !== 'quarantined') return;
      const outcome = is === 'allowed' ? 'finished' : is;
      if (is === 'quarantined') item.isAsked = false; // nobody waits for it any more: one that is released is not saved by itself
      const { type, verdict, reason } = findings;
      records.count(outcome);
      this.#note(download, site, outcome, { file, type: type.mime, verdict, reason });
    } catch (thrown) {
      if (over.signal.aborted) return;
      const { code, message } = toAppError(thrown);
      log.warn('a download could not be judged', { code, error: message });
      await file.end({ is: 'failed', reason: NAMES[CANCEL.host] });
      records.count('failed');
      this.#note(download, site, NAMES[CANCEL.host], { file });
    }
  }

  attach(tab: string, listener: DownloadListener): () => void {
    this.#listeners.set(tab, listener);
    // Their own tab has ended, and there was no other.
    for (const item of this.#items.values()) {
      if (this.#listeners.has(item.tab)) continue;
      if (isOver(item)) this.#drop(item);
      else {
        item.tab = tab;
        listener.restored(restoredOf(item));
      }
    }
    return () => {
      if (this.#listeners.get(tab) !== listener) return;
      this.#listeners.delete(tab);
      this.#handOver(tab);
    };
  }

  restore(tab: string): void {
    for (const item of this.#items.values()) if (item.tab === tab) this.#listeners.get(tab)?.restored(restoredOf(item));
  }

  cancel(tab: string, id: number): void {
    const item = this.#find(tab, id);
    if (item?.begun) item.begun.isCanceled = true;
    if (item) this.#end(item, CANCEL.user);
  }

  again(tab: string, id: number): void {
    const item = this.#find(tab, id);
    if (item?.status !== 'cancelled' || !item.again || item.begun?.isCanceled === false) return;
    const { reason = CANCEL.host, most, again } = item;
    const attempt: NonNullable<Item['begun']> = { isCanceled: false };
    item.begun = attempt;
    const fail = (): void => {
      clearTimeout(timer);
      if (item.begun !== attempt) return;
      item.begun = undefined;
      if (this.#find(item.tab, id) === item && !attempt.isCanceled)
        this.#listeners.get(item.tab)?.cancelled(id, reason, most);
    };
    const timer = setTimeout(fail, AGAIN_MS).unref();
    const page = this.#listeners.get(again.tab) ?? this.#listeners.get(tab);
    page?.again(again).catch((thrown: unknown) => {
      this.#options.log.info('a download was not begun again', { reason: toAppError(thrown).message });
      fail();
    });
  }

  resume(tab: string, id: number, password: string): void {
    const item = this.#find(tab, id);
    if (item?.file.state.is === 'locked') void this.#judge(item, password);
  }

  saved(tab: string, id: number): void {
    const item = this.#find(tab, id);
    if (item) item.saved = true;
  }

  forget(tab: string, id: number): void {
    const item = this.#find(tab, id);
    if (item) this.#forget(item);
  }

  abandon(tab: string): void {
    for (const item of [...this.#items.values()]) if (item.tab === tab) this.#forget(item);
  }

  /** Stops all. */
  dispose(): void {
    for (const { download, over } of this.#items.values()) {
      over.abort();
      void download.remove();
    }
    this.#items.clear();
  }

  #isFull(isAsked: boolean): boolean {
    const begun = [...this.#reserved.values()];
    if (this.#items.size + begun.length >= MAX_LISTED) this.#makeRoom();
    const unasked = [...this.#items.values()].filter((item) => !item.isAsked && !item.saved).length;
    const isFlood = !isAsked && unasked + begun.filter((each) => !each).length >= MAX_UNASKED;
    return isFlood || this.#items.size + begun.length >= MAX_LISTED;
  }

  /** Takes the oldest one off the list that is over. */
  #makeRoom(): void {
    const items = [...this.#items.values()];
    const oldest = items.find(isOver) ?? items.find(({ file }) => file.state.is === 'quarantined');
    if (oldest) this.#drop(oldest);
  }

  #forget(item: Item): void {
    this.#end(item, CANCEL.user);
    this.#drop(item);
  }

  #drop({ id, file }: Item): void {
    this.#items.delete(id);
    void file.end({ is: 'canceled' });
  }

  #find(tab: string, id: number): Item | undefined {
    const item = this.#items.get(id);
    return item?.tab === tab ? item : undefined;
  }

  /** The tab at which a download was asked for; that which the person looks at where it has ended, or cannot show anything. */
  #ownerOf({ tab, opener }: SurrogateDownload): SessionTab | undefined {
    const own = [opener, tab].find((each) => each && this.#listeners.has(each.id));
    if (own) return own;
    const others = this.#options.tabs().filter(({ id }) => this.#listeners.has(id));
    return others.find((each) => each.isShown()) ?? others[0];
  }

  /** Gives the downloads of a tab that has ended to another one. */
  #handOver(tab: string): void {
    const others = this.#options.tabs().filter(({ id }) => id !== tab && this.#listeners.has(id));
    const next = others.find((each) => each.isShown()) ?? others[0];
    if (!next) return; // a tab that comes back has them still
    for (const item of this.#items.values()) {
      if (item.tab !== tab) continue;
      item.tab = next.id;
      this.#listeners.get(next.id)?.restored(restoredOf(item));
    }
  }

  #tell(item: Item): void {
    const now = performance.now();
    if (item.status !== 'started' || now - item.toldAt < PROGRESS_MS) return;
    item.toldAt = now;
    this.#listeners.get(item.tab)?.updated(item.id, 'started', progressOf(item));
  }

  #end(item: Item, reason: CancelReason, most?: number): void {
    const { is } = item.file.state;
    const isUnsaved = is === 'checking' || is === 'locked' || (is === 'allowed' && !item.saved);
    if (item.status !== 'started' && !(item.status === 'finished' && isUnsaved)) return;
    item.status = 'cancelled';
    item.reason = reason;
    if (most !== undefined) item.most = most;
    item.over.abort();
    item.download.cancel();
    void item.file.end(reason === CANCEL.user ? { is: 'canceled' } : { is: 'failed', reason: NAMES[reason] });
    this.#options.records.count('failed');
    this.#note(item.download, item.site, NAMES[reason]);
    this.#listeners.get(item.tab)?.cancelled(item.id, reason, most);
  }

  #note(
    { name, received }: SurrogateDownload,
    site: string,
    outcome: string,
    {
      file,
      ...judged
    }: { readonly file?: DeskFile } & Partial<Record<'type' | 'verdict' | 'reason' | 'refusing', string>> = {},
  ): void {
    const size = file?.size ?? received;
    const event = { direction: 'down', site, name: (file?.name ?? name).slice(0, 255), size, outcome, ...judged };
    const rule = file && ruleOf(file);
    const known = { ...(file?.sha256 !== undefined && { sha256: file.sha256 }), ...(rule !== undefined && { rule }) };
    this.#options.records.append('transfers', { ...event, ...known });
  }
}
