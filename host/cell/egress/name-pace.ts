import { AppError } from '../../../core/protocol/errors.ts';

const MINUTE_MS = 60_000;
/** Longest wait of a name for its turn, in ms: browsers wait longer for their proxy. */
const MAX_WAIT_MS = 10_000;

/**
 * Sets the pace at which a browser asks for host names: as many as it may in a minute at once, then as they become free. What asks for
 * them is not known here: workers of all kinds, preconnections, websockets, a browser that has been taken over.
 */
export class NamePace {
  readonly #perMinute: number;
  readonly #onSlow: () => void;
  /** When each name of the last minute was asked for first, and its turn; in order. */
  readonly #known = new Map<string, { readonly at: number; readonly turn: Promise<void> | undefined }>();
  /** When all names of a minute would be free again, by `performance.now()`. */
  #freeAt = 0;

  /** @param onSlow called when a name has to wait */
  constructor(perMinute: number, onSlow: () => void) {
    this.#perMinute = perMinute;
    this.#onSlow = onSlow;
  }

  /** Resolves when a name may be asked for; one of the last minute may be at once. @throws AppError `too-many-names`, retryable. */
  async turn(name: string, now = performance.now()): Promise<void> {
    for (const [known, { at }] of this.#known) {
      if (now - at < MINUTE_MS) break;
      this.#known.delete(known);
    }
    const known = this.#known.get(name);
    if (known) return known.turn;
    const freeAt = Math.max(this.#freeAt, now) + MINUTE_MS / this.#perMinute;
    const wait = freeAt - now - MINUTE_MS;
    if (wait > MAX_WAIT_MS)
      throw new AppError('too-many-names', 'Your pages connect to too many servers now.', { retryable: true });
    this.#freeAt = freeAt;
    const turn = wait > 0 ? new Promise<void>((resolve) => setTimeout(resolve, wait).unref()) : undefined;
    this.#known.set(name, { at: now, turn });
    if (turn) this.#onSlow();
    return turn;
  }
}
