import { familyOf, kill, processTable, type Family } from './process-table.ts';

/** Interval of checks, in ms. */
const INTERVAL_MS = 250;
/** Maximum share of time for checks, as a divisor. */
const COST_DIVISOR = 20;
/** Number of successive checks above the limit before the whole family is ended, not only its largest helper. */
const PATIENCE = 4;
/** Factor above the limit at which the whole family is ended immediately. */
const FAR_PAST = 1.5;

interface Watched {
  readonly family: Family;
  readonly bytes: number;
  readonly end: () => void;
  past: number;
}

/** Watches the memory of families of processes, where no cgroup limits it. */
export class MemoryWatch {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Watches a family. Above `bytes` the largest of its helpers is killed (usually a page); a family that stays above
   * it, or is far above it, is ended as a whole by `end`.
   *
   * @returns a function that stops watching.
   */
  watch(family: Family, bytes: number, end: () => void): () => void {
    const watched: Watched = { family, bytes, end, past: 0 };
    this.#watched.add(watched);
    this.#timer ??= setTimeout(() => this.#look(), INTERVAL_MS);
    return () => this.#watched.delete(watched);
  }

  close(): void {
    this.#watched.clear();
    clearTimeout(this.#timer);
  }

  #look(): void {
    const startedAt = performance.now();
    const table = processTable();
    for (const watched of this.#watched) {
      const members = familyOf(watched.family, table);
      const total = members.reduce((sum, { memory }) => sum + memory, 0);
      if (total <= watched.bytes) {
        watched.past = 0;
        continue;
      }
      watched.past += 1;
      const helpers = members.filter(({ pid }) => pid !== watched.family.pid);
      const largest = helpers.sort((a, b) => b.memory - a.memory)[0];
      if (largest && watched.past < PATIENCE && total < watched.bytes * FAR_PAST) kill(largest.pid);
      else watched.end();
    }
    const took = performance.now() - startedAt;
    this.#timer =
      this.#watched.size === 0 ? undefined : setTimeout(() => this.#look(), Math.max(INTERVAL_MS, took * COST_DIVISOR));
  }
}
