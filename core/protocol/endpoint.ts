import * as v from 'valibot';
import { id, integer, text } from './atoms.ts';
import type { Answer, BodyKind, ByteSource, Handler, SendRest, WithBody } from './body.ts';
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

/** What a message says of its bodies. */
export type BodyShapes = Pick<AnyMessage, 'lane' | 'body' | 'resultBody' | 'maxBytes'>;

/** Carries the bodies of an endpoint's messages, where it has any (bodies/carrier.ts). */
export interface Bodies {
  /**
   * Transmits a packet of a message, or of the answer to one, with the number of a body, and sends that behind it. `goesOn` is called
   * whenever the receiver has taken some of it; where it says no, the body is aborted.
   *
   * @throws AppError `body-too-large`, `too-many-bodies`, `aborted`, or what transmitting throws; nothing is sent then.
   */
  send(
    packet: Packet,
    shapes: BodyShapes,
    given: { readonly body?: ByteSource; readonly signal?: AbortSignal },
    goesOn?: () => boolean,
  ): void;
  /** Takes what the other side says of bodies. */
  control(params: unknown): void;
  /**
   * Runs what takes a packet, once its body is there, which `run` is given, and what came before it in its `line`, or lane, has been taken; at once
   * where nothing is to be waited for. Answers what `run` does, or a promise of it; a body whose `run` fails is cancelled.
   *
   * @throws AppError, or rejects with it, when there is a body where none belongs, none where one does, or it does not arrive.
   */
  receive(packet: Packet, shapes: BodyShapes, run: (...body: unknown[]) => unknown, line?: string): unknown;
  /** Adds its body to the result that a packet has brought. @throws AppError, or rejects with it, as {@link receive}. */
  answer(packet: Packet, shapes: BodyShapes, result: unknown): unknown;
  /** Nobody takes this packet, nor its body. */
  refuse(packet: Packet, reason: AppError): void;
  /** Aborts all bodies and takes no more. */
  close(reason: AppError): void;
}

/** What an endpoint needs from its surroundings. */
export interface EndpointOptions {
  readonly table: OpTable;
  /** Hands a packet to the transport, in order within the lane. */
  readonly transmit: (lane: Lane, packet: Packet) => void;
  /** Told of every fault that has no caller to go to: bad packets, throwing handlers, replies to nobody. */
  readonly onFault: (fault: AppError, op: number | string) => void;
  /** A message that nobody handles: true when it was taken (kept for later), false to count it as unknown. */
  readonly onUnhandled?: (packet: Packet, message: AnyMessage | undefined) => boolean;
  /** Carries bodies. Absent, or undefined for good: messages have none. */
  readonly bodies?: (() => Bodies | undefined) | undefined;
  /** Has `bodies` answer with a carrier, when the first body goes or comes; meanwhile all packets wait, in order. */
  readonly loadBodies?: (() => Promise<unknown>) | undefined;
}

interface Pending {
  readonly message: AnyMessage;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: AppError) => void;
  timer?: ReturnType<typeof setTimeout>;
}

type AnyHandler = (params: unknown, ...body: unknown[]) => unknown;

