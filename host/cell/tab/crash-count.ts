/** Maximum numbers of crashes of the same page or browser within time spans, in ms; above one, it is not restarted. */
const BOUNDS = [
  { max: 3, spanMs: 60_000 },
  // A hang is detected late: it never fills the shorter span.
  { max: 6, spanMs: 600_000 },
] as const;
const LONGEST_MS = Math.max(...BOUNDS.map(({ spanMs }) => spanMs));

/** Distinguishes a crash that is worth a restart from a page that crashes on every load. */
export class CrashCount {
  #times: number[] = [];

  /** Counts a crash; false when there have been too many recently. */
  mayRestore(now = performance.now()): boolean {
    this.#times = this.#times.filter((at) => now - at < LONGEST_MS);
    this.#times.push(now);
    return BOUNDS.every(({ max, spanMs }) => this.#times.filter((at) => now - at < spanMs).length <= max);
  }
}
