import { onAbort } from '../../../../core/protocol/on-abort.ts';
import { AppError } from '../../../../host/plugin.ts';
import type { AppendOptions } from './contract.ts';
import type { DataFile } from './data-file.ts';
import { diskError } from './disk.ts';
import { BreakableSource, Waiting } from './waiting.ts';

/** Most bytes of one call of {@link Content.read}. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Bytes that a stream of a file that is to go gives in each time, in ms, at least: a person who is saving it gets all of it, but nobody keeps it for ever. */
const SLOWEST_BYTES = 1024 * 1024;
const SLOWEST_MS = 60_000;

interface ContentOptions {
  readonly now: () => number;
  /** Called for what goes wrong and concerns no caller. */
  readonly report: (message: string, thrown: unknown) => void;
  readonly sha256: string | undefined;
}

/** The bytes of a file, and the state that they are in. Methods throw as those of `StoredFile`. */
export class Content {
  readonly #data: DataFile;
  readonly #now: () => number;
  readonly #report: (message: string, thrown: unknown) => void;
  readonly #waiting = new Waiting();
  /** Source that is being appended. */
  #source: BreakableSource | undefined;
  #isBusy = false;
  /** Streams that are read, with the bytes that they have given since they were looked at. */
  readonly #streams = new Set<{ given: number }>();
  /** Reason to discard the bytes once there are none, and the look at them. */
  #unread: { readonly reason: AppError; readonly looks: NodeJS.Timeout } | undefined;
  /** Reason that there are no bytes any more. */
  #gone: AppError | undefined;
  #sha256: string | undefined;
  #changedAt: number;

  /** @param sha256 of a file that is complete already */
  constructor(data: DataFile, { now, report, sha256 }: ContentOptions) {
    this.#data = data;
    this.#now = now;
    this.#report = report;
    this.#sha256 = sha256;
    this.#changedAt = now();
  }

