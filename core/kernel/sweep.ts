/** Examines a changing collection in parts, round after round, and drops items that need no further examination. */
export class Sweep<T> {
  readonly #items: T[] = [];
  #at = 0;

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Examines up to `budget` items, each at most once. An item for which `look` returns false is dropped. */
  run(budget: number, look: (item: T) => boolean): void {
    for (let left = Math.min(budget, this.#items.length); left > 0; left--) {
      if (this.#at >= this.#items.length) this.#at = 0;
      const item = this.#items[this.#at] as T; // within bounds
      if (look(item)) {
        this.#at++;
        continue;
      }
      const last = this.#items.pop() as T; // it holds at least `item`
      if (last !== item) this.#items[this.#at] = last;
    }
  }
}
