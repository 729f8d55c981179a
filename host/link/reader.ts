import type { Duplex } from 'node:stream';
import type { LinkLimits } from './limits.ts';
import { FrameParser, KIND } from './wire.ts';
import type { FrameSink } from './wire.ts';

/** Work of a frame in units of about 10 microseconds: its kind, and its JSON. */
const KIND_UNITS: Readonly<Partial<Record<number, number>>> = {
  [KIND.call]: 2,
  [KIND.open]: 2,
  [KIND.credit]: 0.5,
  [KIND.ping]: 0.5,
};
const JSON_BYTES_PER_UNIT = 4096;
/** A peer that has used up its work waits at least so long, so that what it has sent is taken in groups. */
const LEAST_WAIT_MS = 5;

/**
 * Reads frames from the socket at a bounded pace, so that a peer that sends without end leaves the thread to others: some
 * work in each turn of the event loop, and a rate with a burst over time. Past it the socket waits.
 */
export class LinkReader {
  readonly #duplex: Duplex;
  readonly #limits: LinkLimits;
  readonly #parser: FrameParser;
  readonly #onError: (error: unknown) => void;
  #rest: Buffer | undefined;
  #turnUnits = 0;
  #units: number;
  #lastRefill = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(duplex: Duplex, limits: LinkLimits, sink: FrameSink, onError: (error: unknown) => void) {
    this.#duplex = duplex;
    this.#limits = limits;
    this.#onError = onError;
    this.#units = limits.burstUnits;
    this.#parser = new FrameParser(limits, (kind, answering, id, payload, own) => {
      sink(kind, answering, id, payload, own);
      this.#charge(kind, payload.length);
    });
    duplex.on('data', (bytes: Buffer) => this.#take(bytes));
    duplex.resume();
  }

  /** Reads nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#rest = undefined;
    this.#parser.stop();
    clearTimeout(this.#timer);
  }

  #charge(kind: number, bytes: number): void {
    const isBytes = kind === KIND.piece || kind === KIND.chunk;
    const units = (KIND_UNITS[kind] ?? 1) + (isBytes ? 0 : bytes / JSON_BYTES_PER_UNIT);
    this.#units -= units;
    this.#turnUnits += units;
    if (this.#units < 0 || this.#turnUnits >= this.#limits.turnUnits) this.#parser.hold();
  }

  /** Whether all was taken and more may come. */
  #take(bytes: Buffer): boolean {
    if (this.#isStopped) return false;
    const now = performance.now();
    this.#units = Math.min(this.#limits.burstUnits, this.#units + (now - this.#lastRefill) * this.#limits.unitsPerMs);
    this.#lastRefill = now;
    this.#turnUnits = 0;
    let taken: number;
    try {
      taken = this.#parser.push(bytes);
    } catch (error) {
      this.#onError(error);
      return false;
    }
    if (taken === bytes.length && this.#units >= 0) return true;
    this.#wait(bytes.subarray(taken));
    return false;
  }

  #wait(rest: Buffer): void {
    if (this.#isStopped) return;
    this.#rest = rest;
    this.#duplex.pause();
    if (this.#units >= 0) setImmediate(() => this.#goOn());
    else this.#timer = setTimeout(() => this.#goOn(), Math.max(LEAST_WAIT_MS, -this.#units / this.#limits.unitsPerMs));
  }

  #goOn(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    // A rest that remains has its next turn set already.
    if (rest && this.#take(rest)) this.#duplex.resume();
  }
}
