/** Limits one sender's units in windows of one second, by two bounds. */
export class FlowMeter {
  readonly #maxMessages: number;
  readonly #maxUnits: number;
  #windowStart = 0;
  #messages = 0;
  #units = 0;
  #refused = 0;

  constructor(maxMessages: number, maxUnits: number) {
    this.#maxMessages = maxMessages;
    this.#maxUnits = maxUnits;
  }

  /** Whether a message of so many units may pass now. */
  take(units: number, now = performance.now()): boolean {
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now;
      this.#messages = this.#units = this.#refused = 0;
    }
    this.#messages += 1;
    this.#units += units;
    if (this.#messages <= this.#maxMessages && this.#units <= this.#maxUnits) return true;
    this.#refused += 1;
    return false;
  }

  /** Whether this is the first refusal of a window: only that one is reported. */
  get isFirstRefusal(): boolean {
    return this.#refused === 1;
  }
}
