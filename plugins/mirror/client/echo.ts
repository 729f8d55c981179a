/** Time for which a change by the person takes precedence over the surrogate's values, unless the surrogate confirms it sooner; ms. */
const HOLD_MS = 1000;

interface Held<V> {
  value: V;
  /** Time of the change. */
  at: number;
  timer: ReturnType<typeof setTimeout>;
  later?: () => void;
}

/**
 * The surrogate wins, except against changes it has not seen yet: after a change by the person, values from the surrogate wait
 * until one of them equals the person's, or until the surrogate has had time to answer.
 */
export class Echo<K extends object, V> {
  readonly #held = new Map<K, Held<V>>();
  readonly #same: (a: V, b: V) => boolean;
  /** Shortest time in which the surrogate has confirmed a change, in ms. */
  #fastest = 0;

  constructor(same: (a: V, b: V) => boolean) {
    this.#same = same;
  }

  /** Called when the person has made a change. */
  local(key: K, value: V): void {
    clearTimeout(this.#held.get(key)?.timer);
    this.#held.set(key, { value, at: Date.now(), timer: setTimeout(() => this.#settle(key), HOLD_MS) });
  }

  /** Applies the surrogate's pending values at once. */
  settle(): void {
    for (const key of this.#held.keys()) this.#settle(key);
  }

  /** Called with a value from the surrogate: applied now, later or, if a newer one comes first, never. */
  remote(key: K, value: V, apply: () => void): void {
    const held = this.#held.get(key);
    if (!held) apply();
    else if (this.#same(held.value, value)) {
      this.#fastest = Math.min(this.#fastest || Infinity, Date.now() - held.at);
      this.#release(key, held);
    } else held.later = apply;
  }

  /** Called when the surrogate rejects what the person has done, which may be before the change that is held: its next value applies at once. */
  refuse(key: K): void {
    const held = this.#held.get(key);
    if (held && Date.now() - held.at >= this.#fastest) this.#release(key, held);
  }

  /** Drops all pending values. */
  dispose(): void {
    for (const [key, held] of this.#held) this.#release(key, held);
  }

  #settle(key: K): void {
    const held = this.#held.get(key);
    if (!held) return;
    this.#release(key, held);
    try {
      held.later?.();
    } catch {
      // Its target has changed or was removed meanwhile.
    }
  }

  #release(key: K, held: Held<V>): void {
    clearTimeout(held.timer);
    this.#held.delete(key);
  }
}
