import { AppError } from '../../core/protocol/errors.ts';
import type { LinkLimits } from './limits.ts';
import { headerFrame, KIND, malformed } from './wire.ts';
import type { LinkWriter, Piece, PieceSource } from './writer.ts';

/** The cost of a waiting chunk beside its bytes. */
const CHUNK_COST = 64;

/** The place of a flow: its id on the wire, with the bit that says whose id it is. */
export interface FlowPlace {
  readonly writer: LinkWriter;
  readonly limits: LinkLimits;
  readonly id: number;
  /** `ANSWERING` where the other side has given out the id, else 0. */
  readonly side: number;
}

/** The sending half of a body or stream: chunks that wait for credit, and the frame that ends it. */
export class Outflow implements PieceSource {
  readonly #place: FlowPlace;
  /** Whether a chunk arrives as it was sent; else each frame is a chunk of its own. */
  readonly #keepsChunks: boolean;
  #queue: Uint8Array[] = [];
  #head = 0;
  #offset = 0;
  #cost = 0;
  #waiting = 0;
  #unconsumed = 0;
  #unconsumedChunks = 0;
  #last: Buffer | undefined;
  #state: 'open' | 'ending' | 'ended' | 'discarded' = 'open';
  /** Called when it may want more, and when it is discarded. */
  onChange: (() => void) | undefined;
  /** Called once its last frame is written and everything before was consumed. */
  onDone: (() => void) | undefined;
  /** Time of the last frame or credit. */
  lastProgress = performance.now();

  constructor(place: FlowPlace, keepsChunks: boolean) {
    this.#place = place;
    this.#keepsChunks = keepsChunks;
  }

  /** Bytes that wait here or are unconsumed on the other side. */
  get pending(): number {
    return this.#waiting + this.#unconsumed;
  }

  /** Waiting bytes with the cost of their chunks: bounded by `waitingBytes`. */
  get cost(): number {
    return this.#cost;
  }

  /** Whether nothing waits and a further chunk could go out at once. */
  get wantsMore(): boolean {
    return this.#state === 'open' && this.#head === this.#queue.length && this.#windowIsOpen;
  }

  get isDiscarded(): boolean {
    return this.#state === 'discarded';
  }

  /** Whether everything was sent and consumed, or discarded. */
  get isDone(): boolean {
    return this.#state === 'discarded' || (this.#state === 'ended' && this.#unconsumedChunks === 0);
  }

  /** Whether it waits for the other side. */
  get isStalled(): boolean {
    return !this.isDone && (this.#unconsumedChunks > 0 || this.#head < this.#queue.length || this.#state === 'ending');
  }

  push(chunk: Uint8Array): void {
    if (this.#state !== 'open') return;
    if (chunk.length === 0 && !this.#keepsChunks) return;
    this.#queue.push(chunk);
    this.#waiting += chunk.length;
    this.#cost += chunk.length + CHUNK_COST;
    this.#place.writer.ready(this);
  }

  /** Sends `frame` after all chunks; nothing can be pushed any more. */
  finish(frame: Buffer): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#last = frame;
    this.#place.writer.ready(this);
  }

  /** Drops what waits, and forgets what is unconsumed. */
  discard(): void {
    if (this.isDone) return;
    this.#state = 'discarded';
    this.#place.writer.forget(this);
    this.#place.writer.release(this.#unconsumed);
    this.#queue = [];
    this.#head = this.#offset = this.#waiting = this.#cost = this.#unconsumed = this.#unconsumedChunks = 0;
    this.#last = undefined;
    this.onChange?.();
  }

  /**
   * Takes credit from the other side.
   *
   * @throws AppError `link-malformed` for more than is unconsumed
   */
  credit(bytes: number, chunks: number): void {
    if (this.#state === 'discarded') return;
    if (bytes > this.#unconsumed || chunks > this.#unconsumedChunks) throw malformed('credit for what was not sent');
    this.#unconsumed -= bytes;
    this.#unconsumedChunks -= chunks;
    if (this.#unconsumedChunks === 0 && this.#unconsumed > 0) throw malformed('credit without bytes');
    this.lastProgress = performance.now();
    this.#place.writer.release(bytes);
    if (this.sendable) this.#place.writer.ready(this);
    this.onChange?.();
    if (this.isDone) this.onDone?.();
  }

  get #windowIsOpen(): boolean {
    const { windowBytes, bodyBytes, wideBytes, windowChunks } = this.#place.limits;
    const isWide = !this.#keepsChunks && this.#place.writer.unconsumed < wideBytes;
    return this.#unconsumed < (isWide ? bodyBytes : windowBytes) && this.#unconsumedChunks < windowChunks;
  }

  get sendable(): boolean {
    if (this.#head === this.#queue.length) return this.#state === 'ending';
    return !this.begins || this.#windowIsOpen;
  }

  get begins(): boolean {
    if (this.#head === this.#queue.length) return false;
    return !this.#keepsChunks || this.#offset === 0;
  }

  take(): Piece {
    this.lastProgress = performance.now();
    const { id, side, limits } = this.#place;
    const chunk = this.#queue[this.#head];
    if (!chunk) {
      const header = this.#last;
      if (!header) throw new AppError('internal', 'A flow without anything to send was asked for a frame.');
      this.#last = undefined;
      this.#state = 'ended';
      if (this.isDone) this.onDone?.();
      return { header, payload: undefined };
    }
    // As it is, where it is no longer than a piece: the writer knows memory that is used again.
    const isWhole = this.#offset === 0 && chunk.length <= limits.pieceBytes;
    const payload = isWhole ? chunk : chunk.subarray(this.#offset, this.#offset + limits.pieceBytes);
    const isLast = this.#offset + payload.length === chunk.length;
    if (!this.#keepsChunks) this.#reserve(payload.length);
    else if (this.#offset === 0) this.#reserve(chunk.length);
    this.#offset += payload.length;
    if (isLast) this.#shift(chunk);
    if (this.wantsMore) this.onChange?.();
    const kind = isLast || !this.#keepsChunks ? KIND.chunk : KIND.piece;
    return { header: headerFrame(kind | side, id, payload.length), payload: payload.length > 0 ? payload : undefined };
  }

  #reserve(bytes: number): void {
    this.#unconsumed += bytes;
    this.#unconsumedChunks += 1;
    this.#waiting -= bytes;
    this.#place.writer.reserve(bytes);
  }

  #shift(chunk: Uint8Array): void {
    this.#offset = 0;
    this.#cost -= chunk.length + CHUNK_COST;
    this.#head += 1;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
  }
}
