import * as v from 'valibot';
import { id, integer, text } from './atoms.ts';
import type { Answer, BodyKind, ByteSource, Handler, SendRest } from './body.ts';
import { AppError, toAppError } from './errors.ts';
import type { ErrorRecord } from './errors.ts';
import type { Lane } from './lanes.ts';
import { validate } from './message.ts';
import type { AnyMessage, Message } from './message.ts';

/**
 * The mirror state that a message relies on: delivered only once the view has applied batch `seq` of that frame's epoch
 * (a caret never overtakes its node).
 */
export type After = readonly [frame: number, epoch: number, seq: number];

/**
 * One message between two sides: opcode or name, parameters, call number (0: no answer wanted), what it comes after, number of the body
 * that goes with it (0: none).
 */
export type Packet = readonly [
  op: number | string,
  params: unknown,
  call?: number,
  after?: After | undefined,
  body?: number,
];

/** Opcode of the answer to a call; its parameters are [call, ok, result or error]. */
export const OPCODE_REPLY = 0;

/** Opcode of what the two sides say of the bodies between them (body-carrier.ts). */
export const OPCODE_BODY = '$body';

/** Largest number of calls that may be waiting for an answer in one direction. */
export const MAX_PENDING_CALLS = 1024;

const afterSchema = v.tuple([v.number(), v.number(), v.number()]);
const optionalId = v.optional(v.nullable(id));
const packetSchema = v.strictTuple([
  v.union([id, text(100)]),
  v.optional(v.unknown()),
  optionalId,
  v.optional(v.nullable(afterSchema)),
  optionalId,
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
  const [op, params, call, after, body] = outcome.output;
  if (body) return [op, params, call ?? 0, after ?? undefined, body];
  return after ? [op, params, call ?? 0, after] : [op, params, call ?? 0];
}

/** Maps messages to what stands for them on the wire, and back. */
export interface OpTable {
  /** @throws AppError `unknown-message` when the other side does not know this message. */
  opOf(message: { readonly name: string }): number | string;
  messageOf(op: number | string): AnyMessage | undefined;
}

/** A table for buses that go by name. */
export function nameTable(messages: Iterable<AnyMessage>): OpTable {
  const byName = new Map<string, AnyMessage>();
  for (const m of messages) byName.set(m.name, m);
  return { opOf: (m) => m.name, messageOf: (op) => byName.get(String(op)) };
}

/** Options of one sent message. */
export interface SendOptions {
  readonly after?: After;
  /** Aborts the body of the message while it is being sent. */
  readonly signal?: AbortSignal;
}
/** Options of one call. */
export interface CallOptions extends SendOptions {
  /** Milliseconds until the call fails with `call-timeout`, counted anew while the call's body makes progress; 10,000 unless given. */
  readonly deadlineMs?: number;
}

/** Fields of a message that describe its bodies. */
export type BodyShapes = Pick<AnyMessage, 'lane' | 'body' | 'resultBody' | 'maxBytes'>;

/** Body and signal of a message that is sent. */
export interface Given {
  readonly body?: ByteSource;
  readonly signal?: AbortSignal;
}

/** Adds the body of an answer to its result. @throws AppError, or rejects with it, where there should be one and is none. */
export type AddBody = (result: unknown, message: AnyMessage) => unknown;

/** An endpoint, as its bodies' layer works it. */
export interface BodyEnd {
  readonly table: OpTable;
  handles(name: string): boolean;
  /**
   * Takes a packet, with its body; an answer with what adds a body to its result ({@link AddBody}). Never throws. Answers false, or a
   * promise of it, where nobody waits for it or handles it, or the handler fails: its sender already has the error.
   */
  take(packet: Packet, ...body: unknown[]): unknown;
  /** Tells whoever sent a packet why it is not taken. Answers false. */
  fail(packet: Packet, thrown: unknown, op?: number | string): false;
}

/** Stands between an endpoint and its transport where messages have bodies (bodies/layer.ts). */
export interface Bodies {
  /** Transmits a packet of `message`, or the answer to one, with its body. @throws AppError as BodyCarrier.send, or what transmitting throws; nothing is sent then. */
  send(lane: Lane, packet: Packet, message?: AnyMessage, given?: Given): void;
  /** Has the endpoint take a packet, once its body is there and what came before it in its lane has been taken. Never throws. */
  receive(packet: Packet, end: BodyEnd): void;
  /** Whether the body of a call has made progress since this was asked; when it has not, it is aborted. */
  goesOn(call: number): boolean | undefined;
  /** Aborts all bodies and takes no more. */
  close(reason: AppError): void;
}

/** Options of an endpoint. */
export interface EndpointOptions {
  readonly table: OpTable;
  /** Hands a packet to the transport, in order within the lane; a packet of a message, or the answer to one, with that and its body. */
  readonly transmit: (lane: Lane, packet: Packet, message?: AnyMessage, given?: Given) => void;
  /** Called with every fault that reaches no caller: bad packets, handlers that throw, replies to unknown calls. */
  readonly onFault: (fault: AppError, op: number | string) => void;
  /** A message that nobody handles: true when it was taken (kept for later), false to count it as unknown. */
  readonly onUnhandled?: (packet: Packet, message: AnyMessage | undefined) => boolean;
  /** Takes what comes, where messages have bodies; `transmit` leads to its `send` then. */
  readonly bodies?: Omit<Bodies, 'send'> | undefined;
}

interface Pending {
  readonly message: AnyMessage;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: AppError) => void;
  readonly timer: ReturnType<typeof setInterval>;
}

