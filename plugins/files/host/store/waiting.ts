import { onAbort } from '../../../../core/protocol/on-abort.ts';

/** Those who wait for something to change. */
export class Waiting {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next change, or when the signal is aborted. */
  async change(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const forget = signal && onAbort(signal, resolve);
    await promise;
    this.#waiting.delete(resolve);
    forget?.();
  }

  /** Wakes all. */
  changed(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A source whose reader need not wait until it answers: one that hangs can be given up. */
export class BreakableSource {
  readonly #source: AsyncIterator<Uint8Array, unknown>;
  #giveUp: (() => void) | undefined;
  /** Error of all steps from now on. */
  #reason: Error | undefined;
  #isOver = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next part; undefined at the end. @throws the error of the source, or the reason that it was given up for */
  next(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () => reject(this.#reason ?? new Error('given up'));
      if (this.#reason) this.#giveUp();
      else
        this.#source.next().then(
          ({ done, value }) => {
            this.#isOver = done === true;
            resolve(done === true ? undefined : value);
          },
          (thrown: unknown) => {
            this.#isOver = true;
            reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
          },
        );
    });
  }

  /** Lets the step that waits, and all later ones, reject. */
  giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#giveUp?.();
  }

  /** Has the source closed where it has not ended. Does not wait for it: it may hang. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void (async () => this.#source.return?.())().catch(() => undefined); // it has nothing to say any more
  }
}
