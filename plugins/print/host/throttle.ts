/** After a dialog that came without the person having done anything, the next such one waits so long, in ms; twice as long each time. */
export const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2000, 32_000];
/** Even one that the person has asked for does not come at once after the one before: they may have meant that. */
export const SHORT_PAUSE_MS = 500;

/** Keeps a page that prints in a loop from flooding the person with dialogs, by Chromium's measure. */
export class Throttle {
  readonly #now: () => number;
  #closedAt = -Infinity;
  /** Dialogs since the person last asked for one. */
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
