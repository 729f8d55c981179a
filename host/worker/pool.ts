import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { createEgress } from '../surrogate/egress/egress.ts';
import type { Egress, EgressOptions } from '../surrogate/egress/egress.ts';
import { launchChromium } from '../surrogate/launch.ts';
import type { LaunchOptions, Surrogate } from '../surrogate/launch.ts';

/** A Chromium with its own way out, for one person, once. */
export interface Running {
  readonly surrogate: Surrogate;
  readonly egress: Egress;
  /** Closes both. Idempotent. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly launch: Omit<LaunchOptions, 'proxyPort' | 'log'>;
  readonly egress: Omit<EgressOptions, 'log'>;
  /** Surrogates that are kept running ahead of need. */
  readonly size: number;
  /** Surrogates that may run at once, taken ones included. */
  readonly max: number;
  readonly log: Log;
}

/** How long somebody who asks waits for a launch. */
const TAKE_DEADLINE_MS = 20_000;
/** After one is taken, the next is launched only once that person's page has had a head start. */
const REFILL_DELAY_MS = 1500;
/** After a launch that failed. */
const RETRY_DELAY_MS = 5000;

/** Launches surrogates ahead of need. One that was taken never comes back: nobody gets a browser that another has used. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #warm: Running[] = [];
  readonly #running = new Set<Running>();
  readonly #launching = new Set<Promise<Running>>();
  readonly #counts = { launched: 0, failed: 0 };
  #refill: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Surrogates that run, that are free, and that were launched or failed to since the start. */
  get counts(): { readonly running: number; readonly warm: number; readonly launched: number; readonly failed: number } {
    return { running: this.#running.size, warm: this.#warm.length, ...this.#counts };
  }

  /** Launches what is missing, and resolves when it is there, or has failed. */
  async warm(): Promise<void> {
    while (!this.#closed && this.#warm.length + this.#launching.size < this.#options.size && this.#hasRoom()) {
      try {
        const running = await this.#launch();
        if (!running.surrogate.connection.root.closed.aborted) this.#warm.push(running);
      } catch (thrown) {
        this.#options.log.error('no surrogate can be launched', { error: toAppError(thrown).message });
        this.#refillIn(RETRY_DELAY_MS);
        return;
      }
    }
  }

  /** A surrogate for one person; whoever takes it closes it. @throws AppError `pool-depleted`, retryable. */
  async take(): Promise<Running> {
    const warm = this.#warm.shift();
    this.#refillIn(REFILL_DELAY_MS);
    if (warm) return warm;
    if (this.#closed || !this.#hasRoom())
      throw new AppError('pool-depleted', 'No surrogate is free.', { retryable: true });
    const launched = this.#launch();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new AppError('pool-depleted', 'No surrogate in time.', { retryable: true })), TAKE_DEADLINE_MS);
    });
    try {
      return await Promise.race([launched, late]);
    } catch (thrown) {
      // Late or not, it is nobody's now.
      launched.then((running) => running.close()).catch(() => undefined);
      if (toAppError(thrown).code === 'pool-depleted') throw thrown;
      throw new AppError('pool-depleted', `No surrogate can be launched: ${toAppError(thrown).message}`, { retryable: true, cause: thrown });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes everything that runs, taken or not. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#refill);
    await Promise.allSettled(this.#launching);
    await Promise.all([...this.#running].map((running) => running.close()));
  }

  #hasRoom(): boolean {
    return this.#running.size + this.#launching.size < this.#options.max;
  }

  #refillIn(delayMs: number): void {
    if (this.#closed || this.#options.size === 0) return;
    this.#refill ??= setTimeout(() => {
      this.#refill = undefined;
      void this.warm();
    }, delayMs);
    this.#refill.unref();
  }

  #launch(): Promise<Running> {
    const launched = this.#start();
    this.#launching.add(launched);
    const settled = (): void => {
      this.#launching.delete(launched);
    };
    launched.then(settled, settled);
    return launched;
  }

  async #start(): Promise<Running> {
    const { log } = this.#options;
    const egress = await createEgress({ ...this.#options.egress, log });
    try {
      const surrogate = await launchChromium({ ...this.#options.launch, proxyPort: egress.port, log });
      this.#counts.launched += 1;
      const running: Running = {
        surrogate,
        egress,
        close: async () => {
          this.#running.delete(running);
          const at = this.#warm.indexOf(running);
          if (at >= 0) this.#warm.splice(at, 1);
          await surrogate.close();
          await egress.close();
        },
      };
      this.#running.add(running);
      // One that dies while it waits is not given to anybody.
      void surrogate.exited.then(() => {
        if (this.#warm.includes(running)) void running.close().then(() => this.#refillIn(RETRY_DELAY_MS));
      });
      return running;
    } catch (thrown) {
      this.#counts.failed += 1;
      await egress.close();
      throw thrown;
    }
  }
}
