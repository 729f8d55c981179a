import { onAbort } from '../../../core/protocol/on-abort.ts';

/** Time after which a turn is due to end where others wait for it, in ms. */
export const TURN_MS = 2000;

/** A turn, which ends when it is disposed of. */
export interface Turn extends Disposable {
  /** Whether it has lasted long enough, and somebody waits whose owner has no more turns than its own. */
  readonly isDue: boolean;
}

interface Waiting {
  readonly owner: string | undefined;
  readonly taken: () => void;
}

/**
 * Lets a number of callers work at a time: next is whose owner has the fewest turns, and of these who came first. An owner with all the turns that
 * each may have waits for one of these.
 */
export class Turns {
  readonly #waiting = new Set<Waiting>();
  /** Number of turns by their owners. */
  readonly #held = new Map<string | undefined, number>();
  readonly #ofEach: number;
  #free: number;

  /** @param ofEach turns that one owner may have at a time */
  constructor(atATime: number, ofEach = atATime) {
    this.#free = atATime;
    this.#ofEach = ofEach;
  }

  /** Resolves when it is the caller's turn. @throws the reason of the signal */
  async next(signal?: AbortSignal, owner?: string): Promise<Turn> {
    signal?.throwIfAborted();
    if (this.#free > 0 && this.#heldBy(owner) < this.#ofEach) {
      this.#free -= 1;
      this.#hold(owner);
    } else await this.#turn(signal, owner);
    return this.#begun(owner);
  }

  #begun(owner: string | undefined): Turn {
    const until = performance.now() + TURN_MS;
    const isDue = (): boolean =>
      this.#waiting.size > 0 && performance.now() >= until && this.#isWantedFrom(this.#heldBy(owner));
    return {
      get isDue() {
        return isDue();
      },
      [Symbol.dispose]: () => this.#over(owner),
    };
  }

  #hold(owner: string | undefined): void {
    this.#held.set(owner, this.#heldBy(owner) + 1);
  }

  #heldBy(owner: string | undefined): number {
    return this.#held.get(owner) ?? 0;
  }

  #isWantedFrom(held: number): boolean {
    for (const { owner } of this.#waiting) if (this.#heldBy(owner) <= held) return true;
    return false;
  }

  async #turn(signal: AbortSignal | undefined, owner: string | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = { owner, taken: (): void => resolve(undefined) };
    this.#waiting.add(waiting);
    const forget =
      signal &&
      onAbort(signal, () => {
        if (this.#waiting.delete(waiting)) reject(signal.reason as Error); // callers abort with errors
      });
    try {
      await promise;
    } finally {
      forget?.();
    }
  }

  #over(owner: string | undefined): void {
    const left = this.#heldBy(owner) - 1;
    if (left > 0) this.#held.set(owner, left);
    else this.#held.delete(owner);
    let next: Waiting | undefined;
    for (const each of this.#waiting) if (!next || this.#heldBy(each.owner) < this.#heldBy(next.owner)) next = each;
    if (next && this.#heldBy(next.owner) < this.#ofEach) {
      this.#waiting.delete(next);
      this.#hold(next.owner);
      next.taken();
    } else this.#free += 1;
  }
}
