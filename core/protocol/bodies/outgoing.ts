import type { ByteSource } from '../body.ts';
import { AppError, toAppError } from '../errors.ts';
import { INITIAL_CREDIT, PIECE_BYTES } from './pieces.ts';
import type { Piece } from './pieces.ts';

const NOTHING = new Uint8Array();

/** Options of an outgoing body. */
interface OutgoingBodyOptions {
  readonly id: number;
  readonly source: ByteSource;
  readonly maxBytes: number;
  /** The receiver has taken some of it. */
  readonly onProgress: () => void;
  /** The source has given something, or ended. */
  readonly onReady: () => void;
  /** The source has failed. */
  readonly onFailed: (fault: AppError) => void;
}

/** A body that is being sent: asks its source for more once what it gave has been handed over, as far as the receiver's credit goes. */
export class OutgoingBody {
  readonly id: number;
  readonly #options: OutgoingBodyOptions;
  readonly #source: AsyncIterator<Uint8Array> | undefined;
  #chunk: Uint8Array = NOTHING;
  #isEnded = false;
  #isPulling = false;
  #isOver = false;
  #pulled = 0;
  #sent = 0;
  #credit = INITIAL_CREDIT;
  #movedAt = Date.now();

  constructor(options: OutgoingBodyOptions) {
    this.#options = options;
    this.id = options.id;
    const { source } = options;
    if (Symbol.asyncIterator in source) this.#source = source[Symbol.asyncIterator]();
    else {
      this.#chunk = source;
      this.#isEnded = true;
    }
  }

  /** The next piece that may go now. Undefined: there is none, or no credit for it. */
  next(): Piece | undefined {
    if (this.#isOver) return undefined;
    if (this.#chunk.length === 0 && !this.#isEnded) {
      void this.#pull();
      return undefined;
    }
    const size = Math.min(this.#chunk.length, PIECE_BYTES, this.#credit - this.#sent);
    if (size <= 0 && this.#chunk.length > 0) return undefined;
    const bytes = this.#chunk.subarray(0, size);
    this.#chunk = this.#chunk.subarray(size);
    this.#sent += size;
    this.#movedAt = Date.now();
    this.#isOver = this.#isEnded && this.#chunk.length === 0;
    return { id: this.id, bytes, isLast: this.#isOver };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The receiver takes so many bytes in all. */
  credit(bytes: number): void {
    if (bytes <= this.#credit) return;
    this.#credit = bytes;
    this.#movedAt = Date.now();
    this.#options.onProgress();
  }

  /** Whether something has waited to be sent since then. */
  isStalledSince(time: number): boolean {
    return this.#chunk.length > 0 && this.#movedAt < time;
  }

  /** Sends no more, and lets the source go. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#chunk = NOTHING;
    this.#source?.return?.().catch(() => undefined); // nobody waits for it any more
  }

  async #pull(): Promise<void> {
    if (this.#isPulling || !this.#source) return;
    this.#isPulling = true;
    try {
      const next = await this.#source.next();
      if (this.#isOver) return;
      this.#movedAt = Date.now();
      if (next.done) this.#isEnded = true;
      else if (!ArrayBuffer.isView(next.value)) throw new AppError('bad-body', 'a body is made of Uint8Arrays');
      else {
        this.#pulled += next.value.length;
        if (this.#pulled > this.#options.maxBytes) throw tooLarge(this.#options.maxBytes);
        this.#chunk = next.value;
      }
      this.#isPulling = false;
      this.#options.onReady();
    } catch (thrown) {
      if (this.#isOver) return;
      this.stop();
      this.#options.onFailed(toAppError(thrown, 'body-failed'));
    }
  }
}

/** A body is larger than its message says. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('body-too-large', `a body of more than ${maxBytes} bytes`);
}
