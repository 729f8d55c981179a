import { randomInt } from 'node:crypto';

/** Chromium's entry ids of a page's history are below this number. */
export const SPAN = 2 ** 31;

/**
 * Names of the page's history entries in the shell's history, whose entries outlive the browser of the page. Names from another browser are
 * never confused with those of this one.
 */
export class EntryNames {
  #base = newBase();

  /** The page continues in another browser. */
  renew(): void {
    this.#base = newBase();
  }

  of(id: number): number {
    return this.#base + id;
  }

  /** The id of this browser's entry with that name, if there may be one. */
  idOf(name: number): number | undefined {
    const id = name - this.#base;
    return id >= 0 && id < SPAN ? id : undefined;
  }
}

function newBase(): number {
  return randomInt(1, 2 ** 20) * SPAN; // the results are safe integers
}
