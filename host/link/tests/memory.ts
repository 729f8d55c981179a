import { Duplex } from 'node:stream';
import type { LinkPeer } from '../api.ts';
import { linkPeer } from '../peer.ts';
import type { LinkOptions } from '../peer.ts';
import { randomNumbers } from '../../../core/testing/random.ts';

/** The timing of a connection in memory. */
interface MemoryTiming {
  /** Longest delay of a part, in ms; without it parts arrive in the next turn of the event loop. */
  readonly delayMs?: number;
  /** With a seed, bytes are cut and merged at random, the same way each time. */
  readonly seed?: number;
}

/** One end of a connection in memory. Bytes are copied; a reader that stops holds the writer up. */
class MemoryEnd extends Duplex {
  other: MemoryEnd | undefined;
  readonly #random: (() => number) | undefined;
  readonly #delayMs: number;
  #resume: (() => void) | undefined;
  #rest = Buffer.alloc(0);

  constructor(timing: MemoryTiming, random: (() => number) | undefined) {
    super({ allowHalfOpen: false });
    this.#random = random;
    this.#delayMs = timing.delayMs ?? 0;
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    // Now and then bytes wait for those of the next write, and arrive with them.
    if (this.#random && this.#rest.length < 1024 && this.writableLength > chunk.length && this.#random() < 0.3) done();
    else this.#deliver(done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#deliver(() => {
      this.other?.push(null);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const other = this.other;
    setImmediate(() => other?.destroy());
    done(error);
  }

  #deliver(done: () => void): void {
    const random = this.#random;
    if (this.#rest.length === 0) return done();
    const cut = random && random() < 0.7 ? 1 + Math.floor(random() ** 3 * this.#rest.length) : this.#rest.length;
    const part = this.#rest.subarray(0, cut);
    this.#rest = this.#rest.subarray(cut);
    const arrive = (): void => {
      const other = this.other;
      if (!other || other.destroyed) return done();
      if (other.push(part)) this.#deliver(done);
      else other.#resume = () => this.#deliver(done);
    };
    const delay = random ? Math.floor(random() * (this.#delayMs + 1)) : this.#delayMs;
    if (delay > 0) setTimeout(arrive, delay);
    else setImmediate(arrive);
  }
}

/** Two ends of a connection in memory that behaves like a stream socket, with hostile timing if asked for. */
export function memorySocketPair(timing: MemoryTiming = {}): readonly [Duplex, Duplex] {
  const random = timing.seed === undefined ? undefined : randomNumbers(timing.seed);
  const [near, far] = [new MemoryEnd(timing, random), new MemoryEnd(timing, random)];
  near.other = far;
  far.other = near;
  return [near, far];
}

/** Two linked peers in one process that go through the whole wire format. For tests; closing one ends both. */
export function linkPair(options: MemoryTiming & LinkOptions = {}): readonly [LinkPeer, LinkPeer] {
  const [near, far] = memorySocketPair(options);
  return [linkPeer(near, options), linkPeer(far, options)];
}
