import { OP } from '../ops.ts';
import type { Batch } from '../ops.ts';

/** Minimum interval between two requests to send a frame again, in ms (M-051). */
const RESYNC_INTERVAL_MS = 1000;

/** The order of a frame's batches, over all its epochs: one that is missing has all of them asked for again. */
export class BatchOrder {
  readonly #onLost: (reason?: string) => void;
  #epoch: number | undefined;
  #seq = 0;
  #isLost = false;
  #lostAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onLost asks for the frame again: no more often than its interval, and not once a document has come meanwhile */
  constructor(onLost: (reason?: string) => void) {
    this.#onLost = onLost;
  }

  /** The epoch of the newest document; none before the first. */
  get epoch(): number | undefined {
    return this.#epoch;
  }

  /** Takes a batch: `new` begins a document, `next` goes on with it, `old` is to be dropped, `gap` comes where others are missing. */
  take({ epoch, seq, ops: [doc] }: Batch): 'new' | 'next' | 'old' | 'gap' {
    const isSame = epoch === this.#epoch;
    const isNew = doc?.[0] === OP.doc && (this.#isLost || !isSame || seq === this.#seq + 1);
    if (!isNew) {
      if (this.#isLost || !isSame || seq > this.#seq + 1) return 'gap';
      if (seq < this.#seq) return 'old'; // the host numbers its own ops like the last batch
    }
    this.#seq = seq;
    if (!isNew) return 'next';
    this.#epoch = epoch;
    this.#isLost = false;
    return 'new';
  }

  /** The frame's content is not known any more: a new document has to come. */
  lose(reason?: string): void {
    this.#isLost = true;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        if (!this.#isLost) return;
        this.#lostAt = performance.now();
        this.#onLost(reason);
      },
      this.#lostAt + RESYNC_INTERVAL_MS - performance.now(),
    );
  }

  /** Waits for a first document. */
  reset(): void {
    this.#epoch = undefined;
    this.#isLost = false;
  }
}
