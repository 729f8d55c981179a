import { randomInt } from 'node:crypto';

/** Chromium numbers the entries of a page's history below this. */
export const SPAN = 2 ** 31;

/**
 * What the entries of the page's history are called in the shell's, whose own entries outlive the browser that the page runs in: names
 * of another browser's entries are never taken for those of this one.
 */
export class EntryNames {
  #base = newBase();

  /** The page goes on in another browser. */
  renew(): void {
    this.#base = newBase();
  }

  of(id: number): number {
    return this.#base + id;
  }

  /** The entry of this browser that is called so, if there may be one. */
  idOf(name: number): number | undefined {
    const id = name - this.#base;
    return id >= 0 && id < SPAN ? id : undefined;
  }
}

function newBase(): number {
  return randomInt(1, 2 ** 20) * SPAN; // what comes of it is a safe integer
}
