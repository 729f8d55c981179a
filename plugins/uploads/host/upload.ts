import { randomBytes } from 'node:crypto';
import { AppError, stagedSize, toAppError } from '../../../host/plugin.ts';
import type { DeskFile, FileDesk, FileFindings, Log, Records, SessionTab, StagingArea } from '../../../host/plugin.ts';
import { UPLOAD_END } from '../protocol.ts';
import type { BlockedFile, ChosenFile, ClientEnd, UploadBlock, UploadEnd } from '../protocol.ts';
import { pathOf } from './staged-path.ts';
import { filesLine } from './transfer-line.ts';

const ID_BYTES = 24;
/** Time for which a file that has been judged stays in the store, in minutes: until the others are, too. */
const KEEP_MINUTES = 600;
const MAX_NAMED = 100;
/** Outcomes in the event file of uploads of which the page has nothing. */
const OUTCOMES = {
  [UPLOAD_END.pageLeft]: 'page-left',
  [UPLOAD_END.host]: 'failed',
  [UPLOAD_END.diskFull]: 'disk-full',
  [UPLOAD_END.changed]: 'changed',
  [UPLOAD_END.notTaken]: 'not-taken',
  [UPLOAD_END.pageFull]: 'page-full',
  [UPLOAD_END.noRoom]: 'no-room',
} as const satisfies Readonly<Record<UploadEnd, string>>;
type UploadOutcome = (typeof OUTCOMES)[UploadEnd] | ClientEnd | 'client-left';
/** Errors of the store after which no part can follow: a rule that is newer than the file's announcement, a store that began anew without it, or that is full of this person's files. */
const ENDING: readonly string[] = ['file-blocked', 'file-unknown', 'file-expired', 'too-many-files'];

/** Element or place in the page that gets the files. */
export interface FileTarget {
  readonly frame: number;
  /** Addresses of its document besides the page's, for the rules of the policy. */
  readonly addresses: readonly string[];
  /** Whether their paths in folders are kept. */
  readonly asFolder: boolean;
  /** Resolves with false where the page does not take them. */
  give(staged: StagingArea): Promise<boolean>;
  /** It gets none. */
  cancel?(): void;
}

/** Events of one upload. */
interface UploadListener {
  progress(file: number, received: number): void;
  password(file: number, isAgain: boolean): void;
  blocked(files: readonly BlockedFile[], left: number): void;
  /** It is over, and the page has nothing. */
  aborted(reason: UploadEnd): void;
  /** The page has the files. */
  completed(): void;
}

interface UploadOptions {
  readonly files: readonly ChosenFile[];
  readonly target: FileTarget;
  /** The page's tab, whose policy is that of the files. */
  readonly tab: Pick<SessionTab, 'id' | 'policy'>;
  readonly site: string;
  /** Of the page, and of the frame that gets the files. */
  readonly addresses: readonly string[];
  readonly desk: FileDesk;
  readonly stage: () => Promise<StagingArea>;
  readonly listener: UploadListener;
  readonly records: Records;
  readonly log: Log;
}

/** A part of a file that is received. */
interface Part {
  readonly over: AbortController;
  /** Resolves once nothing more of it comes. Never rejects. */
  readonly ended: Promise<unknown>;
}

interface Item {
  readonly chosen: ChosenFile;
  /** There once its first part has come. */
  stored: Promise<DeskFile> | undefined;
  /** The last part that came, or comes. */
  part: Part | undefined;
  /** All bytes are there. */
  isWhole: boolean;
  /** Undefined until it has been judged, or the person has left it out. */
  outcome: 'allowed' | 'left-out' | UploadBlock | undefined;
  /** Text of the rule that blocks it. */
  message?: string;
}

