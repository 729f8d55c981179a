import { AppError } from '../../core/protocol/errors.ts';
import type { FlowPlace } from './outflow.ts';
import { giveBack, memoryFor } from './pieces.ts';
import { creditFrame, KIND, malformed } from './wire.ts';
import type { CreditSource } from './writer.ts';

/** Received bytes that are not consumed, of all flows of a link. */
export interface Received {
  bytes: number;
}

const overrun = (what: string): AppError =>
  new AppError('link-overrun', `The other side has sent more than its credit allows: ${what}.`);

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = memoryFor(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The receiving half of a body or stream: chunks that wait to be consumed, and the credit owed for those that are. */
export class Inflow implements CreditSource {
  readonly #place: FlowPlace;
  readonly #received: Received;
  readonly #windowBytes: number;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #queue: Uint8Array[] = [];
  #head = 0;
  #bytes = 0;
  #chunks = 0;
  #owedBytes = 0;
  #owedChunks = 0;
  #state: 'open' | 'ended' | 'discarded' = 'open';
  /** Called when a chunk or the end has come. */
  onChange: (() => void) | undefined;
  lastProgress = performance.now();

  /** @param windowBytes the other side may begin a chunk while less than this is not consumed */
  constructor(place: FlowPlace, received: Received, windowBytes: number) {
    this.#place = place;
    this.#received = received;
    this.#windowBytes = windowBytes;
  }

  /** Whether nothing more will come: the other side has ended it, or it is discarded. */
  get isEnded(): boolean {
    return this.#state !== 'open';
  }

  get isEmpty(): boolean {
    return this.#head === this.#queue.length;
  }

  /**
   * Takes a part of a chunk; `own`: the same in memory of its own. Others are copied: a small part must not hold the socket's whole buffer, and a reader
   * must not see the bytes of others there.
   *
   * @throws AppError `link-overrun`, `link-malformed`
   */
  part(bytes: Uint8Array, isLast: boolean, own: Uint8Array | undefined): void {
    if (this.#state === 'discarded') return;
    if (this.#state === 'ended') throw malformed('bytes after the end');
    const { windowChunks, chunkBytes, linkBytes } = this.#place.limits;
    if (this.#parts.length === 0 && (this.#bytes >= this.#windowBytes || this.#chunks >= windowChunks))
      throw overrun('window');
    this.#partBytes += bytes.length;
    if (this.#partBytes > chunkBytes) throw overrun('length of a chunk');
    this.#bytes += bytes.length;
    this.#received.bytes += bytes.length;
    if (this.#received.bytes > linkBytes + chunkBytes) throw overrun('window of the link');
    const kept = own ?? copyOf(bytes);
    if (!isLast) {
      this.#parts.push(kept);
      return;
    }
    this.#chunks += 1;
    this.#queue.push(this.#parts.length === 0 ? kept : this.#joined(kept));
    this.#parts = [];
    this.#partBytes = 0;
    this.lastProgress = performance.now();
    this.onChange?.();
  }

  /**
   * Takes the end.
   *
   * @throws AppError `link-malformed` in the middle of a chunk or after an end
   */
  end(): void {
    if (this.#state === 'discarded') return;
    if (this.#state === 'ended' || this.#parts.length > 0) throw malformed('unexpected end');
    this.#state = 'ended';
    this.onChange?.();
  }

  /** The next chunk; `consumed` is to be called for it. */
  shift(): Uint8Array | undefined {
    const chunk = this.#queue[this.#head];
    if (!chunk) return undefined;
    this.#head += 1;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    this.lastProgress = performance.now();
    return chunk;
  }

  /** Gives the credit of a chunk back. */
  consumed(length: number): void {
    if (this.#state === 'discarded') return;
    this.#bytes -= length;
    this.#chunks -= 1;
    this.#received.bytes -= length;
    this.#owedBytes += length;
    this.#owedChunks += 1;
    this.#place.writer.owe(this);
  }

  takeCredit(): Buffer | undefined {
    if (this.#owedChunks === 0 || this.#state === 'discarded') return undefined;
    const { id, side } = this.#place;
    const frame = creditFrame(KIND.credit | side, id, this.#owedBytes, this.#owedChunks);
    this.#owedBytes = this.#owedChunks = 0;
    return frame;
  }

  /** Drops what has arrived, and whatever still arrives. */
  discard(): void {
    if (this.#state === 'discarded') return;
    this.#state = 'discarded';
    this.#received.bytes -= this.#bytes;
    this.#bytes = this.#chunks = this.#head = 0;
    this.#parts = [];
    this.#queue = [];
  }

  #joined(last: Uint8Array): Uint8Array {
    const whole = new Uint8Array(this.#partBytes);
    let at = 0;
    for (const part of [...this.#parts, last]) {
      whole.set(part, at);
      at += part.length;
      giveBack(part);
    }
    return whole;
  }
}
