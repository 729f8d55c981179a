/** Crashes after which the same page or browser is not started again, and the span that they are counted in. */
const MAX_CRASHES = 3;
const SPAN_MS = 60_000;

/** Tells a crash that is worth recovering from, from a page that crashes whatever loads it. */
export class CrashCount {
  #times: number[] = [];

  /** Counts a crash; false when there have been too many lately. */
  mayRestore(now = performance.now()): boolean {
    this.#times = this.#times.filter((at) => now - at < SPAN_MS);
    this.#times.push(now);
    return this.#times.length <= MAX_CRASHES;
  }
}
