import { onAbort } from '../../../core/protocol/on-abort.ts';

/** Lets a number of callers work at a time, in the order in which they came. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(atATime: number) {
    this.#free = atATime;
  }

  /** Resolves when it is the caller's turn, which ends when it is disposed of. @throws the reason of the signal */
  async next(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    return { [Symbol.dispose]: () => this.#over() };
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const taken = (): void => resolve(undefined);
    this.#waiting.add(taken);
    const forget =
      signal &&
      onAbort(signal, () => {
        if (this.#waiting.delete(taken)) reject(signal.reason as Error); // callers abort with errors
      });
    try {
      await promise;
    } finally {
      forget?.();
    }
  }

  #over(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#free += 1;
  }
}
