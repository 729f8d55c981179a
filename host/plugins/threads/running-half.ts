import { decodePiece } from '../../../core/protocol/bodies/pieces.ts';
import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { Answered, ListenerCalls, ScopeMethod } from './method-table.ts';
import { PluginThread } from './plugin-thread.ts';
import { BodyWire, packetWith } from './thread-bodies.ts';
import type { Accompanied } from './thread-bodies.ts';
import { errorOf, readError } from './wire.ts';
import type { Task, Up } from './wire.ts';

/** Listeners of one thread that may owe an answer at a time. */
const MAX_PENDING = 5000;

/** Called with faults that reach no caller, and when a half that had been activated ends. */
export interface HalfListener {
  readonly onFault: (fault: AppError) => void;
  readonly onEnd: (fault: AppError) => void;
}

/** A half to run in a thread of its own. */
interface HalfRun {
  readonly folder: string;
  /** Modules of Node, and `fetch`, that it may use. */
  readonly node: readonly string[];
  readonly task: Exclude<Task, { readonly kind: 'read' | 'check' | 'check-routes' }>;
  /** Of the scope that the thread works with. */
  readonly log: Log;
  readonly onDispose: (undo: () => void) => void;
  /** Makes the methods that the thread may call. */
  readonly methods: (calls: ListenerCalls) => ReadonlyMap<string, ScopeMethod>;
  readonly listener: HalfListener;
}

/** Starts a thread. Resolves with what it answers once its half is activated, which is untrusted; rejects when it cannot be. */
export function runHalf({ folder, node, task, listener, ...half }: HalfRun): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const running = new RunningHalf(half.log, listener.onFault);
    let isReady = false;
    const thread = new PluginThread(folder, node, task, {
      onMessage: (message) => {
        if (message[0] === 'ready') {
          isReady = true;
          resolve(message[1]);
        } else if (message[0] === 'failed') {
          thread.dispose();
          reject(errorOf(message[1]));
        } else running.take(message, thread);
      },
      onPiece: (piece) => running.takePiece(piece),
      onEnd: (fault) => {
        running.close(fault);
        if (isReady) listener.onEnd(fault);
        else reject(fault);
      },
    });
    running.start(thread, half.methods);
    half.onDispose(() => {
      thread.dispose();
      running.close(new AppError('plugin-disposed', `${task.facts.plugin.id} is over`));
    });
  });
}

/** A call of a listener that is not answered yet. */
interface Pending {
  resolve(answered: Answered): void;
  reject(fault: AppError): void;
}

/** Applies the messages of a thread to its methods. */
class RunningHalf {
  readonly #log: Log;
  readonly #onFault: (fault: AppError) => void;
  readonly #pending = new Map<number, Pending>();
  #bodies: BodyWire | undefined;
  #methods: ReadonlyMap<string, ScopeMethod> = new Map();
  #asked = 0;

  constructor(log: Log, onFault: (fault: AppError) => void) {
    this.#log = log;
    this.#onFault = onFault;
  }

  start(thread: PluginThread, methods: HalfRun['methods']): void {
    const bodies = (this.#bodies = new BodyWire(
      (piece) => thread.sendPiece(piece),
      (said) => thread.send(['body', said]),
      this.#onFault,
    ));
    this.#methods = methods({
      tell: (listener, args) => thread.send(['call', 0, listener, args, 0]),
      ask: (listener, args, body, signal) => this.#ask({ thread, bodies, listener, args, body, signal }),
      stream: (body) => bodies.stream(body),
    });
  }

  take(message: Up, thread: PluginThread): void {
    switch (message[0]) {
      case 'invoke':
        void this.#invoke(message[1], message[2], message[3], thread);
        break;
      case 'sync':
        this.#sync(message[1], message[2], thread);
        break;
      case 'answer':
        this.#settle(message[1], message[2], message[3], message[4]);
        break;
      case 'body':
        this.#bodies?.carrier.control(message[1]);
        break;
      case 'log':
        this.#log[message[1]](message[2].slice(0, 2000), message[3] ?? undefined);
        break;
      case 'fault':
        this.#onFault(errorOf(message[1]));
        break;
      default:
        throw new AppError('bad-packet', `${message[0]} is not expected now`);
    }
  }

  /** Takes a piece of a body. @throws AppError `bad-frame`. */
  takePiece(piece: Uint8Array): void {
    this.#bodies?.carrier.take(decodePiece(piece));
  }

  close(reason: AppError): void {
    this.#bodies?.carrier.close(reason);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  async #ask({ thread, bodies, listener, args, body, signal }: Asked): Promise<Answered> {
    if (this.#pending.size >= MAX_PENDING)
      throw new AppError('too-many-calls', 'too many calls are waiting', { retryable: true });
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const abort = (): void => reject(toAppError(signal?.reason));
    const settled = signal ? onAbort(signal, abort) : () => undefined;
    const refuse = (number: number): void => {
      if (number !== 0) bodies.carrier.refuse(packetWith(number), toAppError(signal?.reason));
    };
    const id = (this.#asked += 1);
    bodies.sendAccompanied(body, (_none, number) => {
      // It stays after an abort, until the thread answers: that answer is expected, and what a thread owes is bounded.
      this.#pending.set(id, {
        resolve: (answered) => {
          settled();
          if (signal?.aborted) refuse(answered.body);
          resolve(answered);
        },
        reject: (fault) => {
          settled();
          reject(fault);
        },
      });
      thread.send(['call', id, listener, args, number]);
    });
    return promise;
  }

  #call(name: string, args: readonly unknown[]): unknown {
    const method = this.#methods.get(name);
    if (!method) throw new AppError('bad-packet', `there is no ${name}`);
    return method(args);
  }

  async #invoke(id: number, name: string, args: readonly unknown[], thread: PluginThread): Promise<void> {
    try {
      const answer = await this.#call(name, args);
      if (id !== 0 && this.#bodies)
        this.#bodies.sendAccompanied(answer, (value, body) => thread.send(['settle', id, true, value ?? null, body]));
    } catch (thrown) {
      const fault = toAppError(thrown);
      if (id === 0) this.#onFault(fault);
      else thread.send(['settle', id, false, fault.toRecord(), 0]);
    }
  }

  #sync(name: string, args: readonly unknown[], thread: PluginThread): void {
    try {
      const value = this.#call(name, args);
      if (value instanceof Promise) throw new AppError('bad-packet', `${name} does not answer at once`);
      thread.answer(true, value);
    } catch (thrown) {
      thread.answer(false, toAppError(thrown).toRecord());
    }
  }

  #settle(id: number, ok: boolean, value: unknown, body: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!pending) throw new AppError('bad-packet', 'an answer to no call');
    if (ok) pending.resolve({ value, body });
    else pending.reject(readError(value));
  }
}

/** One call of a listener. */
interface Asked {
  readonly thread: PluginThread;
  readonly bodies: BodyWire;
  readonly listener: number;
  readonly args: readonly unknown[];
  readonly body: Accompanied | undefined;
  readonly signal: AbortSignal | undefined;
}
