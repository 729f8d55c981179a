import type { Worker } from 'node:worker_threads';
import { AppError } from '../../core/protocol/errors.ts';
import { startThread } from '../base/start-thread.ts';

/** A piece of a font to be cut out. */
export interface Cut {
  readonly id: number;
  readonly file: string;
  readonly index: number;
  readonly piece: string;
}

/** Answer of the cutting thread. */
export interface CutAnswer {
  readonly id: number;
  readonly bytes?: Uint8Array;
  readonly fault?: string;
}

const THREAD = new URL('cutting-thread.ts', import.meta.url);
/** Idle time after which the thread ends, in ms: it holds the memory of the largest font so far. */
const IDLE_MS = 20_000;

/** Deadline for one piece, in ms: a large font takes a second. */
const CUT_MS = 60_000;

interface Waiting {
  readonly done: (bytes: Uint8Array) => void;
  readonly failed: (fault: AppError) => void;
}

/** Cuts pieces out of font files, one after the other, in a thread that runs while there is work. */
export class Cutter {
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;
  #ids = 0;

  /** Returns a piece as WOFF2. @throws AppError `font-broken`. */
  cut(file: string, index: number, piece: string): Promise<Uint8Array> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    return new Promise((done, failed) => {
      const id = ++this.#ids;
      this.#waiting.set(id, { done, failed });
      if (this.#waiting.size === 1) this.#watch(thread);
      thread.postMessage({ id, file, index, piece } satisfies Cut);
    });
  }

  #start(): Worker {
    const thread = startThread(THREAD, { execArgv: [] });
    thread.unref();
    thread.on('message', ({ id, bytes, fault = '' }: CutAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (bytes) waiting?.done(bytes);
      else waiting?.failed(new AppError('font-broken', 'The font cannot be cut.', { data: { fault } }));
      if (this.#waiting.size === 0) this.#rest();
      else this.#watch(thread);
    });
    thread.on('error', (cause) => this.#end(thread, cause));
    thread.on('exit', () => this.#end(thread));
    return thread;
  }

  /** Ends the thread at the deadline and rejects all jobs in its queue. */
  #watch(thread: Worker): void {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => {
      this.#end(thread, new Error('timeout'));
      void thread.terminate();
    }, CUT_MS);
    this.#late.unref();
  }

  #rest(): void {
    clearTimeout(this.#late);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const thread = this.#thread;
      this.#thread = undefined;
      void thread?.terminate();
    }, IDLE_MS);
    this.#idle.unref();
  }

  #end(thread: Worker, cause?: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    clearTimeout(this.#late);
    for (const { failed } of this.#waiting.values())
      failed(new AppError('font-broken', 'The font cannot be cut.', { cause }));
    this.#waiting.clear();
  }
}
