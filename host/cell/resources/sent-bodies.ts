import { AppError } from '../../../core/protocol/errors.ts';

/** Maximum size of the bodies that are on their way to the gateway, in bytes. */
export const MAX_SENT_BYTES = 192 * 1024 * 1024;

/** Counts the bodies of a cell that are on their way to the gateway: a slow client must not fill the memory of the cell. */
export class SentBodies {
  #bytes = 0;

  /** @throws AppError `resource-busy`, retryable, when too much is on its way. */
  checkRoom(): void {
    if (this.#bytes >= MAX_SENT_BYTES)
      throw new AppError('resource-busy', 'Too many resources are being sent.', { retryable: true });
  }

  /** Returns a body that counts until it has been read to its end, or has been left. */
  counted(body: Uint8Array): AsyncIterable<Uint8Array> {
    this.#bytes += body.length;
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.#bytes -= body.length;
      isOver = true;
    };
    return {
      [Symbol.asyncIterator]: () => {
        let isRead = false;
        return {
          next: () => {
            if (isRead) over();
            const result =
              isRead || isOver ? { done: true as const, value: undefined } : { done: false as const, value: body };
            isRead = true;
            return Promise.resolve(result);
          },
          return: () => {
            over();
            return Promise.resolve({ done: true as const, value: undefined });
          },
        };
      },
    };
  }
}
