/** Maximum number of lookups of one asker that wait. */
export const MAX_WAITING = 100;
/** Number of lookups that an asker has at first, and those that are added in a second: each may start two processes. */
export const BURST = 200;
const PER_SECOND = 2;

interface Asker {
  readonly waiting: (() => Promise<void>)[];
  left: number;
  /** Time at which `left` was right, in ms. */
  at: number;
}

/** Turns of lookups, one at a time. Those who ask take turns, so that the pages of one person do not delay another person. */
export class FontTurns {
  readonly #askers = new WeakMap<object, Asker>();
  /** Those with waiting lookups; the next one is first. */
  readonly #queue = new Set<Asker>();
  readonly #now: () => number;
  #isRunning = false;

  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Runs a lookup in its turn; returns false when too many wait, or too many were asked for. Never rejects when `run` does not. */
  async take(owner: object, run: () => Promise<void>): Promise<boolean> {
    const asker = this.#asker(owner);
    if (asker.left < 1 || asker.waiting.length >= MAX_WAITING) return false;
    asker.left -= 1;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    asker.waiting.push(() => run().finally(() => resolve(undefined)));
    this.#queue.add(asker);
    if (!this.#isRunning) void this.#run();
    await promise;
    return true;
  }

  #asker(owner: object): Asker {
    const now = this.#now();
    const asker = this.#askers.get(owner) ?? { waiting: [], left: BURST, at: now };
    this.#askers.set(owner, asker);
    asker.left = Math.min(BURST, asker.left + ((now - asker.at) / 1000) * PER_SECOND);
    asker.at = now;
    return asker;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let [next] = this.#queue; next; [next] = this.#queue) {
      this.#queue.delete(next);
      const run = next.waiting.shift();
      if (next.waiting.length > 0) this.#queue.add(next);
      await run?.();
    }
    this.#isRunning = false;
  }
}
