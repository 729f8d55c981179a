/** Processor use of one cell, and the way to make it yield. */
export interface ProcessorShare {
  /** Processor time used since any moment, in ms. Falls when a process ends whose time counted. */
  usedMs(): number;
  /** Whether the processes of other cells go first. */
  yields(on: boolean): void;
}

interface Watched {
  readonly share: ProcessorShare;
  usedMs: number;
  /** Average use over some seconds, in processors. */
  average: number;
  yields: boolean;
}

const INTERVAL_MS = 1000;
/** Maximum share of time for reading, as a divisor. */
const COST_DIVISOR = 50;
/** Part of the newest use in the average: a page that loads for a second or two is not greedy. */
const NEWEST = 0.25;
/** Average use in processors above which a cell yields, and below which it no longer does. */
const GREEDY = 0.5;
const MODEST = 0.25;

/**
 * Makes cells yield that keep a processor busy for seconds. A process that is woken by a key press then runs at once, and not after the
 * time slices of a busy page: fair shares alone delay each of its steps by some milliseconds. A cell that yields loses nothing while no
 * other wants the processor.
 */
export class ProcessorWatch {
  readonly #watched = new Set<Watched>();
  #lookedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** Watches a cell. @returns a function that stops watching. */
  watch(share: ProcessorShare): () => void {
    const watched = { share, usedMs: share.usedMs(), average: 0, yields: false };
    this.#watched.add(watched);
    if (!this.#timer) {
      this.#lookedAt = performance.now();
      this.#timer = setTimeout(() => this.#look(), INTERVAL_MS);
    }
    return () => this.#watched.delete(watched);
  }

  close(): void {
    this.#watched.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const startedAt = performance.now();
    const passed = startedAt - this.#lookedAt;
    this.#lookedAt = startedAt;
    for (const watched of this.#watched) {
      const usedMs = watched.share.usedMs();
      const use = Math.max(0, usedMs - watched.usedMs) / passed;
      watched.usedMs = usedMs;
      watched.average += NEWEST * (use - watched.average);
      const yields = watched.average > (watched.yields ? MODEST : GREEDY);
      if (yields !== watched.yields) watched.share.yields(yields);
      watched.yields = yields;
    }
    const took = performance.now() - startedAt;
    this.#timer =
      this.#watched.size === 0 ? undefined : setTimeout(() => this.#look(), Math.max(INTERVAL_MS, took * COST_DIVISOR));
  }
}
