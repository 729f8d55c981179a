import * as v from 'valibot';
import { id, integer, text } from './atoms.ts';
import { AppError, toAppError } from './errors.ts';
import type { ErrorRecord } from './errors.ts';
import type { Lane } from './lanes.ts';
import { validate } from './message.ts';
import type { Message } from './message.ts';

/**
 * The mirror state that a message relies on: delivered only once the view has applied batch `seq` of that frame's epoch
 * (a caret never overtakes its node).
 */
export type After = readonly [frame: number, epoch: number, seq: number];

/** One message between two sides: opcode or name, parameters, call number (0: no answer wanted), what it comes after. */
export type Packet = readonly [op: number | string, params: unknown, call?: number, after?: After];

/** Opcode of the answer to a call; its parameters are [call, ok, result or error]. */
export const OPCODE_REPLY = 0;

/** Largest number of calls that may be waiting for an answer in one direction. */
export const MAX_PENDING_CALLS = 1024;

const afterSchema = v.tuple([v.number(), v.number(), v.number()]);
const packetSchema = v.strictTuple([
  v.union([id, text(100)]),
  v.optional(v.unknown()),
  v.optional(v.nullable(id)),
  v.optional(v.nullable(afterSchema)),
]);
const replySchema = v.tuple([integer, v.boolean(), v.optional(v.unknown())]);
const errorSchema = v.object({
  code: text(100),
  message: text(2000),
  retryable: v.boolean(),
  data: v.optional(v.unknown()),
});

/** Checks the outer shape of a packet. @throws AppError `bad-packet`. */
export function parsePacket(value: unknown): Packet {
  const outcome = v.safeParse(packetSchema, value);
  if (!outcome.success) throw new AppError('bad-packet', 'not a packet');
  const [op, params, call, after] = outcome.output;
  return after ? [op, params, call ?? 0, after] : [op, params, call ?? 0];
}

/** Maps messages to what stands for them on the wire, and back. */
export interface OpTable {
  /** @throws AppError `unknown-message` when the other side does not know this message. */
  opOf(message: { readonly name: string }): number | string;
  messageOf(op: number | string): Message | undefined;
}

/** A table for buses that go by name. */
export function nameTable(messages: Iterable<Message>): OpTable {
  const byName = new Map<string, Message>();
  for (const m of messages) byName.set(m.name, m);
  return { opOf: (m) => m.name, messageOf: (op) => byName.get(String(op)) };
}

export type Handler<P, R> = (params: P) => R | Promise<R>;

/** Options of one sent message. */
export interface SendOptions {
  readonly after?: After;
}
/** Options of one call. */
export interface CallOptions extends SendOptions {
  /** Milliseconds until the call fails with `call-timeout`; 10,000 unless given. */
  readonly deadlineMs?: number;
}

/** What an endpoint needs from its surroundings. */
export interface EndpointOptions {
  readonly table: OpTable;
  /** Hands a packet to the transport, in order within the lane. */
  readonly transmit: (lane: Lane, packet: Packet) => void;
  /** Told of every fault that has no caller to go to: bad packets, throwing handlers, replies to nobody. */
  readonly onFault: (fault: AppError, op: number | string) => void;
  /** A message that nobody handles: true when it was taken (kept for later), false to count it as unknown. */
  readonly onUnhandled?: (packet: Packet, message: Message | undefined) => boolean;
}

