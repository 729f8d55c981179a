/** How long what the person has just done wins over what the surrogate says, unless the surrogate confirms it sooner; ms. */
const HOLD_MS = 1000;

interface Held<V> {
  value: V;
  timer: ReturnType<typeof setTimeout>;
  later?: () => void;
}

/**
 * The surrogate wins, except against what it has not seen yet: after a change by the person, values from the surrogate wait
 * until one of them equals the person's, or until the surrogate has had time to object.
 */
export class Echo<K extends object, V> {
  readonly #held = new Map<K, Held<V>>();
  readonly #same: (a: V, b: V) => boolean;

  constructor(same: (a: V, b: V) => boolean) {
    this.#same = same;
  }

  /** The person has made a change. */
  local(key: K, value: V): void {
    clearTimeout(this.#held.get(key)?.timer);
    this.#held.set(key, { value, timer: setTimeout(() => this.#settle(key), HOLD_MS) });
  }

  /** What the surrogate has said meanwhile counts at once. */
  settle(): void {
    for (const key of this.#held.keys()) this.#settle(key);
  }

  /** The surrogate has a value: applied now, later or, when a newer one comes first, never. */
  remote(key: K, value: V, apply: () => void): void {
    const held = this.#held.get(key);
    if (!held) apply();
    else if (this.#same(held.value, value)) this.#release(key, held);
    else held.later = apply;
  }

  /** The surrogate has seen the change of the person, and does not follow: what it says counts at once. */
  refuse(key: K): void {
    const held = this.#held.get(key);
    if (held) this.#release(key, held);
  }

  /** Drops all that waits. */
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
      // What it was about has changed or gone meanwhile.
    }
  }

  #release(key: K, held: Held<V>): void {
    clearTimeout(held.timer);
    this.#held.delete(key);
  }
}
