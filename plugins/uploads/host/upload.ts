import { randomBytes } from 'node:crypto';
import { AppError, toAppError } from '../../../host/plugin.ts';
import type { DeskFile, FileDesk, FileFindings, Log, Records, SessionTab, StagingArea } from '../../../host/plugin.ts';
import { UPLOAD_END } from '../protocol.ts';
import type { BlockedFile, ChosenFile, UploadBlock, UploadEnd } from '../protocol.ts';
import { pathOf } from './staged-path.ts';

const ID_BYTES = 24;
/** Time for which a file that has been judged stays in the store, in minutes: until the others are, too. */
const KEEP_MINUTES = 600;
const MAX_NAMED = 100;
/** Errors of the store after which no part can follow: a rule that is newer than the file's announcement, a store that began anew without it. */
const ENDING: readonly string[] = ['file-blocked', 'file-unknown', 'file-expired'];

/** Element or place in the page that gets the files. */
export interface FileTarget {
  readonly frame: number;
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
  readonly tab: Pick<SessionTab, 'policy'>;
  readonly site: string;
  /** Of the page. */
  readonly address: string;
  readonly desk: FileDesk;
  readonly stage: () => Promise<StagingArea>;
  readonly listener: UploadListener;
  readonly records: Records;
  readonly log: Log;
}

interface Item {
  readonly chosen: ChosenFile;
  /** There once its first part has come. */
  stored: Promise<DeskFile> | undefined;
  isReceiving: boolean;
  /** All bytes are there. */
  isWhole: boolean;
  /** Undefined until it has been judged. */
  outcome: 'allowed' | UploadBlock | undefined;
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
      isReceiving: false,
      isWhole: false,
      outcome: undefined,
    }));
  }

  /**
   * Takes a part of a file. What has come stays when it breaks off.
   *
   * @throws AppError `upload-over`, `part-out-of-order`, `file-busy`, and as `DeskFile.receive`
   */
  async receive(at: number, offset: number, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const item = this.#items[at];
    if (!item || this.#state !== 'receiving' || item.isWhole)
      throw new AppError('upload-over', 'The host does not wait for this file.');
    if (item.isReceiving) throw new AppError('file-busy', 'A part of this file is on its way.', { retryable: true });
    item.isReceiving = true;
    try {
      const stored = await this.#store(item);
      if (offset !== stored.size) {
        this.#options.listener.progress(at, stored.size);
        throw new AppError('part-out-of-order', `The file has ${stored.size} bytes, this part begins at ${offset}.`);
      }
      const { size } = item.chosen;
      try {
        await stored.receive(bytes, { maxBytes: size, signal: AbortSignal.any([signal, this.#over.signal]) });
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
    } finally {
      item.isReceiving = false;
    }
  }

  #whole(at: number, item: Item, stored: DeskFile): void {
    if (item.isWhole || this.#over.signal.aborted) return;
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

  /** Ends it before the page has anything. Without a reason nobody is notified: the person did it. Idempotent. */
  abort(reason?: UploadEnd): void {
    if (this.#state === 'given' || this.#state === 'over') return;
    this.#state = 'over';
    this.#options.records.count('failed');
    if (reason !== undefined) this.#options.listener.aborted(reason);
    this.#options.target.cancel?.();
    this.#clear();
  }

  /** Removes all that is left of it: the document that has the files has gone. Idempotent. */
  dispose(): void {
    this.abort();
    this.#state = 'over';
    void this.#staged?.remove();
  }

  #store(item: Item): Promise<DeskFile> {
    const { desk, tab, address } = this.#options;
    if (!item.stored) {
      const way = { name: item.chosen.name, tab, direction: 'up', addresses: [address] } as const;
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
      this.#failed(thrown);
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
      outcome === undefined || outcome === 'allowed'
        ? []
        : [{ file, reason: outcome, ...(message !== undefined && { message }) }],
    );
    if (blocked.length === 0) {
      await this.#give();
      return;
    }
    const left = this.#items.length - blocked.length;
    this.#options.listener.blocked(blocked.slice(0, MAX_NAMED), left);
    if (left > 0) this.#state = 'asking';
    else this.abort();
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
      const path = pathOf(target.asFolder ? chosen.path : '', file.name, taken);
      const bytes = await file.bytes(signal);
      await staged.add({ path, bytes, lastModified: chosen.lastModified, signal });
      void file.end({ is: 'canceled' }); // the page has a copy of its own
      count += 1;
    }
    signal.throwIfAborted();
    if (!(await target.give(staged))) {
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

/** Outcome of a judgement; the reasons of the desk are among those of uploads. */
function outcomeOf(state: DeskFile['state']): 'allowed' | UploadBlock {
  if (state.is === 'quarantined') return 'quarantined';
  return state.is === 'blocked' ? (state.reason as UploadBlock) : 'allowed';
}