/** Files on their way from a person to a page: each is received in parts, judged, and all are given to the page at the end. */
export class Upload {
  /** Secret of the person's session. */
  readonly id = randomBytes(ID_BYTES).toString('base64url');
  readonly #options: UploadOptions;
  readonly #items: readonly Item[];
  readonly #over = new AbortController();
  #staged: StagingArea | undefined;
  #state: 'receiving' | 'asking' | 'giving' | 'given' | 'over' = 'receiving';

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#items = options.files.map((chosen) => ({
      chosen,
      stored: undefined,
      part: undefined,
      isWhole: false,
      outcome: undefined,
    }));
  }

  /**
   * Takes a part of a file, in place of one whose sender may have been cut without a word to this end. Bytes that have come stay.
   *
   * @throws AppError `upload-over`, `part-out-of-order`, `part-replaced`, and as `DeskFile.receive`
   */
  async receive(at: number, offset: number, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const item = this.#growing(at);
    if (!item) throw notWanted();
    const over = new AbortController();
    const signals = AbortSignal.any([signal, over.signal, this.#over.signal]);
    const received = this.#endPart(item).then(() => this.#append(at, offset, bytes, signals));
    item.part = { over, ended: received.catch(() => undefined) };
    await received;
  }

  /** Ends the part of a file that is received: the client has lost it. Resolves with the bytes that are there; null where no more are wanted. */
  async resume(at: number): Promise<number | null> {
    const item = this.#growing(at);
    if (item) await this.#endPart(item);
    if (!item || !this.#growing(at)) return null;
    return (await item.stored?.catch(() => undefined))?.size ?? 0;
  }

  /** A file of which bytes are missing. */
  #growing(at: number): Item | undefined {
    const item = this.#items[at];
    return this.#state === 'receiving' && item?.isWhole === false && !item.outcome ? item : undefined;
  }

  async #endPart({ part }: Item): Promise<void> {
    part?.over.abort(new AppError('part-replaced', 'The client has sent this part anew.', { retryable: true }));
    await part?.ended;
  }

  /** Goes on without a file that the person does not want any more. Does nothing where that is blocked, which the person is asked about. */
  leaveOut(at: number): void {
    const item = this.#items[at];
    if (this.#state !== 'receiving' || !item || (item.outcome && item.outcome !== 'allowed')) return;
    item.outcome = 'left-out';
    const { records, site } = this.#options;
    records.append('transfers', { direction: 'up', site, ...filesLine([item.chosen]), outcome: 'canceled' });
    const ended = this.#endPart(item).then(async () => (await item.stored)?.end({ is: 'canceled' }));
    ended.catch(() => undefined); // it is not in the store
    this.#settle().catch((thrown: unknown) => this.#failed(thrown));
  }

  async #append(at: number, offset: number, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const item = this.#growing(at); // the part before it may have been the last one
    if (!item) throw notWanted();
    try {
      const stored = await this.#store(item);
      if (offset !== stored.size) {
        this.#options.listener.progress(at, stored.size);
        throw new AppError('part-out-of-order', `The file has ${stored.size} bytes, this part begins at ${offset}.`);
      }
      const { size } = item.chosen;
      try {
        await stored.receive(bytes, { maxBytes: size, signal });
      } finally {
        this.#options.listener.progress(at, stored.size);
        // Also where the answer to the last part is lost: the client hears that all is there.
        if (stored.size === size) this.#whole(at, item, stored);
      }
    } catch (thrown) {
      const { code } = toAppError(thrown);
      if (code === 'file-too-large') this.abort(UPLOAD_END.changed);
      else if (code === 'disk-full') this.abort(UPLOAD_END.diskFull);
      else if (ENDING.includes(code)) this.abort(UPLOAD_END.host);
      throw thrown;
    }
  }

  #whole(at: number, item: Item, stored: DeskFile): void {
    if (item.isWhole || item.outcome || this.#over.signal.aborted) return;
    item.isWhole = true;
    void this.#judge(at, item, stored);
  }

  /** Judges an encrypted file again, with its password. Does nothing for others. */
  unlock(at: number, password: string): void {
    const item = this.#items[at];
    const unlocked = item?.stored?.then((stored) => {
      if (stored.state.is === 'locked') void this.#judge(at, item, stored, password);
    });
    unlocked?.catch(() => undefined); // it is not in the store
  }

  /** Gives the page the files that are not blocked. */
  goOn(): void {
    if (this.#state === 'asking') this.#give().catch((thrown: unknown) => this.#failed(thrown));
  }

  /** Ends it before the page has anything, and notifies the client. Idempotent. */
  abort(reason: UploadEnd): void {
    if (this.stop(OUTCOMES[reason])) this.#options.listener.aborted(reason);
  }

  /** Ends it before the page has anything. The client is not notified: it did it, or is gone. Idempotent; answers whether it did end it. */
  stop(outcome: UploadOutcome): boolean {
    if (this.#state === 'given' || this.#state === 'over') return false;
    const { records, site } = this.#options;
    const files = this.#items.filter((item) => item.outcome !== 'left-out').map(({ chosen }) => chosen);
    records.append('transfers', { direction: 'up', site, ...filesLine(files), outcome });
    this.#end();
    return true;
  }

  #end(): void {
    this.#state = 'over';
    this.#options.records.count('failed');
    this.#options.target.cancel?.();
    this.#clear();
  }

  /** Removes all that is left of it: the document that has the files has gone. Idempotent. */
  dispose(): void {
    this.stop('page-left');
    this.#state = 'over';
    void this.#staged?.remove();
  }

  #store(item: Item): Promise<DeskFile> {
    const { desk, tab, addresses } = this.#options;
    if (!item.stored) {
      const way = { name: item.chosen.name, tab, direction: 'up', addresses } as const;
      const begun = desk.begin({ ...way, keepMinutes: KEEP_MINUTES });
      item.stored = begun;
      begun.catch(() => (item.stored = undefined)); // its caller gets the error; the next part tries again
    }
    return item.stored;
  }

  /** Never rejects. */
  async #judge(at: number, item: Item, stored: DeskFile, password?: string): Promise<void> {
    const { listener, records } = this.#options;
    try {
      await stored.complete();
      const signal = this.#over.signal;
      const findings = await stored.judge({ signal, ...(password !== undefined && { password }) });
      const { state } = stored;
      if (item.outcome === 'left-out') return;
      if (state.is === 'locked') {
        listener.password(at, state.attempt > 1);
        return;
      }
      item.outcome = outcomeOf(state);
      if ('message' in state) item.message = state.message;
      if (item.outcome !== 'allowed') records.count(item.outcome === 'quarantined' ? 'quarantined' : 'blocked');
      this.#note(stored, item, findings);
      await this.#settle();
    } catch (thrown) {
      if (item.outcome !== 'left-out') this.#failed(thrown); // else the store has ended it
    }
  }

  #failed(thrown: unknown): void {
    if (this.#over.signal.aborted) return;
    const { code, message } = toAppError(thrown);
    this.#options.log.warn('an upload has failed', { code, error: message });
    this.abort(code === 'disk-full' ? UPLOAD_END.diskFull : UPLOAD_END.host);
  }

  /** Once all files have been judged. */
  async #settle(): Promise<void> {
    if (this.#state !== 'receiving' || this.#items.some(({ outcome }) => outcome === undefined)) return;
    const blocked = this.#items.flatMap(({ outcome, message }, file): BlockedFile[] =>
      outcome === undefined || outcome === 'allowed' || outcome === 'left-out'
        ? []
        : [{ file, reason: outcome, ...(message !== undefined && { message }) }],
    );
    const left = this.#items.filter(({ outcome }) => outcome === 'allowed').length;
    if (blocked.length === 0 && left > 0) {
      await this.#give();
      return;
    }
    if (blocked.length > 0) this.#options.listener.blocked(blocked.slice(0, MAX_NAMED), left);
    if (left > 0) this.#state = 'asking';
    else this.#end(); // each file has its line
  }

  /** Whether it has ended, and the page has none of its files. */
  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** Bytes that its files take on the disk where pages read them, or may take there later. */
  get room(): number {
    if (this.isOver) return 0;
    const wanted = this.#items.filter(({ outcome }) => outcome === undefined || outcome === 'allowed');
    return roomFor(wanted.map(({ chosen }) => chosen));
  }

  /** Puts the files into a folder that the surrogate reads, and gives them to the page. */
  async #give(): Promise<void> {
    this.#state = 'giving';
    const { stage, target, listener, records } = this.#options;
    const { signal } = this.#over;
    const staged = await stage();
    this.#staged = staged;
    if (signal.aborted) await staged.remove();
    signal.throwIfAborted();
    const taken = new Map<string, number>();
    let count = 0;
    for (const { chosen, stored, outcome } of this.#items) {
      if (outcome !== 'allowed' || !stored) continue;
      const file = await stored;
      const path = pathOf({ ...chosen, safe: file.name }, target.asFolder, taken);
      const bytes = await file.bytes(signal);
      await staged.add({ path, bytes, lastModified: chosen.lastModified, signal });
      void file.end({ is: 'canceled' }); // the page has a copy of its own
      count += 1;
    }
    signal.throwIfAborted();
    const isTaken = await target.give(staged);
    signal.throwIfAborted(); // it has ended meanwhile: its files are gone
    if (!isTaken) {
      this.abort(UPLOAD_END.notTaken);
      return;
    }
    this.#state = 'given';
    records.count('given', count);
    listener.completed();
  }

  #note(
    { name, size, sha256, state }: DeskFile,
    { chosen, outcome }: Item,
    { type, verdict, reason }: FileFindings,
  ): void {
    const judged = { type: type.mime, declared: chosen.type, verdict, reason, outcome };
    const event = { direction: 'up', site: this.#options.site, name, size, ...judged };
    const rule = 'checks' in state ? state.checks.find((check) => check.rule !== undefined)?.rule : undefined;
    const known = { ...(sha256 !== undefined && { sha256 }), ...(rule !== undefined && { rule }) };
    this.#options.records.append('transfers', { ...event, ...known });
  }

  #clear(): void {
    this.#over.abort(new AppError('upload-over', 'The upload is over.'));
    for (const { stored } of this.#items)
      void stored?.then((file) => file.end({ is: 'canceled' })).catch(() => undefined); // it is not in the store
    void this.#staged?.remove();
  }
}

/** Bytes on the disk that files take where pages read them. */
export function roomFor(files: readonly Pick<ChosenFile, 'size' | 'path'>[]): number {
  return files.reduce((sum, { size, path }) => sum + stagedSize(size, path.split('/').length + 1), 0);
}

const notWanted = (): AppError => new AppError('upload-over', 'The host does not wait for this file.');

/** Outcome of a judgement; the reasons of the desk are among those of uploads. */
function outcomeOf(state: DeskFile['state']): 'allowed' | UploadBlock {
  if (state.is === 'quarantined') return 'quarantined';
  return state.is === 'blocked' ? (state.reason as UploadBlock) : 'allowed';
}
