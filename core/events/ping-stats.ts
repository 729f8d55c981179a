/** Round trip statistics of one session, in ms. */
interface PingStats {
  readonly tlast: number;
  readonly tmin: number;
  readonly tavg: number;
  readonly tstdev: number;
  readonly tmax: number;
  readonly count: number;
  readonly mode: string;
}

/** Accumulates round trips without storing them (Welford's method). */
export class PingMeter {
  #last = 0;
  #min = Infinity;
  #max = 0;
  #mean = 0;
  #squares = 0;
  #count = 0;
  #mode = '';

  add(ms: number, mode: string): void {
    this.#count += 1;
    this.#mode = mode;
    this.#last = ms;
    this.#min = Math.min(this.#min, ms);
    this.#max = Math.max(this.#max, ms);
    const before = ms - this.#mean;
    this.#mean += before / this.#count;
    this.#squares += before * (ms - this.#mean);
  }

  /** Undefined before the first round trip. */
  stats(): PingStats | undefined {
    if (this.#count === 0) return undefined;
    const tstdev = Math.sqrt(this.#squares / this.#count);
    return {
      tlast: this.#last,
      tmin: this.#min,
      tavg: this.#mean,
      tstdev,
      tmax: this.#max,
      count: this.#count,
      mode: this.#mode,
    };
  }
}
