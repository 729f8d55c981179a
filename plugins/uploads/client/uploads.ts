import { AppError } from '../../../core/index.ts';
import { UPLOAD_END } from '../protocol.ts';
import type { ClientEnd, UploadEnd } from '../protocol.ts';
import { FILE_CHANGED } from './send-file.ts';

/** State of an upload. */
type UploadState = 'sending' | 'paused' | 'checking' | 'locked' | 'done' | 'blocked' | 'failed';

/** How an upload has ended. */
interface Ended {
  readonly state: 'done' | 'blocked' | 'failed';
  /** Id of the text that says why. */
  readonly reason?: string;
  /** Text of the rule that blocks it. */
  readonly message?: string;
  /** Where there was no room: the size that all files of pages may have, in MiB. */
  readonly most?: number;
}

/** An upload, of one file or of several. */
interface UploadFacts {
  /** Of the first file. */
  readonly name: string;
  readonly count: number;
  readonly size: number;
}

/** A row of the tray, as the next document of the tab gets to know it. */
export interface KeptUpload extends UploadFacts {
  /** Absent: it was not over. */
  readonly ended?: Ended | undefined;
}

/** A file of several, of which bytes have not left. */
interface UnsentFile {
  /** Place in the upload. */
  readonly at: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
}

/** A row of the tray. */
export interface UploadRow extends UploadFacts, Omit<Ended, 'state'> {
  readonly id: number;
  readonly sent: number;
  readonly state: UploadState;
  /** The next ones of several that are sent. */
  readonly next?: readonly UnsentFile[];
}

/** Files of an upload that are listed at a time. */
const MAX_NEXT = 5;

const ENDS: Readonly<Record<UploadEnd, string>> = {
  [UPLOAD_END.pageLeft]: 'uploads.page-left',
  [UPLOAD_END.host]: 'uploads.host-failed',
  [UPLOAD_END.diskFull]: 'uploads.disk-full',
  [UPLOAD_END.changed]: 'uploads.changed',
  [UPLOAD_END.notTaken]: 'uploads.not-taken',
  [UPLOAD_END.pageFull]: 'uploads.page-full',
  [UPLOAD_END.noRoom]: 'uploads.no-room',
};

/** Errors after which nothing more can be sent; after others the person may try again. */
const ENDING: ReadonlyMap<string, { readonly reason: string; readonly why: ClientEnd }> = new Map([
  [FILE_CHANGED, { reason: 'uploads.changed', why: 'changed' }],
  ['channel-dead', { reason: 'uploads.connection-lost', why: 'failed' }],
]);

interface Running {
  readonly files: readonly File[];
  readonly over: AbortController;
  /** Bytes of each file that have left. */
  readonly sent: number[];
  /** Bytes of all files that the person wants, and of those the ones that have left. */
  size: number;
  sentSize: number;
  /** Places of files that the person does not want any more. */
  readonly without: Set<number>;
  /** Ends the file that is sent. */
  file: AbortController;
  /** Name of the upload at the host, once it has one. */
  uploadId?: string;
  /** Place of the file that is sent, or could not be sent. */
  at: number;
  /** The state of the row while nothing is asked of the person. */
  phase: 'sending' | 'paused' | 'checking';
}

interface UploadsOptions {
  /** Sends one file. */
  readonly send: (file: File, at: number, running: SendFacts) => Promise<void>;
  /** It has ended here, before the host has all files. */
  readonly abort: (id: number, why: ClientEnd) => void;
  /** It goes on without a file. */
  readonly leaveOut: (id: number, at: number) => void;
  readonly onFault: (thrown: unknown) => void;
  /** The tray appears or disappears. */
  readonly onShown: (isShown: boolean) => void;
  /** The rows for the next document of the tab, whenever something changes. */
  readonly keep: (uploads: readonly KeptUpload[]) => void;
}

interface SendFacts {
  readonly id: number;
  readonly uploadId: string;
  /** Sent before, for a part. */
  readonly isAgain: boolean;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** The uploads of the tab. */
export class Uploads {
  readonly #options: UploadsOptions;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<number, Running>();
  #rows: readonly UploadRow[] = [];
  #news: number | undefined;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** The newest first. */
  readonly rows = (): readonly UploadRow[] => this.#rows;