  get state(): 'growing' | 'complete' | 'failed' {
    if (this.#gone) return 'failed';
    return this.#sha256 === undefined ? 'growing' : 'complete';
  }

  get failure(): string | undefined {
    return this.#gone?.code;
  }

  get size(): number {
    return this.#data.size;
  }

  get sha256(): string | undefined {
    return this.#sha256;
  }

  /** Time of the last byte, of the completion or of the failure, in ms. */
  get changedAt(): number {
    return this.#changedAt;
  }

  async append(source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<void> {
    const { offset, signal } = options;
    this.#mayChange();
    if (this.#sha256 !== undefined) throw new AppError('file-complete', 'The file is complete.');
    if (offset !== this.size)
      throw new AppError('part-out-of-order', `The file has ${this.size} bytes, this part begins at ${offset}.`, {
        data: { size: this.size },
      });
    signal?.throwIfAborted();
    const steps = new BreakableSource(source);
    this.#isBusy = true;
    this.#source = steps;
    const forget = signal && onAbort(signal, () => steps.giveUp(asError(signal.reason)));
    try {
      try {
        await this.#take(steps, options);
      } finally {
        await this.#write(() => this.#data.flush());
      }
      this.mustBeThere();
    } finally {
      forget?.();
      steps.close();
      this.#source = undefined;
      this.#isBusy = false;
    }
  }

  async complete(): Promise<void> {
    this.#mayChange();
    if (this.#sha256 !== undefined) return;
    this.#isBusy = true;
    try {
      const sha256 = await this.#write(() => this.#data.finish());
      this.mustBeThere();
      this.#sha256 = sha256;
    } finally {
      this.#isBusy = false;
    }
    this.#changed();
  }

  /** Removes the bytes. All who wait, and all later calls, get the reason. Where they cannot be removed, that is reported. */
  async discard(reason: AppError): Promise<void> {
    this.#gone = reason;
    clearInterval(this.#unread?.looks);
    this.#source?.giveUp(reason);
    this.#changed();
    await this.#data.discard().catch((thrown: unknown) => this.#report('the bytes of a file were not removed', thrown));
  }

  /** The same of a complete file once nobody reads a stream of it any more, or too slowly. */
  async discardUnread(reason: AppError): Promise<void> {
    if (this.#streams.size === 0 || this.#sha256 === undefined) {
      await this.discard(reason);
      return;
    }
    for (const stream of this.#streams) stream.given = 0;
    this.#unread ??= { reason, looks: setInterval(() => this.#endSlow(), SLOWEST_MS).unref() };
  }

  #endSlow(): void {
    for (const stream of this.#streams) {
      if (stream.given < SLOWEST_BYTES) this.#streams.delete(stream);
      stream.given = 0;
    }
    this.#discardIfUnread();
  }

  #discardIfUnread(): void {
    if (this.#streams.size === 0 && this.#unread) void this.discard(this.#unread.reason);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    mustBePlace(offset);
    mustBePlace(length);
    if (length > MAX_READ_BYTES) throw new AppError('bad-range', `More than ${MAX_READ_BYTES} bytes at once.`);
    this.mustBeThere();
    const end = Math.min(offset + length, this.size);
    if (offset >= end) return new Uint8Array(0);
    const first = await this.#reading(() => this.#data.readSome(offset, end));
    if (first.length === end - offset) return first;
    const bytes = new Uint8Array(end - offset);
    bytes.set(first);
    for (let at = offset + first.length; at < end;) {
      for (const chunk of await this.#reading(() => this.#data.read(at, end))) {
        bytes.set(chunk, at - offset);
        at += chunk.length;
      }
    }
    return bytes;
  }

  async *stream(from: number, to: number, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    const stream = { given: 0 };
    this.#streams.add(stream);
    const mustGoOn = (): void => {
      this.mustBeThere();
      if (!this.#streams.has(stream)) throw new AppError('file-unknown', 'The file is read too slowly.');
    };
    try {
      for (let at = from; at < to;) {
        signal?.throwIfAborted();
        mustGoOn();
        if (at < this.size) {
          const place = at;
          for (const chunk of await this.#reading(() => this.#data.read(place, to))) {
            mustGoOn();
            at += chunk.length;
            stream.given += chunk.length;
            yield chunk;
          }
        } else if (this.#sha256 !== undefined) return;
        else await this.#waiting.change(signal);
      }
    } finally {
      this.#streams.delete(stream);
      this.#discardIfUnread();
    }
  }

  /** @throws AppError the reason that it is gone for */
  mustBeThere(): void {
    // Each caller gets an error of its own, with a stack that leads to it.
    if (this.#gone) throw new AppError(this.#gone.code, this.#gone.message, { cause: this.#gone });
  }

  async #take(steps: BreakableSource, { maxBytes, onTaken }: AppendOptions): Promise<void> {
    for (let part = await steps.next(); part !== undefined; part = await steps.next()) {
      if (part.length === 0) continue; // which keeps no file from expiring
      this.mustBeThere();
      if (this.size + part.length > maxBytes)
        throw await this.#fail(
          new AppError('file-too-large', `The file has more than ${maxBytes} bytes.`, { data: { maxBytes } }),
        );
      for (let at = 0; at < part.length;) {
        at += this.#data.add(part.subarray(at));
        if (!this.#data.isBatch) continue;
        await this.#write(() => this.#data.flush());
        this.mustBeThere();
      }
      onTaken?.(part);
      this.#changed();
    }
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (thrown) {
      this.mustBeThere();
      const error = diskError(thrown);
      if (error.code === 'file-damaged') this.#report('a file was changed on the disk', thrown);
      throw error;
    } finally {
      this.mustBeThere();
    }
  }

  /** Has something written. Where that cannot be done the file has failed: a chunk is never sealed again. */
  async #write<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (thrown) {
      this.mustBeThere();
      throw await this.#fail(diskError(thrown));
    }
  }

  async #fail(reason: AppError): Promise<AppError> {
    await this.discard(reason);
    return reason;
  }

  #mayChange(): void {
    this.mustBeThere();
    if (this.#isBusy) throw new AppError('file-busy', 'Something is being appended to the file.', { retryable: true });
  }

  #changed(): void {
    this.#changedAt = this.#now();
    this.#waiting.changed();
  }
}

/** @throws AppError `bad-range` for a number that is no place in a file */
export function mustBePlace(number: number): void {
  if (!Number.isSafeInteger(number) || number < 0) throw new AppError('bad-range', `${number} is no place in a file.`);
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
