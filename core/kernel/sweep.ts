/** Looks at a changing collection a part at a time, round after round, and drops what need not be looked at any more. */
export class Sweep<T> {
  readonly #items: T[] = [];
  #at = 0;

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Looks at up to `budget` items, each at most once; an item that `look` answers with false is dropped. */
  run(budget: number, look: (item: T) => boolean): void {
    for (let left = Math.min(budget, this.#items.length); left > 0; left--) {
      if (this.#at >= this.#items.length) this.#at = 0;
      const item = this.#items[this.#at] as T; // within bounds
      if (look(item)) {
        this.#at++;
        continue;
      }
      const last = this.#items.pop() as T; // it holds `item` at least
      if (last !== item) this.#items[this.#at] = last;
    }
  }
}
