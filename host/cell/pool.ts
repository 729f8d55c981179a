import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { createEgress } from './egress/egress.ts';
import type { Egress, EgressOptions } from './egress/egress.ts';
import { launchChromium } from '../surrogate/launch.ts';
import type { LaunchOptions, Surrogate } from '../surrogate/launch.ts';

/** A Chromium with its own way out, for one person, once. */
export interface Running {
  readonly surrogate: Surrogate;
  readonly egress: Egress;
  /** Closes both. Idempotent. */
  close(): Promise<void>;
}

/** What surrogates are launched with, and how many. */
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
/** After a launch that failed, or a surrogate that died while it waited. */
const RETRY_DELAY_MS = 5000;

/** Launches surrogates ahead of need. One that was taken never comes back: nobody gets a browser that another has used. */
export class Pool {
  readonly #options: PoolOptions;
  /** Launched, or being launched, for nobody yet: the oldest first. */
  #ahead: Promise<Running>[] = [];
  readonly #launching = new Set<Promise<Running>>();
  readonly #running = new Set<Running>();
  readonly #taken = new WeakSet<Running>();
  readonly #counts = { launched: 0, failed: 0 };
  #refill: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#fill();
  }

  /** Surrogates that run, that are free, and that were launched or failed to since the start. */
  get counts(): {
    readonly running: number;
    readonly warm: number;
    readonly launched: number;
    readonly failed: number;
  } {
    const warm = [...this.#running].filter((running) => !this.#taken.has(running)).length;
    return { running: this.#running.size, warm, ...this.#counts };
  }

  /** A surrogate for one person; whoever takes it closes it. @throws AppError `pool-depleted`, retryable. */
  async take(): Promise<Running> {
    const ahead = this.#ahead.shift();
    if (!ahead && (this.#closed || !this.#hasRoom())) throw depleted('No surrogate is free.');
    const launched = ahead ?? this.#launch();
    this.#fillIn(REFILL_DELAY_MS);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(depleted('No surrogate in time.')), TAKE_DEADLINE_MS);
    });
    try {
      const running = await Promise.race([launched, late]);
      this.#taken.add(running);
      return running;
    } catch (thrown) {
      // Late or not, it is nobody's now.
      launched.then((running) => running.close()).catch(() => undefined);
      const fault = toAppError(thrown);
      throw fault.code === 'pool-depleted' ? fault : depleted(`No surrogate can be launched: ${fault.message}`, thrown);
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

  /** Launches what is missing, one after the other. */
  #fill(): void {
    if (this.#closed || this.#ahead.length >= this.#options.size || !this.#hasRoom()) return;
    const launched = this.#launch();
    this.#ahead.push(launched);
    launched.then(
      () => this.#fill(),
      (thrown: unknown) => {
        this.#options.log.error('no surrogate can be launched', { error: toAppError(thrown).message });
        this.#discard(launched);
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

  #discard(launched: Promise<Running>): void {
    this.#ahead = this.#ahead.filter((each) => each !== launched);
    this.#fillIn(RETRY_DELAY_MS);
  }

  #launch(): Promise<Running> {
    const launched = this.#start();
    this.#launching.add(launched);
    launched
      .then(
        (running) => {
          // One that dies while it waits is given to nobody.
          void running.surrogate.exited.then(() => {
            if (!this.#ahead.includes(launched)) return;
            this.#discard(launched);
            void running.close();
          });
        },
        () => undefined, // whoever waits for it hears of it
      )
      .finally(() => this.#launching.delete(launched));
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
          await surrogate.close();
          await egress.close();
          this.#running.delete(running);
        },
      };
      this.#running.add(running);
      return running;
    } catch (thrown) {
      this.#counts.failed += 1;
      await egress.close();
      throw thrown;
    }
  }
}

function depleted(message: string, cause?: unknown): AppError {
  return new AppError('pool-depleted', message, { retryable: true, cause });
}
