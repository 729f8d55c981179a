import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { Log } from '../../core/contracts/scope.ts';
import type { BodySource, CallResult, LinkAnswer } from '../link/api.ts';
import type { StartCell, StartedCell } from './cell-process.ts';
import { followedBody } from './followed-body.ts';

/** Time without work after which the process ends, in ms. */
const IDLE_MS = 30_000;
/** Jobs that may wait for their turn, unless another number is given. */
const MAX_WAITING = 64;
/** Starts of the process in a minute: a file that ends it is not tried without end. */
const MAX_STARTS = 10;
const STARTS_SPAN_MS = 60_000;
const LAST_LINES = 5;

/** Codes of what a decoder refuses, with the text that is passed on: none of its own is. */
const REFUSALS: Readonly<Record<string, string>> = {
  'resource-type': 'The type of the resource is not supported.',
  'resource-too-large': 'The resource is too large.',
  'font-broken': 'The font cannot be cut.',
  'decoder-unavailable': 'Pictures and fonts cannot be decoded on this host.',
};

export interface DecoderOptions {
  /** For the log. */
  readonly name: string;
  readonly start: StartCell;
  readonly onFault: (from: string, code: string) => void;
  readonly log: Log;
  /** {@link IDLE_MS} unless given. */
  readonly idleMs?: number;
  /** {@link MAX_WAITING} unless given. */
  readonly maxWaiting?: number;
}

interface Job {
  readonly method: string;
  readonly params: unknown;
  readonly body?: BodySource;
  readonly signal: AbortSignal;
  /** Checks the value of the answer. @throws AppError: the process is not ours any more, and is ended */
  readonly checked: (value: unknown) => unknown;
  /** Time until its answer is taken whole; the process is ended past it. */
  readonly deadlineMs: number;
}

/**
 * The process that decodes the files of one person, or the fonts of the machine: started by the first job, ended when it
 * has no work. Jobs take turns. A process that ends fails its job; the next one starts another.
 */
