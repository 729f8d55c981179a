import type { ByteStream } from '../body.ts';
import { AppError } from '../errors.ts';
import { ByteQueue } from './byte-queue.ts';
import { tooLarge } from './outgoing.ts';
import { INITIAL_CREDIT } from './pieces.ts';

/** Default budget of all bodies of a carrier while they wait to be read, in bytes. */
export const BUDGET_BYTES = 48 * 1024 * 1024;

/** Budget that bodies share while they wait to be read, in bytes. */
export interface ByteBudget {
  /** False when that is more than is left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** A budget of so many bytes. */
export function byteBudget(max = BUDGET_BYTES): ByteBudget {
  let left = max;
  return {
    take: (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give: (bytes) => {
      left += bytes;
    },
  };
}

/** Options of an incoming body, and its calls to its carrier. */
interface IncomingBodyOptions {
  /** Bytes that may wait to be read. */
  readonly windowBytes: number;
  readonly budget: ByteBudget;
  /** The sender may send so many bytes in all. */
  readonly grant: (bytes: number) => void;
  /** The rest is not wanted any more; the sender is notified unless all has been sent. */
  readonly onOver: (cancelled: AppError | undefined) => void;
}

interface Reader {
  readonly resolve: (result: IteratorResult<Uint8Array<ArrayBuffer>, undefined>) => void;
  readonly reject: (fault: AppError) => void;
}

const DONE = { done: true, value: undefined } as const;

/** A body that is arriving: keeps what is not read yet, within a window, and tells the sender when it may send more. */
export class IncomingBody implements ByteStream {
  readonly #options: IncomingBodyOptions;
  readonly #queue = new ByteQueue();
  #maxBytes = Infinity;
  #isClaimed = false;
  #received = 0;
  #granted = INITIAL_CREDIT;
  #isEnded = false;
  #isOver = false;
  #fault: AppError | undefined;
  #reader: Reader | undefined;
  #movedAt = Date.now();

  constructor(options: IncomingBodyOptions) {
    this.#options = options;
  }

  get isClaimed(): boolean {
    return this.#isClaimed;
  }

  /** Whether nothing has come since then. */
  isIdleSince(time: number): boolean {
    return this.#movedAt < time;
  }

  /** The message that it belongs to has come. */
  claim(maxBytes: number): void {
    this.#isClaimed = true;
    this.#maxBytes = maxBytes;
    this.#movedAt = Date.now();
    if (this.#received > maxBytes) this.#refuse(tooLarge(maxBytes));
    else this.#grant();
  }

  /** Takes a piece. @throws AppError `body-overrun` for more than was granted; the body is over then. */
  take(bytes: Uint8Array, isLast: boolean): void {
    if (this.#isOver) return;
    this.#received += bytes.length;
    this.#movedAt = Date.now();
    if (this.#isEnded || this.#received > this.#granted || !this.#options.budget.take(bytes.length)) {
      const fault = new AppError('body-overrun', 'more of a body than may be sent');
      this.#refuse(fault);
      throw fault;
    }
    if (bytes.length > 0) this.#queue.push(bytes);
    this.#isEnded = isLast;
    if (this.#received > this.#maxBytes) this.#refuse(tooLarge(this.#maxBytes));
    else this.#serve();
    if (this.#isClaimed) this.#grant();
  }

  /** It will not arrive. */
  fail(fault: AppError): void {
    if (this.#isOver) return;
    this.#fault = fault;
    this.#end(undefined);
    this.#reader?.reject(fault);
    this.#reader = undefined;
  }

  cancel(reason = new AppError('body-cancelled', 'the receiver wants no more')): void {
    if (this.#isOver) return;
    const isRead = this.#isEnded;
    this.#fault = reason;
    this.#end(isRead ? undefined : reason);
    this.#reader?.reject(reason);
    this.#reader = undefined;
  }

  async bytes(maxBytes = Infinity): Promise<Uint8Array<ArrayBuffer>> {
    const { budget } = this.#options;
    const pieces = new ByteQueue(); // which gathers small ones
    let size = 0;
    try {
      for await (const piece of this) {
        if (!budget.take(piece.length)) throw new AppError('body-overrun', 'bodies take up too much');
        pieces.push(piece);
        size += piece.length;
        if (size > maxBytes) throw tooLarge(maxBytes);
      }
    } catch (thrown) {
      if (thrown instanceof AppError) this.cancel(thrown);
      throw thrown;
    } finally {
      budget.give(size);
    }
    const whole = new Uint8Array(size);
    let at = 0;
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array<ArrayBuffer>, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.cancel();
        return Promise.resolve(DONE);
      },
    };
  }

  #next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> {
    if (this.#reader) return Promise.reject(new AppError('body-taken', 'a body is read by one reader'));
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#serve();
    });
  }

  /** Gives a reader that waits what there is. */
  #serve(): void {
    const reader = this.#reader;
    if (!reader) return;
    const bytes = this.#queue.shift();
    if (!bytes && !this.#isEnded && !this.#isOver) return;
    this.#reader = undefined;
    if (bytes) {
      this.#options.budget.give(bytes.length);
      this.#grant();
      reader.resolve({ done: false, value: bytes });
    } else if (this.#fault) reader.reject(this.#fault);
    else {
      this.#end(undefined);
      reader.resolve(DONE);
    }
  }

  /** Lets the sender go on once it has used up a part of what it has: not a word for what is small. */
  #grant(): void {
    if (this.#isEnded || this.#isOver) return;
    const { windowBytes } = this.#options;
    const unread = this.#queue.length;
    const granted = this.#received - unread + windowBytes;
    const left = this.#granted - this.#received;
    const isFirst = this.#granted === INITIAL_CREDIT;
    if (isFirst ? left > INITIAL_CREDIT / 2 : granted - this.#granted < windowBytes / 4) return;
    this.#granted = Math.max(this.#granted, granted);
    this.#options.grant(this.#granted);
  }

  #refuse(fault: AppError): void {
    this.#fault = fault;
    this.#end(fault);
    this.#reader?.reject(fault);
    this.#reader = undefined;
  }

  #end(cancelled: AppError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.budget.give(this.#queue.clear());
    this.#options.onOver(cancelled);
  }
}