interface Pending {
  readonly message: Message;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: AppError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * One side of a typed conversation: sends, calls, handles; validates everything it receives. Transport-free, so the same
 * class serves client, host and page half.
 */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #handlers = new Map<string, Handler<never, unknown>>();
  readonly #pending = new Map<number, Pending>();
  /** Calls whose time was over: their answers may still come, and are nobody's fault. */
  readonly #late = new Set<number>();
  #calls = 0;
  #closed: AppError | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  /** Sends without an answer. @throws AppError `unknown-message`, or the reason of {@link close}. */
  send<P>(message: Message<P, undefined>, params: P, options: SendOptions = {}): void {
    if (this.#closed) throw this.#closed;
    this.#transmit(message, params, 0, options.after);
  }

  /** Sends and waits for the validated answer. Rejects with the other side's error, `call-timeout` or `bad-message`. */
  call<P, R>(message: Message<P, R>, params: P, options: CallOptions = {}): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      if (this.#closed) throw this.#closed;
      if (this.#pending.size >= MAX_PENDING_CALLS)
        throw new AppError('too-many-calls', 'too many calls are waiting', { retryable: true });
      const call = ++this.#calls;
      const timer = setTimeout(() => {
        this.#pending.delete(call);
        this.#late.add(call);
        if (this.#late.size > MAX_PENDING_CALLS) this.#late.delete(this.#late.values().next().value as number); // not empty
        reject(new AppError('call-timeout', `${message.name}: no answer in time`, { retryable: true }));
      }, options.deadlineMs ?? 10_000);
      this.#pending.set(call, {
        message,
        resolve: resolve as (value: unknown) => void,
        reject,
        timer,
      });
      try {
        this.#transmit(message, params, call, options.after);
      } catch (thrown) {
        clearTimeout(timer);
        this.#pending.delete(call);
        throw thrown;
      }
    });
  }

  /**
   * Handles a message until the returned function is called.
   *
   * @throws AppError `already-handled`: one owner per message at a time.
   */
  handle<P, R>(message: Message<P, R>, handler: Handler<P, R>): () => void {
    if (this.#handlers.has(message.name)) throw new AppError('already-handled', `${message.name} has an owner already`);
    this.#handlers.set(message.name, handler); // called with validated parameters only
    return () => {
      if (this.#handlers.get(message.name) === handler) this.#handlers.delete(message.name);
    };
  }

  handles(name: string): boolean {
    return this.#handlers.has(name);
  }

  /** Takes one packet from the transport. Never throws: faults go to `onFault` or back to the caller. */
  receive(packet: Packet): void {
    const [op, params, call = 0] = packet;
    if (op === OPCODE_REPLY) {
      this.#settle(params);
      return;
    }
    const message = this.#options.table.messageOf(op);
    const handler = message && this.#handlers.get(message.name);
    if (!message || !handler) {
      if (this.#options.onUnhandled?.(packet, message)) return;
      const fault = new AppError('unknown-message', `nobody handles ${message?.name ?? String(op)}`);
      if (call) this.#reply(call, message?.lane ?? 'control', false, fault.toRecord());
      this.#options.onFault(fault, op);
      return;
    }
    try {
      const outcome = handler(validate(message.params, params, message.name) as never);
      if (outcome instanceof Promise) {
        outcome.then(
          (result) => this.#answer(message, call, result),
          (thrown: unknown) => this.#fail(message, call, thrown),
        );
      } else this.#answer(message, call, outcome);
    } catch (thrown) {
      this.#fail(message, call, thrown);
    }
  }

  /** Rejects all waiting calls with the reason and every later use too. */
  close(reason: AppError): void {
    this.#closed ??= reason;
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(reason);
    }
    this.#pending.clear();
    this.#handlers.clear();
  }

  #transmit<P, R>(message: Message<P, R>, params: P, call: number, after: After | undefined): void {
    const op = this.#options.table.opOf(message);
    this.#options.transmit(message.lane, after ? [op, params, call, after] : call ? [op, params, call] : [op, params]);
  }

  #answer(message: Message, call: number, result: unknown): void {
    if (call) this.#reply(call, message.lane, true, result);
  }

  #fail(message: Message, call: number, thrown: unknown): void {
    const fault = toAppError(thrown);
    if (call) this.#reply(call, message.lane, false, fault.toRecord());
    this.#options.onFault(fault, message.name);
  }

  #reply(call: number, lane: Lane, ok: boolean, value: unknown): void {
    if (!this.#closed) this.#options.transmit(lane, [OPCODE_REPLY, [call, ok, value]]);
  }

  #settle(params: unknown): void {
    const outcome = v.safeParse(replySchema, params);
    const pending = outcome.success ? this.#pending.get(outcome.output[0]) : undefined;
    if (outcome.success && this.#late.delete(outcome.output[0])) return;
    if (!outcome.success || !pending) {
      this.#options.onFault(new AppError('bad-packet', 'an answer to no call'), OPCODE_REPLY);
      return;
    }
    const [call, ok, value] = outcome.output;
    this.#pending.delete(call);
    clearTimeout(pending.timer);
    if (!ok) {
      pending.reject(errorFrom(value));
      return;
    }
    try {
      pending.resolve(
        pending.message.result ? validate(pending.message.result, value, pending.message.name) : undefined,
      );
    } catch (thrown) {
      pending.reject(toAppError(thrown));
    }
  }
}

function errorFrom(value: unknown): AppError {
  const outcome = v.safeParse(errorSchema, value);
  if (!outcome.success) return new AppError('bad-packet', 'the other side failed without saying how');
  const record: ErrorRecord = outcome.output;
  return new AppError(record.code, record.message, { data: record.data, retryable: record.retryable });
}
