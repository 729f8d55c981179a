import { AppError } from '../../../core/protocol/errors.ts';

/** Options of {@link Turns}. */
interface TurnLimits {
  /** Maximum number that run at a time, and that wait. */
  readonly running: number;
  readonly waiting: number;
  /** Longest wait, in ms. */
  readonly waitMs: number;
}

/** Runs tasks, a limited number at a time. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #waiting: { go(): void; readonly timer: NodeJS.Timeout }[] = [];
  #running = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Number of tasks that run or wait. */
  get size(): number {
    return this.#running + this.#waiting.length;
  }

  /** Runs a task in its turn. @throws what it throws; AppError `busy`, retryable, when too many wait, or it has waited too long. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.running) this.#running++;
    else await this.#wait();
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next.go();
      else this.#running--;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(busy());
      }, this.#limits.waitMs);
      const entry = {
        timer,
        go: (): void => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.push(entry);
    });
  }
}

function busy(): AppError {
  return new AppError('busy', 'Too many names are being looked up.', { retryable: true });
}
