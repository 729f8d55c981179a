import { AppError } from '../protocol/errors.ts';
import { encodeFrame } from '../protocol/frame-encoding.ts';
import { FRAME_ENTRY_BYTES, KIND, MAX_FRAME_ENTRIES } from '../protocol/frames.ts';
import type { Entry } from '../protocol/frames.ts';
import { encodePiece } from '../protocol/bodies/pieces.ts';
import type { Piece } from '../protocol/bodies/pieces.ts';
import { MAX_POSTED_BYTES, UP_PATH } from '../protocol/bodies/posting.ts';
import { MAX_BACKOFF_MS } from './config.ts';
import { queryOf } from './transport.ts';
import type { ChannelNames } from './transport.ts';

/** Pieces that may wait for the network, in bytes: twice a request, so that the next is there when one is answered. */
const MAX_WAITING_BYTES = 2 * MAX_POSTED_BYTES;
/** Timeout of one request, in ms; it is sent again then. */
const POST_TIMEOUT_MS = 30_000;
const FIRST_BACKOFF_MS = 100;
/** Statuses that say that the same request will fail again: the session or the channel is over, or the request is wrong. */
const REFUSED = [400, 401, 403, 404, 409, 410, 413, 415];

/** Options of an uplink. */
interface UplinkOptions {
  readonly origin: string;
  readonly names: ChannelNames;
  /** There is room again. */
  readonly onRoom: () => void;
  /** The host does not take what was posted: it is lost. */
  readonly onLost: (reason: AppError) => void;
}

/**
 * The way of bodies from the client to its host, since a channel carries JSON only that way (M-075): one numbered POST after another,
 * each sent again until it is answered, whatever carries the channel. The host takes each number once.
 */
export class Uplink {
  readonly #options: UplinkOptions;
  readonly #abort = new AbortController();
  #waiting: Entry[] = [];
  #bytes = 0;
  #posted = 0;
  #isPosting = false;

  constructor(options: UplinkOptions) {
    this.#options = options;
  }

  isReady(): boolean {
    return this.#bytes < MAX_WAITING_BYTES;
  }

  send(piece: Piece): void {
    const body = encodePiece(piece);
    this.#waiting.push({ kind: KIND.data, body });
    this.#bytes += body.length;
    if (!this.#isPosting) void this.#run();
  }

  close(): void {
    this.#abort.abort();
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    this.#isPosting = true;
    await Promise.resolve(); // what is said in one turn goes in one request
    while (this.#waiting.length > 0) {
      const entries = this.#next();
      const refused = await this.#post(encodeFrame(entries), this.#posted + 1);
      if (this.#abort.signal.aborted) return;
      this.#bytes -= sizeOf(entries);
      if (refused) {
        this.#waiting = [];
        this.#bytes = 0;
        this.#options.onLost(refused);
      } else this.#posted += 1;
      this.#options.onRoom();
    }
    this.#isPosting = false;
  }

  #next(): Entry[] {
    let count = 0;
    let bytes = 0;
    for (const { body } of this.#waiting) {
      bytes += body.length + FRAME_ENTRY_BYTES;
      if (count > 0 && (bytes > MAX_POSTED_BYTES || count >= MAX_FRAME_ENTRIES)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Posts until there is an answer: undefined when it has been taken, else why it never will be. */
  async #post(body: Uint8Array<ArrayBuffer>, number: number): Promise<AppError | undefined> {
    const { origin, names } = this.#options;
    for (let wait = FIRST_BACKOFF_MS; !this.#abort.signal.aborted; wait = Math.min(MAX_BACKOFF_MS, wait * 2)) {
      try {
        const { status } = await fetch(`${origin}${UP_PATH}?${queryOf(names, { nr: String(number) })}`, {
          method: 'POST',
          credentials: 'include',
          cache: 'no-store',
          headers: { 'content-type': 'application/octet-stream' },
          body,
          signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
        });
        if (status === 200) return undefined;
        if (REFUSED.includes(status)) return new AppError('body-refused', `the host answers ${status}`);
      } catch {
        // The network: it is tried again for as long as the channel lives.
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    return undefined;
  }
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { body }) => sum + body.length, 0);
}
