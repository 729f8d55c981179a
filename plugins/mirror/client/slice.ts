/** Milliseconds of building after which control returns to the browser. */
export const SLICE_MS = 24;
/** Maximum for ops that are applied fast: between slices the browser lays out all that has been built. */
export const LONGEST_SLICE_MS = 32;

/** A time slice of building. */
export class Slice {
  #start = 0;

  /** Starts a slice. */
  begin(): void {
    this.#start = performance.now();
  }

  /** Duration of the slice so far, in ms. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** Whether the slice has been used up. */
  get isOver(): boolean {
    return this.elapsed >= SLICE_MS;
  }
}

/** Yields to the browser: resolves after input and painting. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Partial<Scheduler> }; // not in every browser
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => setTimeout(resolve));
}
