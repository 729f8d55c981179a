/**
 * Events that may wait for a page that does not answer; past it new ones are dropped. After a line was cut for half a minute all that somebody
 * has typed meanwhile comes at once.
 */
export const MAX_WAITING = 1000;

interface Waiting {
  /** Whose movement it is, if it is one. */
  readonly mover: string | undefined;
  readonly run: () => Promise<unknown>;
  readonly settle: (ran: boolean) => void;
}

/** The order of the person's input in one tab: one event after the other. */
export class InputQueue {
  readonly #waiting: Waiting[] = [];
  #running = false;

  /**
   * Resolves with true after `run`, which does not reject; with false when it is dropped, or `run` has resolved with false. `mover`: it is a
   * movement of this device.
   */
  add(run: () => Promise<unknown>, mover?: string): Promise<boolean> {
    return new Promise((settle) => {
      // A movement that still waits is overtaken by the next one.
      const last = this.#waiting.at(-1);
      if (mover !== undefined && last?.mover === mover) this.#waiting.pop()?.settle(false);
      if (this.#waiting.length >= MAX_WAITING) settle(false);
      else this.#waiting.push({ mover, run, settle });
      if (!this.#running) void this.#drain();
    });
  }

  /** Number of events that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Drops all that waits. */
  clear(): void {
    for (const { settle } of this.#waiting.splice(0)) settle(false);
  }

  async #drain(): Promise<void> {
    this.#running = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      next.settle((await next.run()) !== false);
    }
    this.#running = false;
  }
}
