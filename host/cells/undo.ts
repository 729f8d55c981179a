/** Steps that undo what was made, the last one first. Each is tried, whatever becomes of the others. */
export class Undo {
  readonly #steps: (() => void | Promise<void>)[] = [];

  add(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  /** Takes all steps, once. What fails is reported on standard error: the next launcher's sweep finds it. */
  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (thrown) {
        console.error('launcher: something of an ended process is left:', thrown);
      }
    }
  }
}
