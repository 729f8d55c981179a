import { randomInt } from 'node:crypto';

/** Chromium's ids are 32 bits, signed. */
const MAX_ID = 2 ** 31 - 1;
/** Ids of commands that wait no more which are remembered: their answers may come late, or twice. */
const MAX_PAST = 50_000;
/**
 * Answers to commands that were never sent, after which somebody is guessing. Of that many one would hit, among ten commands that wait,
 * in 200,000 browsers.
 */
const MAX_GUESSES = 1000;

/**
 * Ids of the commands of one connection. A page's process may send any message, with any session or none, and Chromium passes it on: all
 * that tells the answers of the browser's process from it are ids that the page's process is not shown.
 */
export class CommandIds {
  readonly #past = new Set<number>();
  #guesses = 0;

  /** Draws an id that is not in use. */
  draw(isUsed: (id: number) => boolean): number {
    for (;;) {
      const id = randomInt(1, MAX_ID);
      if (!isUsed(id) && !this.#past.has(id)) return id;
    }
  }

  /** The command has its answer, or waits no more. */
  end(id: number): void {
    this.#past.add(id);
    if (this.#past.size <= MAX_PAST) return;
    for (const oldest of this.#past) {
      this.#past.delete(oldest);
      return;
    }
  }

  /** An answer to no command that waits has come. Returns whether there were too many to commands that were never sent. */
  isGuessed(id: number): boolean {
    if (!this.#past.has(id)) this.#guesses += 1;
    return this.#guesses > MAX_GUESSES;
  }
}
