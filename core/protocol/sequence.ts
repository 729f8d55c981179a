import { AppError } from './errors.ts';

/** Limits of the messages that an outbox keeps until the other side acknowledges them: past either of them, it overflows. */
export const OUTBOX_MAX_BYTES = 8 * 1024 * 1024;
export const OUTBOX_MAX_MESSAGES = 2000;
/** How far ahead of the first missing number a message may be: lanes overtake each other, but not without end. */
export const INBOX_WINDOW = 4096;

/** A message that waits for its acknowledgement. */
interface Kept<T> {
  readonly seq: number;
  bytes: number;
  readonly item: T;
  /** When it was first sent, in the caller's milliseconds. */
  readonly at: number;
}

/**
 * The sending half of a logical channel: numbers messages from 1 and keeps them until they are acknowledged, so that they can be
 * sent again over another transport. Past its bounds it forgets and says so: the channel then needs a resync.
 */
export class Outbox<T> {
  readonly #kept: Kept<T>[] = [];
  #bytes = 0;
  #last = 0;
  #acked = 0;
  #overflowed = false;

  /** Numbers and keeps a message. */
  add(item: T, bytes: number, at: number): Kept<T> {
    const kept = { seq: ++this.#last, bytes, item, at };
    this.#kept.push(kept);
    this.#bytes += bytes;
    while (this.#bytes > OUTBOX_MAX_BYTES || this.#kept.length > OUTBOX_MAX_MESSAGES) {
      this.#overflowed = true;
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
    return kept;
  }

  /** All up to `seq` has arrived. @throws AppError `bad-sequence` for a number that was never sent. */
  acknowledge(seq: number): void {
    if (!Number.isSafeInteger(seq) || seq > this.#last)
      throw new AppError('bad-sequence', `acknowledged ${seq} of ${this.#last}`);
    if (seq <= this.#acked) return;
    this.#acked = seq;
    while (this.#kept[0] && this.#kept[0].seq <= seq) this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    if (this.#kept[0] === undefined || this.#kept[0].seq === seq + 1) this.#overflowed = false;
  }

  /** A kept message has lost so many bytes. */
  lighten(kept: Kept<T>, bytes: number): void {
    kept.bytes -= bytes;
    this.#bytes -= bytes;
  }

  /** Messages to send again on a new transport, in order. */
  unacknowledged(): readonly Kept<T>[] {
    return this.#kept;
  }

  /** When the oldest unacknowledged message was sent; undefined when none waits (M-045). */
  oldestAt(): number | undefined {
    return this.#kept[0]?.at;
  }

  /** True when messages that never arrived have been forgotten. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get last(): number {
    return this.#last;
  }
}

/** The receiving half: says which messages are new, whatever order they come in, and what to acknowledge. */
export class Inbox {
  #contiguous = 0;
  readonly #ahead = new Set<number>();

  /** True when the message is new; false for one that has been delivered already. @throws AppError `bad-sequence`. */
  accept(seq: number): boolean {
    if (!Number.isSafeInteger(seq) || seq < 1 || seq > this.#contiguous + INBOX_WINDOW)
      throw new AppError('bad-sequence', `message ${seq} after ${this.#contiguous}`);
    if (seq <= this.#contiguous || this.#ahead.has(seq)) return false;
    this.#ahead.add(seq);
    while (this.#ahead.delete(this.#contiguous + 1)) this.#contiguous += 1;
    return true;
  }

  /** Gives up waiting for messages up to `seq`. @throws AppError `bad-sequence`. */
  skip(seq: number): void {
    if (!Number.isSafeInteger(seq) || seq < 0) throw new AppError('bad-sequence', `skipped to ${seq}`);
    if (seq <= this.#contiguous) return;
    this.#contiguous = seq;
    for (const ahead of this.#ahead) if (ahead <= seq) this.#ahead.delete(ahead);
    while (this.#ahead.delete(this.#contiguous + 1)) this.#contiguous += 1;
  }

  /** True when something has arrived whose predecessor has not. */
  get isMissing(): boolean {
    return this.#ahead.size > 0;
  }

  /** Everything up to this number has arrived: what to acknowledge. */
  get acknowledged(): number {
    return this.#contiguous;
  }
}