export class Decoder {
  readonly #options: DecoderOptions;
  readonly #waiting: ((isTurn: boolean) => void)[] = [];
  /** When the process was started of late, by `performance.now()`. */
  #starts: number[] = [];
  #started: Promise<StartedCell> | undefined;
  #running: StartedCell | undefined;
  /** Changes with each end of a process: one that was being started meanwhile is not wanted any more. */
  #round = 0;
  #isBusy = false;
  /** Whether the log says that its package is missing. */
  #isMissing = false;
  #idle: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DecoderOptions) {
    this.#options = options;
  }

  /** Whether its process runs. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Does a job in its turn. The body of the answer has to be read, or the signal aborted, before the next one begins.
   *
   * @throws AppError `resource-busy`, `decoder-ended`, `resource-timeout`, all retryable, and a refusal of the decoder
   */
  async call(job: Job): Promise<LinkAnswer> {
    await this.#turn(job.signal);
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      this.#end('late');
      over();
    }, job.deadlineMs);
    let isOver = false;
    let unlisten = (): void => undefined;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      unlisten();
      this.#next();
    };
    const faultOf = (thrown: unknown): AppError => {
      if (job.signal.aborted) return toAppError(thrown);
      return late.signal.aborted ? timedOut() : this.#faultOf(thrown);
    };
    unlisten = onAbort(job.signal, over);
    try {
      const { value, body } = await this.#answer(job, late.signal);
      if (!body) over();
      return { value: this.#checked(job, value), ...(body && { body: followedBody(body, over, faultOf) }) };
    } catch (thrown) {
      over();
      throw faultOf(thrown);
    }
  }

  /** Ends it for good. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const begin of this.#waiting.splice(0)) begin(false);
      const running = this.#running;
      this.#end('closed');
      await running?.kill();
    })();
    return this.#closing;
  }

  async #answer({ method, params, body, signal, deadlineMs }: Job, late: AbortSignal): Promise<CallResult> {
    signal.throwIfAborted();
    const started = await this.#ready();
    const ending = AbortSignal.any([signal, late]);
    ending.throwIfAborted();
    return started.peer.call(method, params, { deadlineMs, signal: ending, ...(body && { body }) });
  }

  #checked({ checked }: Job, value: unknown): unknown {
    try {
      return checked(value);
    } catch (thrown) {
      if (this.#running) this.#lost(this.#running, 'bad answer');
      throw thrown;
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { maxWaiting = MAX_WAITING } = this.#options;
    if (this.#isBusy && this.#waiting.length >= maxWaiting) throw busy('too many files wait to be decoded');
    if (this.#isBusy) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const left = (): void => {
        const at = this.#waiting.indexOf(resolve);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(false);
      };
      this.#waiting.push(resolve);
      const unlisten = onAbort(signal, left);
      const isTurn = await promise;
      unlisten();
      if (isTurn && signal.aborted) this.#next();
      if (signal.aborted) throw toAppError(signal.reason);
    }
    if (this.#closing) throw ended();
    this.#isBusy = true;
    clearTimeout(this.#idle);
  }

  #next(): void {
    this.#isBusy = false;
    const next = this.#waiting.shift();
    if (next) {
      this.#isBusy = true; // nobody comes between
      next(true);
      return;
    }
    this.#idle = setTimeout(() => this.#end('idle'), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  #ready(): Promise<StartedCell> {
    if (this.#closing) return Promise.reject(ended());
    return (this.#started ??= this.#start());
  }

  async #start(): Promise<StartedCell> {
    const { name, start, log } = this.#options;
    const round = this.#round;
    const now = performance.now();
    this.#starts = this.#starts.filter((at) => now - at < STARTS_SPAN_MS);
    let started: StartedCell | undefined;
    try {
      if (this.#starts.length >= MAX_STARTS) throw busy('the decoder has ended too often');
      this.#starts.push(now);
      started = await start();
      await started.setUp();
      started.peer.closed.throwIfAborted();
      if (round !== this.#round) throw ended();
    } catch (thrown) {
      void started?.kill();
      if (round !== this.#round) throw ended(thrown);
      this.#started = undefined;
      const { code, message } = toAppError(thrown);
      if (code !== 'resource-busy')
        log.error('decoder: not started', { decoder: name, code, error: message, stderr: lastLines(started) });
      throw thrown;
    }
    const running = started;
    this.#running = running;
    onAbort(running.peer.closed, () => this.#lost(running, 'link closed'));
    void running.exited.then(({ reason }) => this.#lost(running, reason ?? 'exited'));
    log.debug('decoder: started', { decoder: name, decoderPid: running.pid });
    return running;
  }

  /** It has ended by itself, or was ended by the limit of its memory. */
  #lost(started: StartedCell, why: string): void {
    if (this.#running !== started) return;
    const { name, onFault, log } = this.#options;
    onFault('host', 'decoder-ended');
    log.warn('decoder: ended', { decoder: name, decoderPid: started.pid, why, stderr: lastLines(started) });
    this.#end(why);
  }

  #end(why: string): void {
    const running = this.#running;
    clearTimeout(this.#idle);
    this.#round += 1;
    this.#running = undefined;
    this.#started = undefined;
    running?.peer.close(why);
    void running?.kill();
  }

  #faultOf(thrown: unknown): AppError {
    const { code, message } = toAppError(thrown);
    if (code === 'resource-busy' || code === 'uids-exhausted') return busy(message);
    if (code === 'link-timeout') return timedOut();
    if (code === 'link-too-large') return new AppError('resource-too-large', 'The resource is too large.');
    if (code === 'decoder-unavailable' && !this.#isMissing) {
      this.#isMissing = true;
      this.#options.log.error('decoder: unavailable', { decoder: this.#options.name, error: message.slice(0, 1000) });
    }
    const text = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
    return text === undefined ? ended(thrown) : new AppError(code, text);
  }
}

function lastLines(started: StartedCell | undefined): readonly string[] | undefined {
  return started?.stderr?.slice(-LAST_LINES);
}

function busy(why: string): AppError {
  return new AppError('resource-busy', `Not decoded: ${why}.`, { retryable: true });
}

function timedOut(): AppError {
  return new AppError('resource-timeout', 'Decoding has taken too long.', { retryable: true });
}

function ended(cause?: unknown): AppError {
  return new AppError('decoder-ended', 'The decoder has ended meanwhile.', { retryable: true, cause });
}
