import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { decodePiece } from '../../../core/protocol/bodies/pieces.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { ErrorRecord } from '../../../core/protocol/errors.ts';
import { FlowMeter } from '../../base/flow-meter.ts';
import { BodyWire } from './thread-bodies.ts';
import { errorOf, MESSAGES_PER_SECOND, UNITS_PER_SECOND } from './wire.ts';
import type { Down, ThreadData, Up } from './wire.ts';

/** Timeout of a synchronous call to the host, in ms. The half is blocked meanwhile. */
const SYNC_DEADLINE_MS = 20_000;

/** Takes what the host says to a listener, with the number of the body that came along (0: none); answers a value, {@link Accompanied} or not. */
type Listener = (args: readonly unknown[], body: number) => unknown;

/** Answer of the host, and the number of its body; 0: none. */
export interface Settled {
  readonly value: unknown;
  readonly body: number;
}

/** An error's record, with its stack, which is of use to whoever wrote the plugin. */
export function recordWithStack(thrown: unknown): ErrorRecord & { readonly stack?: string } {
  const fault = toAppError(thrown);
  const { stack } = fault.cause instanceof Error ? fault.cause : fault;
  return { ...fault.toRecord(), ...(stack !== undefined && { stack }) };
}

/** The thread's end of the wire: calls methods of the scope, is called as listeners. */
export class ThreadWire {
  readonly #port = parentPort as MessagePort; // this module runs in threads only
  readonly #answers: ThreadData['answers'];
  readonly #answered: ThreadData['answered'];
  readonly #listeners = new Map<number, Listener>();
  readonly #pending = new Map<number, { resolve(settled: Settled): void; reject(fault: AppError): void }>();
  readonly #meter = new FlowMeter(MESSAGES_PER_SECOND, UNITS_PER_SECOND);
  /** Carries bodies to the host and from it. */
  readonly bodies = new BodyWire(
    (piece) => this.#sendPiece(piece),
    (said) => this.send(['body', said]),
    (fault) => this.send(['fault', recordWithStack(fault)]),
  );
  #listened = 0;
  #asked = 0;

  /** `onDispose` is called when it is over. */
  constructor({ answers, answered }: Pick<ThreadData, 'answers' | 'answered'>, onDispose: () => void) {
    this.#answers = answers;
    this.#answered = answered;
    this.#port.on('message', (sent: string | Uint8Array) => {
      if (typeof sent === 'string')
        this.#receive(JSON.parse(sent) as Down, onDispose); // the host's own
      else this.bodies.carrier.take(decodePiece(sent));
    });
  }

  /** The host would have to read a flood before it could end it: what is too much is not sent, and the thread stands still until it is ended. */
  send(message: Up): void {
    const text = JSON.stringify(message);
    if (this.#meter.take(text.length)) return this.#port.postMessage(text);
    this.#stop();
  }

  /** Credit bounds the bytes; the number of pieces counts. */
  #sendPiece(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#meter.take(0)) this.#port.postMessage(piece, [piece.buffer]);
    else this.#stop();
  }

  #stop(): void {
    this.#port.postMessage(JSON.stringify(['flood'] satisfies Up));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }

  /** Calls a method without waiting; a fault is reported by the host. */
  invoke(name: string, ...args: unknown[]): void {
    this.send(['invoke', 0, name, args]);
  }

  /** Calls a method. */
  async ask(name: string, ...args: unknown[]): Promise<unknown> {
    return (await this.request(name, ...args)).value;
  }

  /** The same where the answer may have a body. */
  request(name: string, ...args: unknown[]): Promise<Settled> {
    return new Promise((resolve, reject) => {
      const id = (this.#asked += 1);
      this.#pending.set(id, { resolve, reject });
      this.send(['invoke', id, name, args]);
    });
  }

  /** Calls a method that answers at once; the thread stands still until it has. */
  sync(name: string, ...args: unknown[]): unknown {
    Atomics.store(this.#answered, 0, 0);
    this.send(['sync', name, args]);
    Atomics.wait(this.#answered, 0, 0, SYNC_DEADLINE_MS);
    const { message } = (receiveMessageOnPort(this.#answers) ?? {}) as { readonly message?: string };
    if (message === undefined) throw new AppError('call-timeout', `${name}: the host did not answer`);
    const [ok, value] = JSON.parse(message) as [boolean, unknown]; // the host's own
    if (!ok) throw errorOf(value as ErrorRecord); // of the host, too
    return value ?? undefined;
  }

  /** Numbers a listener that stays. */
  register(listener: Listener): number {
    const id = (this.#listened += 1);
    this.#listeners.set(id, listener);
    return id;
  }

  /** Registers a listener with a method that takes its number; answers with the undo. */
  listen(listener: Listener, register: (id: number) => void): () => void {
    const id = this.register(listener);
    try {
      register(id);
    } catch (thrown) {
      this.#listeners.delete(id);
      throw thrown;
    }
    return () => {
      if (this.#listeners.delete(id)) this.invoke('undo', id);
    };
  }

  #receive(message: Down, onDispose: () => void): void {
    switch (message[0]) {
      case 'ping':
        this.send(['pong', message[1]]);
        break;
      case 'settle':
        this.#settle(message[1], message[2], message[3], message[4]);
        break;
      case 'call':
        void this.#call(message[1], message[2], message[3], message[4]);
        break;
      case 'body':
        this.bodies.carrier.control(message[1]);
        break;
      default:
        onDispose();
    }
  }

  #settle(id: number, ok: boolean, value: unknown, body: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (ok) pending?.resolve({ value, body });
    else pending?.reject(errorOf(value as ErrorRecord)); // the host's own
  }

  async #call(id: number, listener: number, args: readonly unknown[], body: number): Promise<void> {
    try {
      const answer = await this.#listeners.get(listener)?.(args, body);
      if (id !== 0)
        this.bodies.sendAccompanied(answer, (value, number) => this.send(['answer', id, true, value ?? null, number]));
    } catch (thrown) {
      if (id !== 0) this.send(['answer', id, false, recordWithStack(thrown), 0]);
      else this.send(['fault', recordWithStack(thrown)]);
    }
  }
}
