import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import { TO_SERVICE } from '../plugins/service-protocol.ts';
import type { StartCell, StartedCell } from './cell-process.ts';
import { watchPings } from './ping-watch.ts';
import { takeReports } from './reports.ts';
import type { ReportListener } from './reports.ts';

/** Pause before a service half that has ended is started again; each further end within {@link STEADY_MS} doubles it, up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A service half that has run for so long has recovered. */
const STEADY_MS = 60_000;
const LAST_LINES = 5;
/** Time for a service half to end in order. */
const CLOSE_DEADLINE_MS = 8000;

interface ServiceProcessOptions extends ReportListener {
  /** Name of the service. */
  readonly name: string;
  readonly start: StartCell;
  /** {@link FIRST_PAUSE_MS} unless given. */
  readonly firstPauseMs?: number;
}

/** The process of one service half: started when it is first needed, ended when it freezes, started again when it has ended. */
export class ServiceProcess {
  readonly #options: ServiceProcessOptions;
  #starting: Promise<StartedCell> | undefined;
  #running: StartedCell | undefined;
  /** When it may be started again, while it waits for that. */
  #resumeAt = 0;
  #pauseMs: number;
  #resuming: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ServiceProcessOptions) {
    this.#options = options;
    this.#pauseMs = options.firstPauseMs ?? FIRST_PAUSE_MS;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Gets the running process. @throws AppError `service-unavailable`, retryable, while it waits to be started again, or cannot be. */
  ready(): Promise<StartedCell> {
    if (this.#running) return Promise.resolve(this.#running);
    if (this.#closing) return Promise.reject(this.#unavailable('the host ends'));
    if (this.#resuming)
      return Promise.reject(this.#unavailable('its service half has ended and is started again soon', this.#retryInMs));
    return (this.#starting ??= this.#start());
  }

  /** Sends a notice to the running process, if there is one. */
  notify(name: string, params: unknown): void {
    this.#running?.peer.notify(name, params);
  }

  /** Ends it. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      clearTimeout(this.#resuming);
      await this.#starting?.catch(() => undefined);
      const running = this.#running;
      this.#running = undefined;
      await running?.peer.call(TO_SERVICE.close, null, { deadlineMs: CLOSE_DEADLINE_MS }).catch(() => undefined); // it is ended anyway
      running?.peer.close('the host ends');
      await running?.kill();
    })();
    return this.#closing;
  }

  async #start(): Promise<StartedCell> {
    const { name, log, start, onFault, onRecords } = this.#options;
    let started: StartedCell | undefined;
    try {
      started = await start();
      takeReports(started.peer, { log, onFault, onRecords });
      await started.setUp();
      started.peer.closed.throwIfAborted();
      if (this.#closing) throw this.#unavailable('the host ends');
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      await started?.kill();
      this.#starting = undefined;
      if (!this.#closing) {
        onFault('plugin', 'service-failed');
        log.error('service half: not started', {
          service: name,
          code,
          error: message,
          stderr: started?.stderr?.slice(-LAST_LINES),
        });
        this.#resumeLater();
      }
      throw this.#unavailable(`its service half could not be started: ${message}`, this.#retryInMs);
    }
    this.#watch(started);
    return started;
  }

  #watch(started: StartedCell): void {
    const { name, log } = this.#options;
    const { peer } = started;
    const startedAt = performance.now();
    this.#running = started;
    this.#starting = undefined;
    const stopPings = watchPings(peer, () => end('frozen'));
    const end = (why: string): void => {
      stopPings();
      if (this.#running !== started) return;
      this.#running = undefined;
      peer.close(why);
      if (performance.now() - startedAt >= STEADY_MS) this.#pauseMs = this.#options.firstPauseMs ?? FIRST_PAUSE_MS;
      this.#options.onFault('plugin', 'service-ended');
      log.error('service half: ended', {
        service: name,
        servicePid: started.pid,
        why,
        stderr: started.stderr?.slice(-LAST_LINES),
      });
      this.#resumeLater();
      void started.kill();
    };
    onAbort(peer.closed, () => end('link closed'));
    void started.exited.then(({ reason }) => end(reason ?? 'exited'));
    log.info('service half: started', { service: name, servicePid: started.pid });
  }

  get #retryInMs(): number {
    return Math.max(0, Math.ceil(this.#resumeAt - performance.now()));
  }

  /** Starts it again after a pause: it has been needed, and will be. */
  #resumeLater(): void {
    if (this.#closing) return;
    const pauseMs = this.#pauseMs;
    this.#resumeAt = performance.now() + pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    this.#resuming = setTimeout(() => {
      this.#resuming = undefined;
      this.ready().catch(() => undefined); // logged; it is tried again
    }, pauseMs).unref();
  }

  #unavailable(why: string, retryInMs?: number): AppError {
    const data = retryInMs === undefined ? undefined : { retryInMs };
    return new AppError('service-unavailable', `${this.#options.name}: ${why}`, { retryable: true, data });
  }
}