  /** The row that has last come to a state in which nothing goes on by itself, and is still there. */
  readonly news = (): UploadRow | undefined => {
    const row = this.#find(this.#news);
    return row && isNews(row.state) ? row : undefined;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(id: number, files: readonly File[]): void {
    const [over, file] = [new AbortController(), new AbortController()];
    const none = { sent: files.map(() => 0), sentSize: 0, without: new Set<number>(), at: 0 };
    const size = files.reduce((sum, each) => sum + each.size, 0);
    const running: Running = { files, size, over, file, ...none, phase: 'sending' };
    this.#running.set(id, running);
    this.#set([{ id, state: 'sending', ...amountsOf(running) }, ...this.#rows]);
  }

  /**
   * Lists the rows of an earlier document of the tab. Their ids are none of the host's. `reason`: the text for those that were not over, whose files
   * have gone with the document.
   */
  addKept(uploads: readonly KeptUpload[], reason: string): void {
    const rows = uploads.map(({ ended = { state: 'failed', reason }, ...facts }, at): UploadRow => {
      const sent = ended.state === 'done' ? facts.size : 0;
      return { id: -1 - at - this.#rows.length, ...facts, sent, ...ended };
    });
    this.#news = rows.find((_row, at) => !uploads[at]?.ended)?.id ?? this.#news;
    this.#set([...this.#rows, ...rows]);
  }

  /** Sends the files, one after the other. */
  async start(id: number, uploadId: string): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    running.uploadId = uploadId;
    await this.#run(id, running, uploadId, false);
  }

  /** Goes on with one whose connection has failed. */
  async retry(id: number): Promise<void> {
    const running = this.#running.get(id);
    if (running?.uploadId === undefined || running.phase !== 'paused') return;
    this.#enter(id, running, 'sending');
    await this.#run(id, running, running.uploadId, true);
  }

  async #run(id: number, running: Running, uploadId: string, isAgain: boolean): Promise<void> {
    const { files, over } = running;
    const first = running.at;
    try {
      for (const [at, file] of files.entries()) {
        if (at < first || running.without.has(at)) continue;
        running.at = at;
        running.file = new AbortController();
        const onSent = (bytes: number): void => this.#sent(id, running, at, bytes);
        const { signal } = running.file;
        const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        const facts = { id, uploadId, isAgain: isAgain && at === first, onSent };
        const sent = this.#options.send(file, at, { ...facts, signal: AbortSignal.any([over.signal, signal]) });
        await Promise.race([sent, left]); // the request of one that is left out may stay without an answer
      }
      this.#enter(id, running, 'checking');
    } catch (thrown) {
      if (over.signal.aborted) return;
      this.#options.onFault(thrown);
      const code = thrown instanceof AppError ? thrown.code : '';
      const end = ENDING.get(code);
      if (!end) {
        this.#enter(id, running, 'paused');
        return;
      }
      this.#end(id, { state: 'failed', reason: end.reason });
      this.#options.abort(id, end.why);
    }
  }

  /** The host has so many bytes of a file. */
  received(id: number, file: number, bytes: number): void {
    const running = this.#running.get(id);
    if (running && file < running.sent.length) this.#sent(id, running, file, bytes);
  }

  /** Aborted once an upload has ended. */
  signal(id: number): AbortSignal {
    return this.#running.get(id)?.over.signal ?? AbortSignal.abort();
  }

  fileName(id: number, file: number): string {
    return this.#running.get(id)?.files[file]?.name ?? '';
  }

  locked(id: number): void {
    this.#change(id, { state: 'locked' });
  }

  /** Its password has been said. */
  unlocked(id: number): void {
    const running = this.#running.get(id);
    if (running) this.#change(id, { state: running.phase });
  }

  done(id: number): void {
    this.#end(id, { state: 'done' });
  }

  blocked(id: number, reason: string, message?: string): void {
    this.#end(id, { state: 'blocked', reason, ...(message !== undefined && { message }) });
  }

