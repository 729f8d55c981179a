import type { Duplex } from 'node:stream';
import type { LinkLimits } from './limits.ts';
import { giveBack, isLent } from './pieces.ts';

/** One frame of a body or stream. */
export interface Piece {
  readonly header: Buffer;
  readonly payload: Uint8Array | undefined;
}

/** A body or stream that has something to send. */
export interface PieceSource {
  /** Whether `take` would give a frame, as far as its own credit goes. */
  readonly sendable: boolean;
  /** Whether its next frame begins a chunk, for which the window of the whole link has to be open. */
  readonly begins: boolean;
  take(): Piece;
}

/** A receiver that owes credit. */
export interface CreditSource {
  /** The frame that gives back what is owed; undefined when nothing is. */
  takeCredit(): Buffer | undefined;
}

/** Bytes of pieces that are written before the event loop gets a turn. */
const TURN_BYTES = 256 * 1024;

/**
 * Writes frames to the socket: once per tick, and only as far as the socket takes them. Control frames go first and in
 * order; pieces of bodies and streams go round robin, one at a time, so that a small call never waits for a large body.
 */
export class LinkWriter {
  readonly #duplex: Duplex;
  readonly #limits: LinkLimits;
  readonly #onStalled: () => void;
  #control: Buffer[] = [];
  #controlBytes = 0;
  readonly #ring = new Set<PieceSource>();
  /** Sources that wait for the window of the whole link. */
  readonly #parked = new Set<PieceSource>();
  readonly #owing = new Set<CreditSource>();
  #unconsumed = 0;
  #turnBytes = 0;
  #isScheduled = false;
  #isBlocked = false;
  #isClosed = false;

  constructor(duplex: Duplex, limits: LinkLimits, onStalled: () => void) {
    this.#duplex = duplex;
    this.#limits = limits;
    this.#onStalled = onStalled;
    duplex.on('drain', () => {
      this.#isBlocked = false;
      this.#flush();
    });
  }

  /** Bytes of pieces that were sent and not consumed on the other side. */
  get unconsumed(): number {
    return this.#unconsumed;
  }

  /** Queues a control frame. */
  control(frame: Buffer): void {
    if (this.#isClosed) return;
    this.#control.push(frame);
    this.#controlBytes += frame.length;
    if (this.#controlBytes > this.#limits.controlBytes) this.#onStalled();
    else this.#schedule();
  }

  /** Gives a source its place in the ring. */
  ready(source: PieceSource): void {
    if (this.#isClosed || this.#parked.has(source)) return;
    this.#ring.add(source);
    this.#schedule();
  }

  /** Takes a source out of the ring. */
  forget(source: PieceSource): void {
    this.#ring.delete(source);
    this.#parked.delete(source);
  }

  /** Has the credit of a receiver sent with the next write. */
  owe(source: CreditSource): void {
    if (this.#isClosed) return;
    this.#owing.add(source);
    this.#schedule();
  }

  /** Counts bytes that go out against the window of the link. */
  reserve(bytes: number): void {
    this.#unconsumed += bytes;
  }

  /** Bytes that the other side has consumed or will never get. */
  release(bytes: number): void {
    this.#unconsumed -= bytes;
    if (this.#parked.size > 0) this.#schedule();
  }

  /** Writes what is queued and ends the socket's writable side. */
  finish(lastFrame: Buffer): void {
    if (this.#isClosed) return;
    this.#control.push(lastFrame);
    const frames = this.#control;
    this.close();
    this.#duplex.cork();
    for (const frame of frames) this.#duplex.write(frame);
    this.#duplex.uncork();
    this.#duplex.end();
  }

  /** Drops everything. */
  close(): void {
    this.#isClosed = true;
    this.#control = [];
    this.#ring.clear();
    this.#parked.clear();
    this.#owing.clear();
  }

  // A tick that is queued from a promise runs once all promises have had their turn: the answers of one read go out in one write.
  #schedule(): void {
    if (this.#isScheduled || this.#isBlocked) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isBlocked || this.#isClosed) return;
    this.#duplex.cork();
    this.#isBlocked = !(this.#writeControl() && this.#writePieces());
    this.#duplex.uncork();
  }

  #writeControl(): boolean {
    for (const source of this.#owing) {
      const frame = source.takeCredit();
      if (!frame) continue;
      this.#control.push(frame);
      this.#controlBytes += frame.length;
    }
    this.#owing.clear();
    const frames = this.#control;
    for (let at = 0; at < frames.length; at++) {
      const frame = frames[at];
      if (!frame) continue;
      this.#controlBytes -= frame.length;
      if (this.#duplex.write(frame)) continue;
      this.#control = frames.slice(at + 1);
      return false;
    }
    this.#control = [];
    return true;
  }

  #writePieces(): boolean {
    for (let source = this.#next(); source; source = this.#next()) {
      if (this.#turnBytes >= TURN_BYTES) {
        this.#ring.add(source);
        this.#continueNextTurn();
        return true;
      }
      const { header, payload } = source.take();
      this.#turnBytes += header.length + (payload?.length ?? 0);
      if (source.sendable) this.#ring.add(source);
      const goesOn = this.#duplex.write(header);
      if (!(payload ? this.#writePayload(payload) : goesOn)) {
        this.#continueNextTurn();
        return false;
      }
    }
    return true;
  }

  /** Memory that is lent can be used again once the socket has taken it. */
  #writePayload(payload: Uint8Array): boolean {
    if (!isLent(payload)) return this.#duplex.write(payload);
    return this.#duplex.write(payload, (error) => {
      if (!error) giveBack(payload);
    });
  }

  /** Takes the source whose turn it is out of the ring. */
  #next(): PieceSource | undefined {
    const isOpen = this.#unconsumed < this.#limits.linkBytes;
    if (isOpen) {
      for (const source of this.#parked) {
        this.#parked.delete(source);
        if (source.sendable) return source;
      }
    }
    for (const source of this.#ring) {
      this.#ring.delete(source);
      if (!source.sendable) continue;
      if (isOpen || !source.begins) return source;
      this.#parked.add(source);
    }
    return undefined;
  }

  #isTurnEnding = false;
  #continueNextTurn(): void {
    if (this.#isTurnEnding) return;
    this.#isTurnEnding = true;
    setImmediate(() => {
      this.#isTurnEnding = false;
      this.#turnBytes = 0;
      this.#flush();
    });
  }
}
