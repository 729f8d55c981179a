import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { SessionTab } from '../../contracts/session-scope.ts';
import type { SurrogateDownload } from '../../contracts/surrogate-files.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { Way } from '../page/redirects.ts';
import { quietly } from '../page/target-defaults.ts';
import { DownloadRoom } from './download-room.ts';
import type { SavedDownload } from './download-room.ts';
import { digestOf, followedDownload } from './followed-download.ts';

/** Downloads that may run at a time; further ones are canceled. More than a person starts, fewer than a page could. */
const MAX_DOWNLOADS = 100;
const MAX_NAME_UNITS = 1000;
const MAX_URL_UNITS = 65_536;
/** Unit of `blocks`, in bytes. */
const BLOCK_BYTES = 512;
/** Form of Chromium's ids, which are the names of the files. */
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

type Begun = (download: SurrogateDownload) => void;

/** Where a download comes from. */
export interface DownloadSource {
  readonly tab: SessionTab;
  readonly frame: number | undefined;
  readonly opener: SessionTab | undefined;
  readonly isAsked: boolean;
  /** See `redirects` and `posted` of {@link SurrogateDownload}. */
  readonly wayTo: (url: string) => Way;
  /** See {@link SurrogateDownload.sourceRead}. */
  readonly read: () => void;
}

/** Downloads of the browsers of one session. */
export class SurrogateDownloads {
  readonly #sourceOf: (cdpFrameId: string) => DownloadSource | undefined;
  #listener: Begun | undefined;
  #browser: { readonly root: CdpSession; readonly folder: string } | undefined;
  readonly #running = new Map<string, Download>();

  constructor(sourceOf: (cdpFrameId: string) => DownloadSource | undefined) {
    this.#sourceOf = sourceOf;
  }

  /** Has the browser save downloads, and report them. @throws AppError `already-handled` */
  listen(listener: Begun): () => void {
    if (this.#listener) throw new AppError('already-handled', 'Downloads already have a listener.');
    this.#listener = listener;
    this.#allow();
    return () => {
      if (this.#listener !== listener) return;
      this.#listener = undefined;
      if (this.#browser)
        quietly(this.#browser.root.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: false }));
    };
  }

  /** Takes over a new browser, with the folder in which it saves downloads, and the bytes that those may have there. */
  renew(root: CdpSession, saved: { readonly down: string; readonly bytes: number } | undefined): void {
    this.#browser = saved && { root, folder: saved.down };
    if (!saved) return;
    const { down: folder, bytes } = saved;
    const room = new DownloadRoom(bytes);
    root.on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename, frameId }) => {
      if (!GUID.test(guid) || this.#running.has(guid)) return;
      const listener = this.#listener;
      if (!listener || this.#running.size >= MAX_DOWNLOADS) {
        quietly(root.send('Browser.cancelDownload', { guid }));
        return;
      }
      const facts = { guid, url: url.slice(0, MAX_URL_UNITS), name: suggestedFilename.slice(0, MAX_NAME_UNITS) };
      const source = this.#sourceOf(frameId);
      const download = new Download({ ...facts, root, folder, source });
      this.#running.set(guid, download);
      room.add(download, download.isAsked);
      void download.ended.then(() => this.#running.delete(guid));
      listener(download);
    });
    root.on('Browser.downloadProgress', ({ guid, receivedBytes, totalBytes, state }) =>
      this.#running.get(guid)?.progressed(receivedBytes, totalBytes, state),
    );
    this.#allow();
  }

  #allow(): void {
    if (!this.#listener || !this.#browser) return;
    const { root, folder } = this.#browser;
    quietly(
      root.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true }),
    );
  }
}

interface DownloadParts {
  readonly guid: string;
  readonly url: string;
  readonly name: string;
  readonly root: CdpSession;
  readonly folder: string;
  readonly source: DownloadSource | undefined;
}

/** See {@link SurrogateDownload}. */
class Download implements SurrogateDownload, SavedDownload {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly ended: Promise<'completed' | 'canceled'>;
  received = 0;
  total: number | undefined;
  readonly #source: DownloadSource | undefined;
  readonly #way: Way;
  readonly #root: CdpSession;
  readonly #file: string;
  readonly #over = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #resolve: (state: 'completed' | 'canceled') => void;
  #state: 'growing' | 'completed' | 'canceled' = 'growing';
  /** Number of times that it may have begun. */
  #starts = 0;