type AnyHandler = (params: unknown, ...body: unknown[]) => unknown;

/**
 * One side of a typed conversation: sends, calls, handles; validates everything it receives. Transport-free, so the same
 * class serves client, host and page half.
 */
export class Endpoint implements BodyEnd {
  readonly table: OpTable;
  readonly #options: EndpointOptions;
  readonly #handlers = new Map<string, AnyHandler>();
  readonly #pending = new Map<number, Pending>();
  /** Calls whose time was over: their answers may still come, and are nobody's fault. */
  readonly #late = new Set<number>();
  #calls = 0;
  #closed: AppError | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.table = options.table;
  }

  /** Sends without an answer. @throws AppError `unknown-message`, as {@link Bodies.send}, or the reason of {@link close}. */
  send<P, B extends BodyKind>(
    message: Message<P, undefined, B>,
    params: P,
    ...[options]: SendRest<B, SendOptions>
  ): void {
    if (this.#closed) throw this.#closed;
    this.#transmit(message, params, 0, options);
  }

  /** Sends and waits for the validated answer. Rejects with the other side's error, `call-timeout` or `bad-message`. */
  call<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    params: P,
    ...[options]: SendRest<B, CallOptions>
  ): Promise<Answer<R, A>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed;
      if (this.#pending.size >= MAX_PENDING_CALLS)
        throw new AppError('too-many-calls', 'too many calls are waiting', { retryable: true });
      const call = ++this.#calls;
      const timer = setInterval(() => {
        if (this.#options.bodies?.goesOn(call)) return;
        clearInterval(timer);
        this.#pending.delete(call);
        this.#late.add(call);
        if (this.#late.size > MAX_PENDING_CALLS) this.#late.delete(this.#late.values().next().value as number); // not empty
        reject(new AppError('call-timeout', `${message.name}: no answer in time`, { retryable: true }));
      }, options?.deadlineMs ?? 10_000);
      this.#pending.set(call, { message, resolve: resolve as (value: unknown) => void, reject, timer });
      try {
        this.#transmit(message, params, call, options);
      } catch (thrown) {
        clearInterval(timer);
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
  handle<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    handler: Handler<P, R, B, A>,
  ): () => void {
    if (this.#handlers.has(message.name)) throw new AppError('already-handled', `${message.name} has an owner already`);
    this.#handlers.set(message.name, handler as AnyHandler); // called with validated parameters and a body of its kind only
    return () => {
      if (this.#handlers.get(message.name) === handler) this.#handlers.delete(message.name);
    };
  }

  handles(name: string): boolean {
    return this.#handlers.has(name);
  }

  /** Takes one packet from the transport. Never throws: faults go to `onFault` or back to the caller. */
  receive(packet: Packet): void {
    const { bodies } = this.#options;
    if (bodies) bodies.receive(packet, this);
    else void this.take(packet);
  }

  take(packet: Packet, ...body: unknown[]): unknown {
    const [op, params, call = 0] = packet;
    if (op === OPCODE_REPLY) return this.#settle(params, body[0] as AddBody | undefined); // see BodyEnd
    const message = this.table.messageOf(op);
    const handler = message && this.#handlers.get(message.name);
    if (!message || !handler) {
      if (this.#options.onUnhandled?.(packet, message)) return undefined;
      return this.fail(packet, new AppError('unknown-message', `nobody handles ${message?.name ?? String(op)}`), op);
    }
    const fail = (thrown: unknown): false => this.fail(packet, thrown);
    const answer = (result: unknown): void => {
      if (call) this.#reply(message.lane, [call, true, result], message);
    };
    try {
      const outcome = handler(validate(message.params, params, message.name), ...body);
      if (outcome instanceof Promise) return outcome.then(answer).catch(fail);
      answer(outcome);
    } catch (thrown) {
      return fail(thrown);
    }
    return undefined;
  }

  fail([op, , call]: Packet, thrown: unknown, of?: number | string): false {
    const fault = toAppError(thrown);
    const message = this.table.messageOf(op);
    if (call) this.#reply(message?.lane ?? 'control', [call, false, fault.toRecord()]);
    this.#options.onFault(fault, of ?? message?.name ?? op);
    return false;
  }

  /** Rejects all waiting calls with the reason and every later use too. */
  close(reason: AppError): void {
    this.#closed ??= reason;
    for (const { timer, reject } of this.#pending.values()) {
      clearInterval(timer);
      reject(reason);
    }
    this.#pending.clear();
    this.#handlers.clear();
    this.#options.bodies?.close(reason);
  }

  #transmit(message: AnyMessage, params: unknown, call: number, options: SendOptions & Given = {}): void {
    const { after } = options;
    const op = this.table.opOf(message);
    this.#options.transmit(
      message.lane,
      after ? [op, params, call, after] : call ? [op, params, call] : [op, params],
      message,
      options,
    );
  }

  #reply(lane: Lane, params: readonly unknown[], message?: AnyMessage): void {
    if (!this.#closed) this.#options.transmit(lane, [OPCODE_REPLY, params], message);
  }

  #settle(params: unknown, addBody: AddBody = (result) => result): false | undefined {
    const outcome = v.safeParse(replySchema, params);
    const pending = outcome.success ? this.#pending.get(outcome.output[0]) : undefined;
    if (!outcome.success || !pending) {
      if (!outcome.success || !this.#late.delete(outcome.output[0]))
        this.#options.onFault(new AppError('bad-packet', 'an answer to no call'), OPCODE_REPLY);
      return false;
    }
    const [call, ok, value] = outcome.output;
    const { message, timer, resolve, reject } = pending;
    this.#pending.delete(call);
    clearInterval(timer);
    try {
      if (ok) resolve(addBody(message.result ? validate(message.result, value, message.name) : undefined, message));
      else reject(errorFrom(value));
    } catch (thrown) {
      reject(toAppError(thrown));
    }
    return undefined;
  }
}

/** An error that the other side has reported. */
export function errorFrom(value: unknown): AppError {
  const outcome = v.safeParse(errorSchema, value);
  if (!outcome.success) return new AppError('bad-packet', 'failed without a reason');
  const record: ErrorRecord = outcome.output;
  return new AppError(record.code, record.message, { data: record.data, retryable: record.retryable });
}
