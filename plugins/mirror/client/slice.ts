/** Milliseconds of building after which the browser gets a turn. */
export const SLICE_MS = 24;
/** As long as it may be for what is soon done: in its turn the browser lays out all that has been built. */
export const LONGEST_SLICE_MS = 32;

/** A turn of building. */
export class Slice {
  #start = 0;

  /** Begins a turn. */
  begin(): void {
    this.#start = performance.now();
  }

  /** How long the turn has lasted, in ms. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** Whether the turn has been used up. */
  get isOver(): boolean {
    return this.elapsed >= SLICE_MS;
  }
}

/** Gives the browser a turn: input, then painting, then back here. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Partial<Scheduler> }; // not in every browser
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => setTimeout(resolve));
}
