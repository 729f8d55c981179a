/** A set of listeners of one thing; each `add` answers with its undo. */
export class Listeners<T> {
  readonly #listeners = new Set<{ readonly run: (argument: T) => void }>();

  add(run: (argument: T) => void): () => void {
    const entry = { run };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Calls all of them; one that throws does not keep the others from hearing, and its fault is thrown on afterwards. */
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
