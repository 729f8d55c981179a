import { hasBody } from '../body.ts';
import type { ByteSource, ByteStream, WithBody } from '../body.ts';
import { OPCODE_BODY, OPCODE_REPLY } from '../endpoint.ts';
import type { AddBody, Bodies, BodyEnd, Given, Packet } from '../endpoint.ts';
import { AppError } from '../errors.ts';
import type { Lane } from '../lanes.ts';
import type { AnyMessage } from '../message.ts';
import type { BodyCarrier } from './carrier.ts';

/** The body of a call that has not been answered. */
interface CallBody {
  hasMoved: boolean;
  stop(reason: AppError): void;
}

/** Gives the messages of an endpoint their bodies, by a carrier. */
export class BodyLayer implements Bodies {
  readonly carrier: BodyCarrier;
  readonly #transmit: (lane: Lane, packet: Packet) => void;
  readonly #calls = new Map<number, CallBody>();

  constructor(carrier: BodyCarrier, transmit: (lane: Lane, packet: Packet) => void) {
    this.carrier = carrier;
    this.#transmit = transmit;
  }

  send(lane: Lane, packet: Packet, message?: AnyMessage, given?: Given): void {
    const [op, params, call] = packet;
    if (op === OPCODE_REPLY && message && hasBody(message.resultBody)) {
      const [number, ok, value] = params as [number, boolean, WithBody<unknown, ByteSource>]; // what a handler of such a message answers
      this.carrier.send([op, [number, ok, value.result]], message, value);
    } else if (message && given?.body) this.#sendBody(packet, message, given, call);
    else this.#transmit(lane, packet);
  }

  receive(packet: Packet, end: BodyEnd): void {
    const [op, params] = packet;
    if (op === OPCODE_BODY) this.carrier.control(params);
    else if (op === OPCODE_REPLY) this.#answer(packet, end);
    else this.#receive(packet, end);
  }

  goesOn(call: number): boolean {
    const body = this.#calls.get(call);
    if (body?.hasMoved) {
      body.hasMoved = false;
      return true;
    }
    this.#calls.delete(call);
    body?.stop(new AppError('call-timeout', 'its call is over'));
    return false;
  }

  close(reason: AppError): void {
    this.carrier.close(reason);
  }

  #sendBody(packet: Packet, message: AnyMessage, given: Given, call: number | undefined): void {
    if (!call) {
      this.carrier.send(packet, message, given);
      return;
    }
    const body: CallBody = { hasMoved: false, stop: () => undefined };
    this.#calls.set(call, body);
    try {
      body.stop = this.carrier.send(packet, message, given, () => void (body.hasMoved = true));
    } catch (thrown) {
      this.#calls.delete(call);
      throw thrown;
    }
  }

  #answer(packet: Packet, end: BodyEnd): void {
    const addBody: AddBody = (result, message) =>
      hasBody(message.resultBody) ? this.carrier.answer(packet, message, result) : result;
    if (Array.isArray(packet[1])) this.#calls.delete(packet[1][0] as number); // any value may be asked for
    if (end.take(packet, addBody) === false)
      this.carrier.refuse(packet, new AppError('call-timeout', 'nobody waits for this answer'));
  }

  #receive(packet: Packet, end: BodyEnd): void {
    const message = end.table.messageOf(packet[0]);
    if (!message || !end.handles(message.name)) {
      if (end.take(packet) === false) this.carrier.refuse(packet, new AppError('unknown-message', 'nobody handles it'));
      return;
    }
    const run = (...body: unknown[]): unknown => {
      const stop = (taken: unknown): void => {
        if (taken === false && message.body === 'stream')
          (body[0] as ByteStream).cancel(new AppError('not-taken', 'its handler has failed')); // of that kind
      };
      const taken = end.take(packet, ...body);
      if (taken instanceof Promise) return taken.then(stop);
      return stop(taken);
    };
    try {
      const outcome = this.carrier.receive(packet, message, run);
      if (outcome instanceof Promise) outcome.catch((thrown: unknown) => end.fail(packet, thrown));
    } catch (thrown) {
      end.fail(packet, thrown);
    }
  }
}
