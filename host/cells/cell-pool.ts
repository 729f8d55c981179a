import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';

interface CellPoolOptions<C> {
  /** Starts a cell. */
  readonly start: () => Promise<C>;
  /** Number of cells that are started in advance. */
  readonly size: number;
  /** Number of cells that may run in addition to the running and `starting` ones; negative while too many do. */
  readonly room: (starting: number) => number;
  /**
   * Called when there is no room for a cell that is needed: an unused one may be ended, which {@link CellPool.left}
   * then reports.
   */
  readonly makeRoom: () => void;
  readonly log: Log;
}

/** Delay after a take before the next cell is started, in ms: the page of the person has priority. */
const REFILL_DELAY_MS = 1500;
/** Delay after a failed start, the death of an idle cell, or a check that found no room. */
const RETRY_DELAY_MS = 5000;

/** Starts cells (`C`) in advance. A cell that was taken is never returned: no cell serves two people. */
export class CellPool<C> {
  readonly #options: CellPoolOptions<C>;
  readonly #waiting = new Set<C>();
  readonly #starting = new Set<Promise<C>>();
  /** Cells that are being started in advance. */
  #ahead: Promise<C>[] = [];
  #refill: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: CellPoolOptions<C>) {
    this.#options = options;
    this.#fill();
  }

  /** Idle cells. */
  get waiting(): readonly C[] {
    return [...this.#waiting];
  }

  /** Number of cells that can be taken now, those included that are, or may be, started for it. */
  get free(): number {
    return this.#waiting.size + this.#ahead.length + Math.max(0, this.#options.room(this.#starting.size));
  }

  /** Takes a cell for one person. @throws AppError `pool-depleted`, retryable. */
  async take(): Promise<C> {
    const [ready] = this.#waiting;
    if (ready !== undefined) {
      this.#waiting.delete(ready);
      this.#fillIn(REFILL_DELAY_MS);
      return ready;
    }
    const ahead = this.#ahead.shift();
    if (this.#closed || (!ahead && !this.#hasRoom())) throw depleted('No cell is free.');
    const started = ahead ?? this.#start();
    this.#fillIn(REFILL_DELAY_MS);
    try {
      return await started;
    } catch (thrown) {
      throw depleted(`No cell can be started: ${toAppError(thrown).message}`, thrown);
    }
  }

  /** A cell has ended, whether it was taken or not. */
  left(cell: C): void {
    if (this.#waiting.delete(cell)) this.#fillIn(RETRY_DELAY_MS);
    else this.#fillIn(REFILL_DELAY_MS);
  }

  /** Starts no more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#refill);
  }

  /** Resolves once no start is in progress. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#starting);
  }

  #hasRoom(): boolean {
    if (this.#options.room(this.#starting.size) > 0) return true;
    this.#options.makeRoom();
    return false;
  }

  /** Starts missing cells, one after the other. */
  #fill(): void {
    const { size, log } = this.#options;
    if (this.#closed || this.#waiting.size + this.#ahead.length >= size) return;
    if (!this.#hasRoom()) {
      this.#fillIn(RETRY_DELAY_MS);
      return;
    }
    const started = this.#start();
    this.#ahead.push(started);
    const isOurs = (): boolean => {
      const at = this.#ahead.indexOf(started);
      if (at >= 0) void this.#ahead.splice(at, 1);
      return at >= 0;
    };
    started.then(
      (cell) => {
        if (isOurs()) this.#waiting.add(cell);
        this.#fill();
      },
      (thrown: unknown) => {
        log.error('no cell can be started', { error: toAppError(thrown).message });
        if (isOurs()) this.#fillIn(RETRY_DELAY_MS);
      },
    );
  }

  #fillIn(delayMs: number): void {
    if (this.#closed) return;
    this.#refill ??= setTimeout(() => {
      this.#refill = undefined;
      this.#fill();
    }, delayMs);
    this.#refill.unref();
  }

  #start(): Promise<C> {
    const started = this.#options.start();
    this.#starting.add(started);
    started.catch(() => undefined).finally(() => this.#starting.delete(started));
    return started;
  }
}

function depleted(message: string, cause?: unknown): AppError {
  return new AppError('pool-depleted', message, { retryable: true, cause });
}