  constructor({ guid, url, name, root, folder, source }: DownloadParts) {
    this.id = guid;
    this.url = url;
    this.#way = source?.wayTo(url) ?? { redirects: [], posted: 0 };
    this.name = name;
    this.#source = source;
    this.#root = root;
    this.#file = path.join(folder, guid);
    const { promise, resolve } = Promise.withResolvers<'completed' | 'canceled'>();
    this.ended = promise;
    const unlisten = onAbort(root.closed, () => this.#end('canceled'));
    this.#resolve = (state) => {
      unlisten();
      resolve(state);
    };
  }

  get redirects(): readonly string[] {
    return this.#way.redirects;
  }

  get posted(): number {
    return this.#way.posted;
  }

  get tab(): SessionTab | undefined {
    return this.#source?.tab;
  }

  get frame(): number | undefined {
    return this.#source?.frame;
  }

  get opener(): SessionTab | undefined {
    return this.#source?.opener;
  }

  get isAsked(): boolean {
    return this.#source?.isAsked === true;
  }

  sourceRead(): void {
    this.#source?.read();
  }

  /** Takes the browser's report of it. */
  progressed(received: number, total: number, state: 'inProgress' | 'completed' | 'canceled'): void {
    if (this.#state !== 'growing') return;
    if (Number.isSafeInteger(received) && received >= 0) {
      if (this.#starts === 0 || received === 0 || received < this.received) this.#starts += 1;
      this.received = received;
    }
    this.total = Number.isSafeInteger(total) && total > 0 ? total : undefined;
    if (state !== 'inProgress') this.#end(state === 'completed' ? 'completed' : 'canceled');
    for (const listener of [...this.#listeners]) listener();
  }

  bytes(): AsyncIterable<Uint8Array> {
    return followedDownload(this.#file, () => ({ state: this.#state, received: this.received }), this.#over.signal);
  }

  async verify(sha256: string): Promise<void> {
    // Chromium begins anew by itself where a site cuts a download and has another file by then: it writes over the bytes that were there.
    if (this.#starts > 1 && (await digestOf(this.#file, this.received, this.#over.signal)) !== sha256)
      throw new AppError('download-changed', 'The file has changed while it was downloaded.');
  }

  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  cancel(): void {
    if (this.#state !== 'growing') return;
    quietly(this.#root.send('Browser.cancelDownload', { guid: this.id }));
    this.#end('canceled');
  }

  get isGrowing(): boolean {
    return this.#state === 'growing';
  }

  get isThere(): boolean {
    return this.#state !== 'canceled' && !this.#over.signal.aborted;
  }

  stop(why: AppError): void {
    this.#over.abort(why);
    this.cancel();
  }

  async sizeOnDisk(): Promise<number> {
    const found = await Promise.all(this.#files().map((file) => lstat(file).catch(() => undefined)));
    // While Chromium renames it, both names may be seen.
    return Math.max(...found.map((each) => (each ? Math.max(each.size, each.blocks * BLOCK_BYTES) : 0)));
  }

  async remove(): Promise<void> {
    this.cancel();
    this.#over.abort();
    // Chromium may create either of them a last time while it stops: the folder goes with the browser in any case.
    for (const file of this.#files()) await rm(file, { force: true }).catch(() => undefined);
  }

  /** Paths of the finished file and of the unfinished one. */
  #files(): readonly string[] {
    return [this.#file, `${this.#file}.crdownload`];
  }

  #end(state: 'completed' | 'canceled'): void {
    if (this.#state !== 'growing') return;
    this.#state = state;
    this.#resolve(state);
  }
}
