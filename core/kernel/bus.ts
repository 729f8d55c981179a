import { textBodies } from '../protocol/bodies/text-bodies.ts';
import { Endpoint, parsePacket } from '../protocol/endpoint.ts';
import type { Packet } from '../protocol/endpoint.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import type { AnyMessage } from '../protocol/message.ts';
import { PAGE_BINDING } from '../protocol/page-messages.ts';

/** Milliseconds between looks for the binding. */
const BINDING_RETRY_MS = 5;

type Binding = (json: string) => void;

/** The binding to the host; never the element of that id that `window` would offer while there is none. */
function binding(): Binding | undefined {
  return Object.hasOwn(globalThis, PAGE_BINDING)
    ? ((globalThis as Record<string, unknown>)[PAGE_BINDING] as Binding)
    : undefined; // the host's
}

/**
 * The conversation of this frame with the host: one endpoint for all page halves, so that calls have one numbering. What is
 * sent before the host has added its binding waits, in order.
 */
export class Bus {
  readonly endpoint: Endpoint;
  readonly #onFault: (fault: AppError, owner?: string) => void;
  readonly #messages = new Map<string, { readonly message: AnyMessage; readonly owner: string }>();
  #waiting: string[] = [];

  /** `onFault` is called with errors that reach no caller, and the owner of the message. */
  constructor(messages: readonly AnyMessage[], onFault: (fault: AppError, owner?: string) => void) {
    this.#onFault = onFault;
    this.know(messages, 'core');
    const bodies = textBodies({
      transmit: (_lane, packet) => this.#transmit(packet),
      onFault: (fault) => this.#onFault(fault),
    });
    this.endpoint = new Endpoint({
      table: { opOf: ({ name }) => name, messageOf: (op) => this.#messages.get(String(op))?.message },
      transmit: (...sent) => bodies.send(...sent),
      bodies,
      onFault: (fault, op) => this.#onFault(fault, this.#messages.get(String(op))?.owner),
    });
  }

  /** Adds messages that this frame can receive. @throws AppError `message-taken`, and adds none, when one of the names is known. */
  know(messages: readonly AnyMessage[], owner: string): void {
    const taken = messages.find(({ name }) => this.#messages.has(name));
    if (taken) throw new AppError('message-taken', `${taken.name} is declared already`);
    for (const message of messages) this.#messages.set(message.name, { message, owner });
  }

  /** Takes a packet from the host. */
  receive(json: string): void {
    try {
      this.endpoint.receive(parsePacket(JSON.parse(json)));
    } catch (thrown) {
      this.#onFault(toAppError(thrown, 'bad-packet'));
    }
  }

  #transmit(packet: Packet): void {
    const json = JSON.stringify(packet);
    const send = this.#waiting.length === 0 ? binding() : undefined;
    if (send) send(json);
    else if (this.#waiting.push(json) === 1) this.#retry();
  }

  #retry(): void {
    const send = binding();
    if (!send) {
      setTimeout(() => this.#retry(), BINDING_RETRY_MS);
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const json of waiting) send(json);
  }
}
