/** Time that a page may keep other tasks waiting before a flush becomes one of the most urgent, in ms. */
const URGED_AFTER_MS = 16;

/**
 * The flush that is due: the page's own work comes first, so that its changes of now and of its next tasks are written together, in no
 * task of its own. A page that yields to itself lets no other task run but those that are more urgent: a flush becomes one of those.
 */
export class FlushSchedule {
  readonly #flush: () => void;
  #isDue = false;
  #isUrged = false;
  #since = 0;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Has the flush run soon. */
  schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#since = performance.now();
    const run = (): void => {
      if (this.#isDue) this.#flush();
    };
    void scheduler.postTask(run);
    if (this.#isUrged) return;
    this.#isUrged = true;
    const urged = (): void => {
      this.#isUrged = false;
      run();
    };
    void scheduler.postTask(urged, { priority: 'user-blocking', delay: URGED_AFTER_MS });
  }

  /** The flush runs now, scheduled or not. */
  done(): void {
    this.#isDue = false;
  }

  /** A page may keep even urgent tasks waiting, with urgent ones of its own. */
  get isOverdue(): boolean {
    return this.#isDue && performance.now() - this.#since > 2 * URGED_AFTER_MS;
  }
}
