/** Maximum total length of the sources that are kept, in UTF-16 units; the oldest are dropped. */
export const MAX_KEPT_UNITS = 16 * 1024 * 1024;
/** Maximum total length of the sources that all frames of a tab are given in a window, in UTF-16 units, and the window in ms. */
export const MAX_GIVEN_UNITS = 8 * 1024 * 1024;
const WINDOW_MS = 1000;

/** Long addresses of fonts, by number: a frame is given one only when it asks, since a tab may have many frames. */
export class LongSources {
  readonly #kept = new Map<number, string>();
  readonly #now: () => number;
  #last = 0;
  #units = 0;
  #given = 0;
  #since = 0;

  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Total length of the sources, in UTF-16 units. */
  get units(): number {
    return this.#units;
  }

  /** Keeps a source, and returns its number. */
  keep(source: string): number {
    this.#kept.set(++this.#last, source);
    this.#units += source.length;
    for (const [key, { length }] of this.#kept) {
      if (this.#units <= MAX_KEPT_UNITS) break;
      this.#kept.delete(key);
      this.#units -= length;
    }
    return this.#last;
  }

  /** Returns a source; null when it is not kept, or the frames have been given too much within the window. */
  give(key: number): string | null {
    const source = this.#kept.get(key);
    if (source === undefined) return null;
    const now = this.#now();
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now;
      this.#given = 0;
    }
    if (this.#given + source.length > MAX_GIVEN_UNITS) return null;
    this.#given += source.length;
    return source;
  }

  clear(): void {
    this.#kept.clear();
    this.#units = 0;
  }
}
