import type { AppError } from '../../core/protocol/errors.ts';
import type { BodySource, LinkBody } from './api.ts';
import type { Inflow } from './inflow.ts';
import type { Outflow } from './outflow.ts';
import { giveBack } from './pieces.ts';

/** Calls from a reader to its exchange. */
interface ReaderEvents {
  /** The reader gives up: the other side has to be notified. */
  abort(reason: unknown): void;
  /** The last chunk was taken. */
  consumed(): void;
}

/** A body that arrives, with what its exchange does to it. */
export class BodyReader implements LinkBody {
  readonly #flow: Inflow;
  readonly #events: ReaderEvents;
  #error: AppError | undefined;
  #isTaken = false;
  #wake: (() => void) | undefined;

  constructor(flow: Inflow, events: ReaderEvents) {
    this.#flow = flow;
    this.#events = events;
    flow.onChange = () => this.#wake?.();
  }

  abort(reason?: unknown): void {
    if (this.#error || (this.#flow.isEnded && this.#flow.isEmpty)) return;
    this.#events.abort(reason);
  }

  spent(chunk: Uint8Array): void {
    giveBack(chunk);
  }

  /** Ends it with an error: what waits is dropped. */
  fail(error: AppError): void {
    if (this.#error || (this.#flow.isEnded && this.#flow.isEmpty)) return;
    this.#error = error;
    this.#flow.discard();
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#isTaken) throw new TypeError('A body can be iterated once.');
    this.#isTaken = true;
    return {
      next: () => this.#next(),
      return: async () => {
        this.abort();
        return { done: true, value: undefined };
      },
    };
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (this.#error) throw this.#error;
      const chunk = this.#flow.shift();
      if (chunk) {
        this.#flow.consumed(chunk.length);
        if (this.#flow.isEnded && this.#flow.isEmpty) this.#events.consumed();
        return { done: false, value: chunk };
      }
      if (this.#flow.isEnded) return { done: true, value: undefined };
      if (this.#wake) throw new TypeError('A chunk of this body is awaited already.');
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Sends a body: the source is asked for a chunk only when that chunk can go out. When the flow is discarded, the source is
 * returned.
 *
 * @param lastFrame the frame that ends the body
 * @param onFailure called when the source throws
 */
export async function sendBody(
  source: BodySource,
  flow: Outflow,
  lastFrame: Buffer,
  onFailure: (thrown: unknown) => void,
): Promise<void> {
  let iterator: AsyncIterator<Uint8Array> | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  const giveUp = (): void => {
    if (isOver) return;
    isOver = true;
    // A source that cannot be returned has nobody left to tell.
    Promise.resolve(iterator?.return?.()).catch(() => undefined);
  };
  flow.onChange = () => {
    if (flow.isDiscarded) giveUp();
    wake?.();
  };
  try {
    iterator = (source instanceof Uint8Array ? once(source) : source)[Symbol.asyncIterator]();
    if (flow.isDiscarded) giveUp();
    while (!isOver) {
      if (!flow.wantsMore) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      const next = await iterator.next();
      if (flow.isDiscarded) return;
      if (next.done === true) {
        isOver = true;
        flow.finish(lastFrame);
      } else if (next.value instanceof Uint8Array) flow.push(next.value);
      else throw new TypeError('A body is made of Uint8Array chunks.');
    }
  } catch (error) {
    const isNew = !isOver;
    giveUp();
    if (isNew && !flow.isDiscarded) onFailure(error);
  }
}
