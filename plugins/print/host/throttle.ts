/** Delay, in ms, between a dialog without a gesture of the person and the next one. It doubles each time, up to the maximum. */
export const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2000, 32_000];
/** Minimum delay, in ms, even for a dialog that the person has requested: the request may have been for the previous one. */
export const SHORT_PAUSE_MS = 500;

/** Prevents a page that prints in a loop from flooding the person with dialogs, with Chromium's limits. */
export class Throttle {
  readonly #now: () => number;
  #closedAt = -Infinity;
  /** Number of dialogs since the person last requested one. */
  #unasked = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether another dialog may be shown. */
  admit(hasGesture: boolean): boolean {
    const since = this.#now() - this.#closedAt;
    if (hasGesture) {
      if (since < SHORT_PAUSE_MS) return false;
      this.#unasked = 0;
      return true;
    }
    const pause = this.#unasked === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (this.#unasked - 1), LONGEST_PAUSE_MS);
    if (since < Math.max(pause, SHORT_PAUSE_MS)) return false;
    this.#unasked += 1;
    return true;
  }

  /** The dialog has been closed. */
  closed(): void {
    this.#closedAt = this.#now();
  }
}
