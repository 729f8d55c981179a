/** A set of listeners; each `add` returns a function that removes the listener. */
export class Listeners<T> {
  readonly #listeners = new Set<{ readonly run: (argument: T) => void }>();

  add(run: (argument: T) => void): () => void {
    const entry = { run };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Calls all of them; when one throws, the others are still called, and the error is thrown afterwards. */
  call(argument: T): void {
    const faults: unknown[] = [];
    for (const { run } of [...this.#listeners]) {
      try {
        run(argument);
      } catch (thrown) {
        faults.push(thrown);
      }
    }
    if (faults.length > 0) throw faults.length === 1 ? faults[0] : new AggregateError(faults);
  }

  get size(): number {
    return this.#listeners.size;
  }
}
