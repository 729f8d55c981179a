import { setTimeout as delay } from 'node:timers/promises';

/** Reads of a page's history that follow each other at once: more than a person's navigations take, also with those of many frames. */
const READS = 20;
/** Time from one read to the next after that, in ms, and the time that gives one of them back. */
const PAUSE_MS = 100;

/** Bounds the reads of a page that navigates its frames without end. */
export class ReadPace {
  /** Time at which all reads up to now are paid for. */
  #paid = 0;

  /** Resolves once a read may begin. */
  async turn(): Promise<void> {
    const now = performance.now();
    this.#paid = Math.max(this.#paid, now) + PAUSE_MS;
    const wait = this.#paid - READS * PAUSE_MS - now;
    if (wait > 0) await delay(wait, undefined, { ref: false });
  }
}
