import type { AppError } from '../../core/protocol/errors.ts';
import type { LinkAnswer, LinkBody, LinkHandler } from './api.ts';

/** Memory of a chunk beside its bytes. */
const CHUNK_BYTES = 256;

/** A part of the bytes that may be held. */
export interface HeldPart {
  /** Changes its size. @throws the error of the bound where that is passed; the size stays then. */
  resize(bytes: number): void;
  /** Gives it back. Idempotent. */
  release(): void;
  /** A body of its size, that holds it until it has been read to its end or left. @throws as `resize` */
  body(bytes: Uint8Array): AsyncIterable<Uint8Array>;
}

/**
 * A bound on the bytes of bodies that one side holds as a whole, all calls of a link together: those that are being collected, and those
 * that wait to be sent. The window of the link bounds what is not read; this bounds what is.
 */
export class HeldBodies {
  readonly #max: number;
  readonly #full: () => AppError;
  #bytes = 0;

  /** @param full the error of a body that would pass the bound, `max` in bytes */
  constructor(max: number, full: () => AppError) {
    this.#max = max;
    this.#full = full;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a part. @throws the error of the bound where that is passed */
  hold(bytes: number): HeldPart {
    let size = 0;
    let isReleased = false;
    const resize = (to: number): void => {
      if (isReleased) return;
      if (to > size && this.#bytes - size + to > this.#max) throw this.#full();
      this.#bytes += to - size;
      size = to;
    };
    const release = (): void => {
      resize(0);
      isReleased = true;
    };
    resize(bytes);
    return {
      resize,
      release,
      body: (whole) => {
        resize(whole.length);
        return heldBody(whole, release);
      },
    };
  }

  /**
   * A handler that collects the body of a call, or answers with one that is whole: the first counts until the handler is done, the second
   * until it is sent. A call whose body would pass the bound fails.
   *
   * @param expected bytes that are taken before the handler runs: largest size of an answer that it waits for
   */
  counting(handler: LinkHandler, expected = 0): LinkHandler {
    return async (request) => {
      const held = this.hold(expected);
      let answer: LinkAnswer | undefined;
      try {
        answer = await handler(request.body ? { ...request, body: collected(request.body, held) } : request);
        if (answer.body instanceof Uint8Array) return { ...answer, body: held.body(answer.body) };
      } catch (thrown) {
        held.release();
        throw thrown;
      }
      held.release();
      return answer;
    };
  }
}

/** A body whose chunks stay with its reader. */
function collected(body: LinkBody, held: HeldPart): LinkBody {
  return {
    abort: (reason) => body.abort(reason),
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      let size = 0;
      return {
        next: async () => {
          const next = await chunks.next();
          if (next.done) return next;
          size += next.value.length + CHUNK_BYTES;
          try {
            held.resize(size);
          } catch (thrown) {
            body.abort(thrown);
            throw thrown;
          }
          return next;
        },
        return: async () => {
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function heldBody(bytes: Uint8Array, release: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      let isRead = false;
      const over = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
        isRead = true;
        release();
        return { done: true, value: undefined };
      };
      return {
        next: async () => {
          if (isRead) return over();
          isRead = true;
          return { done: false, value: bytes };
        },
        return: over,
      };
    },
  };
}