  aborted(id: number, reason: UploadEnd, most?: number): void {
    this.#end(id, { state: 'failed', reason: ENDS[reason], ...(most !== undefined && { most }) });
  }

  /** The person stops one. */
  cancel(id: number): void {
    this.#options.abort(id, 'canceled');
    this.#end(id, { state: 'failed', reason: 'uploads.canceled' });
  }

  /** The person does not want one of its files any more; without the last one it is over. */
  leaveOut(id: number, at: number): void {
    const running = this.#running.get(id);
    if (!running || running.without.has(at)) return;
    if (running.without.size === running.files.length - 1) {
      this.cancel(id);
      return;
    }
    running.without.add(at);
    running.size -= running.files[at]?.size ?? 0;
    running.sentSize -= running.sent[at] ?? 0;
    this.#options.leaveOut(id, at);
    if (running.at === at) running.file.abort();
    this.#change(id, amountsOf(running));
  }

  /** Takes a row away. */
  remove(id: number): void {
    this.#running.delete(id);
    this.#set(this.#rows.filter((each) => each.id !== id));
  }

  /** Takes all rows away that are over. */
  close(): void {
    this.#set(this.#rows.filter(({ state }) => !isOver(state)));
  }

  dispose(): void {
    for (const { over } of this.#running.values()) over.abort();
  }

  #end(id: number, ended: Ended): void {
    this.#running.get(id)?.over.abort();
    this.#running.delete(id);
    this.#change(id, ended);
  }

  /** The row shows it once the person has answered what they are asked. */
  #enter(id: number, running: Running, phase: Running['phase']): void {
    running.phase = phase;
    if (this.#find(id)?.state !== 'locked') this.#change(id, { state: phase });
  }

  #sent(id: number, running: Running, file: number, bytes: number): void {
    if (running.without.has(file)) return;
    running.sentSize += bytes - (running.sent[file] ?? 0);
    running.sent[file] = bytes;
    this.#change(id, amountsOf(running));
  }

  #find(id: number | undefined): UploadRow | undefined {
    return this.#rows.find((each) => each.id === id);
  }

  #change(id: number, change: Partial<UploadRow>): void {
    const { state } = change;
    if (state !== undefined && isNews(state) && this.#find(id)?.state !== state) this.#news = id;
    this.#set(this.#rows.map((each) => (each.id === id && !isOver(each.state) ? { ...each, ...change } : each)));
  }

  #set(rows: readonly UploadRow[]): void {
    const wasShown = this.#rows.length > 0;
    this.#rows = rows;
    if (wasShown !== rows.length > 0) this.#options.onShown(!wasShown);
    this.#options.keep(rows.map(kept));
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Names and amounts of a row, without the files that are left out. Called for each part that has left: no walk through all files. */
function amountsOf({
  files,
  sent,
  size,
  sentSize,
  without,
  at: first,
}: Running): UploadFacts & Pick<UploadRow, 'sent' | 'next'> {
  const next: UnsentFile[] = [];
  for (let at = first; at < files.length && next.length < MAX_NEXT; at++) {
    const file = files[at];
    const bytes = sent[at] ?? 0;
    if (file && bytes < file.size && !without.has(at)) next.push({ at, name: file.name, size: file.size, sent: bytes });
  }
  const name = files.find((_file, at) => !without.has(at))?.name ?? '';
  const count = files.length - without.size;
  return { name, count, size, sent: sentSize, ...(files.length > 1 && { next }) };
}

function kept({ name, count, size, state, reason, message, most }: UploadRow): KeptUpload {
  if (!isOver(state)) return { name, count, size };
  const why = { ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
  return { name, count, size, ended: { state, ...why, ...(most !== undefined && { most }) } };
}

/** Whether a person who does not look has to know of it. */
const isNews = (state: UploadState): boolean => isOver(state) || state === 'locked' || state === 'paused';

/** Whether nothing more happens to a row. */
export function isOver(state: UploadState): state is Ended['state'] {
  return state === 'done' || state === 'blocked' || state === 'failed';
}
