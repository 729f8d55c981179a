/** Crashes after which the same page or browser is not started again, and the spans, in ms, that they are counted in. */
const BOUNDS = [
  { max: 3, spanMs: 60_000 },
  // One that hangs is noticed late: it never fills the shorter span.
  { max: 6, spanMs: 600_000 },
] as const;
const LONGEST_MS = Math.max(...BOUNDS.map(({ spanMs }) => spanMs));

/** Tells a crash that is worth recovering from, from a page that crashes whatever loads it. */
export class CrashCount {
  #times: number[] = [];

  /** Counts a crash; false when there have been too many lately. */
  mayRestore(now = performance.now()): boolean {
    this.#times = this.#times.filter((at) => now - at < LONGEST_MS);
    this.#times.push(now);
    return BOUNDS.every(({ max, spanMs }) => this.#times.filter((at) => now - at < spanMs).length <= max);
  }
}
