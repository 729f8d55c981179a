import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { createEgress } from '../egress/egress.ts';
import type { Egress, EgressOptions } from '../egress/egress.ts';
import type { LaunchOptions, Surrogate } from '../../surrogate/launch.ts';
import { setBrowserDefaults } from './browser-defaults.ts';

/** A Chromium with its own way out, for one person, once. */
export interface Running {
  readonly surrogate: Surrogate;
  readonly egress: Egress;
  /** Device pixels per CSS pixel of its display. */
  readonly scale: number;
  /** Closes both. Idempotent. */
  close(): Promise<void>;
}

/** Options of the start of a Chromium. */
interface BrowserLaunch extends Pick<LaunchOptions, 'proxyPort' | 'log'> {
  /** Device pixels per CSS pixel of its display. */
  readonly scale: number;
  /** Called with the id of the user that the browser runs as, before it connects to its proxy, which takes nobody else. */
  readonly onUser: (uid: number | undefined) => void;
}

/** Starts a Chromium. @throws AppError `surrogate-launch-failed`, `page-half-missing`; nothing is left behind then. */
export type LaunchBrowser = (options: BrowserLaunch) => Promise<Surrogate>;

export interface BrowserSupplyOptions {
  readonly launch: LaunchBrowser;
  readonly egress: Omit<EgressOptions, 'log'>;
  /** Names of permissions that no site has, beside those that none ever has. */
  readonly denied: readonly string[];
  /** Scale of the display of the browser that is started ahead of need. */
  readonly scale: number;
  /** Called with the ports of the egress proxies that listen now, whenever they change. */
  readonly onPorts?: (ports: readonly number[]) => void;
  readonly log: Log;
}

/** Longest wait for a launch. */
const TAKE_DEADLINE_MS = 20_000;
/** Delay before the next try after a launch that failed, or a browser that died before it was taken. */
const RETRY_DELAY_MS = 5000;

/**
 * The browsers of one cell: one is started ahead of need, others in place of those that have died. One that was taken never comes
 * back. Whoever made the supply closes it.
 */
export class BrowserSupply {
  readonly #options: BrowserSupplyOptions;
  readonly #running = new Set<Running>();
  readonly #ports = new Set<number>();
  readonly #launching = new Set<Promise<Running>>();
  readonly #counts = { launched: 0, failed: 0 };
  #ahead: Promise<Running> | undefined;
  #isWarm = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** Starts the first browser at once. */
  constructor(options: BrowserSupplyOptions) {
    this.#options = options;
    this.#prepare();
  }

  /** Browsers that run, whether one of them waits to be taken, and how many were launched or failed to since the start. */
  get counts(): {
    readonly running: number;
    readonly isWarm: boolean;
    readonly launched: number;
    readonly failed: number;
  } {
    return { running: this.#running.size, isWarm: this.#isWarm, ...this.#counts };
  }

  /** A browser, with a display of that scale if one is given; whoever takes it closes it. @throws AppError `pool-depleted`, retryable. */
  async take(scale = this.#options.scale): Promise<Running> {
    if (this.#closed) throw depleted('The cell is closing.');
    const ahead = this.#ahead;
    const launched = ahead && scale === this.#options.scale ? ahead : this.#launch(scale, ahead);
    this.#ahead = undefined;
    this.#isWarm = false;
    clearTimeout(this.#retry);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(depleted('No surrogate in time.')), TAKE_DEADLINE_MS);
    });
    try {
      return await Promise.race([launched, late]);
    } catch (thrown) {
      // Late or not, nobody will use it now.
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
    clearTimeout(this.#retry);
    await Promise.allSettled(this.#launching);
    await Promise.all([...this.#running].map((running) => running.close()));
  }

  #prepare(): void {
    if (this.#closed) return;
    const ahead = (this.#ahead = this.#launch(this.#options.scale));
    const again = (): void => {
      if (this.#ahead !== ahead) return;
      this.#ahead = undefined;
      this.#isWarm = false;
      this.#retry = setTimeout(() => this.#prepare(), RETRY_DELAY_MS);
      this.#retry.unref();
    };
    ahead.then(
      (running) => {
        if (this.#ahead !== ahead) return;
        this.#isWarm = true;
        // One that dies while it waits is given to nobody.
        void running.surrogate.exited.then(() => {
          if (this.#ahead !== ahead) return;
          again();
          void running.close();
        });
      },
      (thrown: unknown) => {
        this.#options.log.error('no surrogate can be launched', { error: toAppError(thrown).message });
        again();
      },
    );
  }

  /** Starts a browser; one that has another scale is ended before, since a cell has one at a time. */
  #launch(scale: number, other?: Promise<Running>): Promise<Running> {
    const ended = other?.then(
      (running) => running.close(),
      () => undefined, // reported when it was prepared
    );
    const launched = ended ? ended.then(() => this.#start(scale)) : this.#start(scale);
    this.#launching.add(launched);
    launched.catch(() => undefined).finally(() => this.#launching.delete(launched)); // the waiting caller gets the error
    return launched;
  }

  async #start(scale: number): Promise<Running> {
    const { log, launch } = this.#options;
    const user = Promise.withResolvers<number | undefined>();
    const egress = await createEgress({ ...this.#options.egress, user: user.promise, log });
    this.#listens(egress.port, true);
    try {
      const surrogate = await launch({ proxyPort: egress.port, scale, onUser: user.resolve, log });
      this.#counts.launched += 1;
      setBrowserDefaults(surrogate.connection.root, this.#options.denied);
      const running: Running = {
        surrogate,
        egress,
        scale,
        close: async () => {
          await surrogate.close();
          await egress.close();
          this.#running.delete(running);
          this.#listens(egress.port, false);
        },
      };
      this.#running.add(running);
      return running;
    } catch (thrown) {
      this.#counts.failed += 1;
      await egress.close();
      this.#listens(egress.port, false);
      throw thrown;
    }
  }

  #listens(port: number, isOpen: boolean): void {
    if (isOpen) this.#ports.add(port);
    else this.#ports.delete(port);
    this.#options.onPorts?.([...this.#ports]);
  }
}

function depleted(message: string, cause?: unknown): AppError {
  return new AppError('pool-depleted', message, { retryable: true, cause });
}
