/** Steps that undo earlier ones, the last one first. All are tried, even if others fail. */
export class Undo {
  readonly #steps: (() => void | Promise<void>)[] = [];

  add(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs all steps, once. Failures are reported on standard error: the next launcher's sweep finds what remains. */
  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (thrown) {
        console.error('launcher: clean-up after a process failed:', thrown);
      }
    }
  }
}
