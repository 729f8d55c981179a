import { randomUUID } from 'node:crypto';
import { AppError } from '../../core/protocol/errors.ts';
import type { LinkBody } from '../link/api.ts';

/** Time for a cell to say where a body goes, in ms. */
const TAKE_MS = 30_000;

interface Kept {
  readonly body: LinkBody;
  readonly stream: AsyncIterable<Uint8Array>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Bodies of answers of services to one cell that have not gone to it: as bodies of answers of its routes they go to the person's browser without a way
 * through the cell and back. A cell gets no bytes by this that it could not have read. Nothing of a body is read before it is taken, beyond its window.
 */
export class KeptBodies {
  readonly #kept = new Map<string, Kept>();

  /** Number of bodies that are not over. */
  get size(): number {
    return this.#kept.size;
  }

  /** Keeps a body, of which `stream` is what its reader gets. Returns its name. */
  keep(body: LinkBody, stream: AsyncIterable<Uint8Array>): string {
    const name = randomUUID();
    const late = (): void => this.#drop(name, new AppError('link-timeout', 'Nobody has taken the body.'));
    this.#kept.set(name, { body, stream, timer: setTimeout(late, TAKE_MS).unref() });
    return name;
  }

  /** Gives a body to its reader, once. @throws AppError `bad-message` */
  take(name: string): LinkBody {
    const kept = this.#kept.get(name);
    if (!kept?.timer) throw new AppError('bad-message', 'There is no such body, or not any more.');
    clearTimeout(kept.timer);
    kept.timer = undefined;
    const { body, stream } = kept;
    let isRead = false;
    return {
      [Symbol.asyncIterator]: () => {
        isRead = true;
        return stream[Symbol.asyncIterator]();
      },
      abort: (reason) => {
        body.abort(reason);
        if (!isRead) leave(stream);
      },
      spent: (chunk) => body.spent?.(chunk),
    };
  }

  /** A body is over. */
  forget(name: string): void {
    clearTimeout(this.#kept.get(name)?.timer);
    this.#kept.delete(name);
  }

  /** Ends those that nobody has taken: what a person is saving comes from the service, whatever becomes of the cell. */
  close(reason: AppError): void {
    for (const [name, { timer }] of [...this.#kept]) if (timer) this.#drop(name, reason);
  }

  #drop(name: string, reason: AppError): void {
    const kept = this.#kept.get(name);
    this.forget(name);
    if (!kept) return;
    kept.body.abort(reason);
    leave(kept.stream);
  }
}

/** Ends a stream that nobody reads: whoever counts it learns that it is over from its reader. */
function leave(stream: AsyncIterable<Uint8Array>): void {
  void stream[Symbol.asyncIterator]().return?.();
}
