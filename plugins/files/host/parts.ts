import { PART_MS } from './methods.ts';
import { TURN_MS } from './turns.ts';
import type { Turn } from './turns.ts';

/** Largest part that is sent in one call, in bytes. */
const PART_BYTES = 256 * 1024 * 1024;

/** A source that is taken in parts, each of which is as much as one call may take, in size and in time. */
export class Parts {
  readonly #source: AsyncIterator<Uint8Array, unknown>;
  /** A step that the last part did not wait for. */
  #pending: Promise<IteratorResult<Uint8Array, unknown>> | undefined;
  #isOver = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether the source has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The next part, which ends early when its turn is due. Throws what the source throws. */
  async *next(turn: Pick<Turn, 'isDue'>): AsyncGenerator<Uint8Array> {
    const until = performance.now() + PART_MS;
    for (let size = 0; size < PART_BYTES && !turn.isDue;) {
      this.#pending ??= this.#source.next();
      const left = until - performance.now();
      const step = await withinTime(this.#pending, Math.min(left, TURN_MS));
      if (!step) {
        if (left <= TURN_MS) return;
        continue;
      }
      this.#pending = undefined;
      if (step.done === true) {
        this.#isOver = true;
        return;
      }
      size += step.value.length;
      yield step.value;
    }
  }

  /** Leaves the source. Does not wait for it: a step of it may hang. */
  close(): void {
    if (this.#isOver) return;
    this.#pending?.catch(() => undefined); // nobody wants it any more
    void (async () => this.#source.return?.())().catch(() => undefined); // it has nothing to say any more
  }
}

/** The result of a step, or undefined where it takes longer. */
async function withinTime<T>(step: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms <= 0) return undefined;
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([step, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
