import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import { timeoutError } from './failure.ts';
import { headerFrame, KIND, malformed } from './wire.ts';
import type { LinkWriter } from './writer.ts';

/** The pings of one side that wait for their answer. */
export class Pings {
  readonly #writer: LinkWriter;
  readonly #most: number;
  readonly #closed: AbortSignal;
  readonly #waiting = new Map<number, () => void>();
  #last = 0;

  /** @param closed ends all of them with its reason */
  constructor(writer: LinkWriter, most: number, closed: AbortSignal) {
    this.#writer = writer;
    this.#most = most;
    this.#closed = closed;
  }

  /** See `LinkPeer.ping`. */
  async ping(deadlineMs: number): Promise<number> {
    this.#closed.throwIfAborted();
    if (this.#waiting.size >= this.#most) throw new AppError('link-busy', 'Too many pings.', { retryable: true });
    const id = ++this.#last;
    const start = performance.now();
    this.#writer.control(headerFrame(KIND.ping, id, 0));
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        unlisten();
        this.#waiting.delete(id);
        settle();
      };
      const onClosed = (): void => finish(() => reject(toAppError(this.#closed.reason)));
      const timer = setTimeout(() => finish(() => reject(timeoutError('A ping'))), deadlineMs);
      const unlisten = onAbort(this.#closed, onClosed);
      this.#waiting.set(id, () => finish(() => resolve(performance.now() - start)));
    });
  }

  /**
   * Takes an answer; one that comes after the deadline is ignored.
   *
   * @throws AppError `link-malformed` for a ping that was never sent
   */
  answered(id: number): void {
    if (id > this.#last) throw malformed('an answer to no ping');
    this.#waiting.get(id)?.();
  }
}
