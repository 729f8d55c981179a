import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { FlowMeter } from '../../base/flow-meter.ts';
import { startThread } from '../../base/start-thread.ts';
import { MESSAGES_PER_SECOND, parseUp, UNITS_PER_SECOND } from './wire.ts';
import type { Down, Task, ThreadData, Up } from './wire.ts';

/** Entry of threads: the file beside this one, or the one built file that holds both, which tells threads apart by itself. */
const ENTRY = import.meta.filename.endsWith('.ts')
  ? path.join(import.meta.dirname, 'thread-entry.ts')
  : import.meta.filename;

/** The only variable of a thread, hidden from plugins: where Node keeps compiled code, with which a thread starts in a quarter of the time. */
const { NODE_COMPILE_CACHE } = process.env;
const ENVIRONMENT = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Maximum heap and stack of one thread, in MiB: past its heap limit the thread ends. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** The same in buffers, which no limit of V8's counts, in bytes; and how often they are weighed: one can be filled with gigabytes in a second. */
const BUFFERS_MAX_BYTES = MEMORY.maxOldGenerationSizeMb * 1024 * 1024;
const WEIGH_MS = 500;
/** Maximum size of all that is on its way to a thread, in UTF-16 units; bytes of bodies count as units. */
const MAX_WAITING_UNITS = 64 * 1024 * 1024;
/** Interval between two pings of a thread, in ms, and the number of unanswered pings at which it counts as hung. */
const PING_MS = 2000;
const MAX_OWED = 4;
/** Time for a thread to begin, in ms: on a busy machine its own modules take long to load, and meanwhile it answers nothing. */
const BEGIN_MS = 60_000;
/** For undoing what a half has begun, once it is over. */
const FAREWELL_MS = 1000;

/** Listener of a thread. */
interface ThreadListener {
  readonly onMessage: (message: Up) => void;
  /** A piece of a body, unread. */
  readonly onPiece?: (piece: Uint8Array) => void;
  /** It has been ended for what it did, or by itself; nothing more comes. Codes: `plugin-hung`, `plugin-flood`, `plugin-memory`, `plugin-crashed`, `plugin-exited`. */
  readonly onEnd: (fault: AppError) => void;
}

/**
 * A thread that runs code of a third party. It is ended when it throws outside of a listener, does not answer for some seconds, sends more than is sound
 * or takes up too much memory. Whoever starts it ends it.
 */
export class PluginThread {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #listener: ThreadListener;
  readonly #meter = new FlowMeter(MESSAGES_PER_SECOND, UNITS_PER_SECOND);
  readonly #answers: MessageChannel['port1'];
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #timers: readonly NodeJS.Timeout[];
  /** Whether it is past its start. */
  #hasBegun = false;
  readonly #startedAt = performance.now();
  #asked = 0;
  #heard = 0;
  /** Units sent since each ping that is not answered. */
  #waiting: number[] = [0];
  #isWeighing = false;
  #over = false;