/**
 * One side of a typed conversation: sends, calls, handles; validates everything it receives. Transport-free, so the same
 * class serves client, host and page half.
 */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #handlers = new Map<string, AnyHandler>();
  readonly #pending = new Map<number, Pending>();
  /** Calls whose time was over: their answers may still come, and are nobody's fault. */
  readonly #late = new Set<number>();
  /** What waits for the carrier of bodies. */
  #held: (() => void)[] | undefined;
  #calls = 0;
  #closed: AppError | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  get #bodies(): Bodies | undefined {
    return this.#options.bodies?.();
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
      const pending: Pending = { message, resolve: resolve as (value: unknown) => void, reject };
      const arm = (): boolean => {
        clearTimeout(pending.timer);
        pending.timer = setTimeout(() => {
          if (!this.#pending.delete(call)) return;
          this.#late.add(call);
          if (this.#late.size > MAX_PENDING_CALLS) this.#late.delete(this.#late.values().next().value as number); // not empty
          reject(new AppError('call-timeout', `${message.name}: no answer in time`, { retryable: true }));
        }, options?.deadlineMs ?? 10_000);
        return !this.#late.has(call);
      };
      this.#pending.set(call, pending);
      arm();
      try {
        this.#transmit(message, params, call, options, arm);
      } catch (thrown) {
        clearTimeout(pending.timer);
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
    const own = handler as AnyHandler; // called with validated parameters and a body of its kind only
    this.#handlers.set(message.name, own);
    return () => {
      if (this.#handlers.get(message.name) === own) this.#handlers.delete(message.name);
    };
  }

  handles(name: string): boolean {
    return this.#handlers.has(name);
  }

  /** Takes one packet from the transport. Never throws: faults go to `onFault` or back to the caller. */
  receive(packet: Packet): void {
    this.#inOrder(packet[0] === OPCODE_BODY || !!packet[4], () => this.#take(packet));
  }

  #carrier(): Bodies {
    const bodies = this.#bodies;
    if (!bodies) throw new AppError('no-bodies', 'there are no bodies here');
    return bodies;
  }

  /** Runs at once, or when a carrier of bodies is there, where that is needed or waited for. */
  #inOrder(needsBodies: boolean, run: () => void): void {
    const { loadBodies, onFault } = this.#options;
    if (needsBodies && !this.#held && !this.#bodies && loadBodies) {
      const held: (() => void)[] = (this.#held = []);
      const goOn = (thrown?: unknown): void => {
        this.#held = undefined;
        if (thrown) onFault(toAppError(thrown), OPCODE_BODY);
        for (const each of this.#closed ? [] : held)
          try {
            each();
          } catch (fault) {
            onFault(toAppError(fault), OPCODE_BODY);
          }
      };
      loadBodies().then(() => goOn(), goOn);
    }
    if (this.#held) this.#held.push(run);
    else run();
  }

  #take(packet: Packet): void {
    const [op, params, call = 0] = packet;
    if (op === OPCODE_REPLY) {
      this.#settle(packet);
      return;
    }
    const bodies = this.#bodies;
    if (op === OPCODE_BODY) {
      bodies?.control(params);
      return;
    }
    const message = this.#options.table.messageOf(op);
    const handler = message && this.#handlers.get(message.name);
    if (!message || !handler) {
      if (this.#options.onUnhandled?.(packet, message)) return;
      const fault = new AppError('unknown-message', `nobody handles ${message?.name ?? String(op)}`);
      bodies?.refuse(packet, fault);
      if (call) this.#reply(call, message?.lane ?? 'control', false, fault.toRecord());
      this.#options.onFault(fault, op);
      return;
    }
    const fail = (thrown: unknown): void => {
      const fault = toAppError(thrown);
      if (call) this.#reply(call, message.lane, false, fault.toRecord());
      this.#options.onFault(fault, message.name);
    };
    try {
      const run = (...body: unknown[]): unknown => handler(validate(message.params, params, message.name), ...body);
      const outcome = bodies ? bodies.receive(packet, message, run) : run();
      if (outcome instanceof Promise) outcome.then((result) => this.#answer(message, call, result)).catch(fail);
      else this.#answer(message, call, outcome);
    } catch (thrown) {
      fail(thrown);
    }
  }

  /** Rejects all waiting calls with the reason and every later use too. */
  close(reason: AppError): void {
    this.#closed ??= reason;
    for (const { timer, reject } of this.#pending.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    this.#pending.clear();
    this.#handlers.clear();
    this.#bodies?.close(reason);
  }

  #transmit(
    message: AnyMessage,
    params: unknown,
    call: number,
    options: SendOptions & { readonly body?: ByteSource } = {},
    goesOn?: () => boolean,
  ): void {
    const { after } = options;
    const op = this.#options.table.opOf(message);
    const packet: Packet = after ? [op, params, call, after] : call ? [op, params, call] : [op, params];
    this.#inOrder(!!options.body, () => {
      if (options.body) this.#carrier().send(packet, message, options, goesOn);
      else this.#options.transmit(message.lane, packet);
    });
  }

  #answer(message: AnyMessage, call: number, outcome: unknown): void {
    if (!call || this.#closed) return;
    if (message.resultBody === 'json') this.#reply(call, message.lane, true, outcome);
    else {
      const given = outcome as WithBody<unknown, ByteSource>; // what a handler of such a message answers
      this.#inOrder(true, () => this.#carrier().send([OPCODE_REPLY, [call, true, given.result]], message, given));
    }
  }

  #reply(call: number, lane: Lane, ok: boolean, value: unknown): void {
    if (!this.#closed) this.#options.transmit(lane, [OPCODE_REPLY, [call, ok, value]]);
  }

  #settle(packet: Packet): void {
    const outcome = v.safeParse(replySchema, packet[1]);
    const pending = outcome.success ? this.#pending.get(outcome.output[0]) : undefined;
    if (!outcome.success || !pending) {
      if (!outcome.success || !this.#late.delete(outcome.output[0]))
        this.#options.onFault(new AppError('bad-packet', 'an answer to no call'), OPCODE_REPLY);
      return;
    }
    const [call, ok, value] = outcome.output;
    const { message, timer, resolve, reject } = pending;
    this.#pending.delete(call);
    clearTimeout(timer);
    if (!ok) {
      reject(errorFrom(value));
      return;
    }
    try {
      const result = message.result ? validate(message.result, value, message.name) : undefined;
      resolve(message.resultBody === 'json' ? result : this.#bodies?.answer(packet, message, result));
    } catch (thrown) {
      reject(toAppError(thrown));
    }
  }
}

/** An error as the other side has told it. */
export function errorFrom(value: unknown): AppError {
  const outcome = v.safeParse(errorSchema, value);
  if (!outcome.success) return new AppError('bad-packet', 'the other side failed without saying how');
  const record: ErrorRecord = outcome.output;
  return new AppError(record.code, record.message, { data: record.data, retryable: record.retryable });
}