  constructor(folder: string, node: readonly string[], task: Task, listener: ThreadListener) {
    const { port1, port2 } = new MessageChannel();
    this.#answers = port1;
    this.#listener = listener;
    this.#name = 'facts' in task ? task.facts.plugin.id : folder;
    const workerData: ThreadData = { folder, node, task, answers: port2, answered: this.#answered };
    this.#worker = startThread(ENTRY, {
      name: `plugin ${path.basename(folder)}`,
      workerData,
      transferList: [port2],
      env: ENVIRONMENT,
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: MEMORY,
    });
    this.#worker.unref();
    port1.unref();
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) stream.resume(); // logs go through the scope
    this.#worker.on('message', (sent: unknown) => this.#receive(sent));
    this.#worker.on('messageerror', () =>
      this.#end(new AppError('plugin-flood', `${this.#name}: sends what cannot be read`)),
    );
    this.#worker.on('error', (thrown: unknown) => this.#end(crash(this.#name, thrown)));
    this.#worker.on('exit', () =>
      this.#end(new AppError('plugin-exited', `${this.#name}: its host half has ended itself`)),
    );
    this.#timers = [
      setInterval(() => this.#ping(), PING_MS).unref(),
      setInterval(() => void this.#weigh(), WEIGH_MS).unref(),
    ];
  }

  send(message: Down): void {
    const text = JSON.stringify(message);
    if (this.#mayWait(text.length)) this.#worker.postMessage(text);
  }

  /** Hands over a piece of a body; its buffer is gone then. */
  sendPiece(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#mayWait(piece.length)) this.#worker.postMessage(piece, [piece.buffer]);
  }

  #mayWait(units: number): boolean {
    if (this.#over) return false;
    const last = this.#waiting.length - 1;
    this.#waiting[last] = (this.#waiting[last] ?? 0) + units;
    if (this.#waiting.reduce((sum, each) => sum + each) <= MAX_WAITING_UNITS) return true;
    this.#end(new AppError('plugin-hung', `${this.#name}: its host half does not take what is sent to it`));
    return false;
  }

  /** Answers a `sync` message. */
  answer(ok: boolean, value: unknown): void {
    this.#answers.postMessage(JSON.stringify([ok, value ?? null]));
    Atomics.store(this.#answered, 0, 1);
    Atomics.notify(this.#answered, 0);
  }

  /** Lets the half undo what it has begun, then ends it. Idempotent. */
  dispose(): void {
    if (this.#over) return;
    this.send(['dispose']);
    this.#over = true;
    for (const timer of this.#timers) clearInterval(timer);
    setTimeout(() => void this.#terminate(), FAREWELL_MS).unref();
  }

  #receive(sent: unknown): void {
    if (this.#over) {
      if (sent === '["disposed"]') void this.#terminate();
      return;
    }
    if (!this.#meter.take(typeof sent === 'string' ? sent.length : 0)) {
      this.#end(flood(this.#name));
      return;
    }
    try {
      if (sent instanceof Uint8Array) {
        this.#listener.onPiece?.(sent);
        return;
      }
      const message = parseUp(sent);
      if (message[0] === 'begun') this.#hasBegun = true;
      else if (message[0] === 'pong') this.#pong(message[1]);
      else if (message[0] === 'flood') this.#end(flood(this.#name));
      else this.#listener.onMessage(message);
    } catch (thrown) {
      this.#end(toAppError(thrown));
    }
  }

  #ping(): void {
    if (!this.#hasBegun) {
      if (performance.now() - this.#startedAt < BEGIN_MS) return;
      this.#end(new AppError('plugin-hung', `${this.#name}: its thread has not begun within ${BEGIN_MS / 1000} s`));
      return;
    }
    if (this.#asked - this.#heard >= MAX_OWED) {
      const seconds = (MAX_OWED * PING_MS) / 1000;
      this.#end(new AppError('plugin-hung', `${this.#name}: its host half has not answered for ${seconds} s`));
      return;
    }
    this.#asked += 1;
    this.#waiting.push(0);
    this.send(['ping', this.#asked]);
  }

  /** Answers while the half computes, too. */
  async #weigh(): Promise<void> {
    if (this.#isWeighing) return;
    this.#isWeighing = true;
    const statistics = await this.#worker.getHeapStatistics().catch(() => undefined); // it has not begun yet, or it is over
    this.#isWeighing = false;
    if (statistics && statistics.external_memory > BUFFERS_MAX_BYTES) this.#end(tooMuch(this.#name));
  }

  #pong(id: number): void {
    if (id <= this.#heard || id > this.#asked) throw new AppError('bad-packet', 'an answer to no ping');
    this.#waiting.splice(0, id - this.#heard);
    this.#heard = id;
  }

  #end(fault: AppError): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of this.#timers) clearInterval(timer);
    void this.#terminate();
    this.#listener.onEnd(fault);
  }

  async #terminate(): Promise<void> {
    this.#answers.close();
    this.#worker.removeAllListeners('message');
    await this.#worker.terminate();
  }
}

function crash(name: string, thrown: unknown): AppError {
  const { code } = (thrown ?? {}) as { readonly code?: unknown }; // Node's errors have one
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuch(name);
  const { message } = toAppError(thrown);
  return new AppError('plugin-crashed', `${name}: its host half has thrown: ${message}`.slice(0, 1000), {
    cause: thrown,
  });
}

function flood(name: string): AppError {
  return new AppError('plugin-flood', `${name}: its host half sends more than a plugin may`);
}

function tooMuch(name: string): AppError {
  return new AppError(
    'plugin-memory',
    `${name}: its host half takes up more than ${MEMORY.maxOldGenerationSizeMb} MiB`,
  );
}
