import type { CoreEvent } from '../events/catalogue.ts';
import type { Report } from '../events/report.ts';
import { Endpoint, OPCODE_REPLY } from '../protocol/endpoint.ts';
import type { Answer, BodyKind, Handler, SendRest } from '../protocol/body.ts';
import type { CallOptions, EndpointOptions, Packet, SendOptions } from '../protocol/endpoint.ts';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';
import { updates } from '../protocol/core-messages.ts';
import type { Lane } from '../protocol/lanes.ts';
import type { Message } from '../protocol/message.ts';
import { KeptMessages } from '../plugins/kept-messages.ts';
import type { OpcodeTable } from '../plugins/opcodes.ts';
import { Hold } from './hold.ts';

/** State of a plugin for its messages: handled now, kept until the plugin is active, or refused because it never will be. */
export type Readiness = 'active' | 'coming' | 'none';

/** Options of a dispatcher. */
interface DispatcherOptions {
  readonly table: OpcodeTable;
  readonly transmit: (lane: Lane, packet: Packet) => void;
  readonly report: Report;
  /** The plugin that owns an opcode, or `core`. */
  readonly ownerOf: (op: number | string) => string | undefined;
  /** Asked for each message of a plugin; the answer `coming` means that it is being activated, or is now. */
  readonly readiness: (owner: string) => Readiness;
  /** A handler has thrown `shutdown`: the client ends (M-100). Nothing is handled any more. */
  readonly shutDown: (fault: AppError) => void;
  /** See {@link EndpointOptions}. */
  readonly bodies?: EndpointOptions['bodies'];
}

/**
 * Hands messages to their handlers: by opcode or by name (M-086), no earlier than the mirror state that they rely on, and to a plugin
 * that loads on first use once it is active, in the order in which they came. A fault of a handler ends nothing but that message.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #endpoint: Endpoint;
  readonly #hold: Hold;
  readonly #kept = new KeptMessages<Packet>();
  #isStarting = true;
  #isOver = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#endpoint = new Endpoint({
      ...options,
      onFault: (fault, op) => this.#fault(fault, op),
    });
    this.#endpoint.handle(updates, (packets) => {
      for (const packet of packets) if (this.#options.table.messageOf(packet[0]) !== updates) this.#route(packet);
    });
    this.#hold = new Hold({
      deliver: (packet) => this.#route(packet),
      onGivenUp: ([op, , , after], why) => this.#report('tc-after-given-up', { op, why, frame: after?.[0] }),
    });
  }

  send<P, B extends BodyKind>(
    message: Message<P, undefined, B>,
    params: P,
    ...options: SendRest<B, SendOptions>
  ): void {
    this.#endpoint.send(message, params, ...options);
  }

  call<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    params: P,
    ...options: SendRest<B, CallOptions>
  ): Promise<Answer<R, A>> {
    return this.#endpoint.call(message, params, ...options);
  }

  handle<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    handler: Handler<P, R, B, A>,
  ): () => void {
    return this.#endpoint.handle(message, handler);
  }

  /** Takes one packet from the channel. Never throws. */
  receive(lane: Lane, packet: Packet): void {
    this.#hold.take(lane, packet);
  }

  /** See `ClientScope.reached`. */
  reached(frame: number, epoch: number, seq: number): void {
    this.#hold.reached(frame, epoch, seq);
  }

  /** Hands a plugin what has come for it: call it when it has become active, or will never be. */
  settled(owner: string): void {
    for (const packet of this.#kept.take(owner)) this.#deliver(packet);
  }

  /** The session has started: from now on what is kept for a plugin is bounded. Before, the host's own window bounds it. */
  started(): void {
    this.#isStarting = false;
  }

  close(reason: AppError): void {
    this.#isOver = true;
    this.#hold.dispose();
    this.#kept.clear();
    this.#endpoint.close(reason);
  }

  #route(packet: Packet): void {
    const owner = packet[0] === OPCODE_REPLY ? undefined : this.#options.ownerOf(packet[0]);
    if (owner === undefined || owner === 'core') this.#deliver(packet);
    else if (this.#options.readiness(owner) === 'coming') this.#keep(owner, packet);
    else this.#deliver(packet);
  }

  #keep(owner: string, packet: Packet): void {
    if (!this.#kept.keep(owner, packet, packet, !this.#isStarting))
      this.#report('tc-message-not-kept', { plugin: owner, op: packet[0] });
  }

  #deliver(packet: Packet): void {
    if (this.#isOver) return;
    try {
      this.#endpoint.receive(packet);
    } catch (thrown) {
      this.#fault(toAppError(thrown), packet[0]);
    }
  }

  #fault(fault: AppError, op: number | string): void {
    if (fault.code === 'shutdown') {
      this.close(fault);
      this.#options.shutDown(fault);
      return;
    }
    const data = { plugin: this.#options.ownerOf(op), op, code: fault.code, message: fault.message };
    if (fault.code === 'unknown-message') {
      console.warn(`ignored: ${fault.message}`); // M-096
      this.#report('tc-unknown-opcode', data, { level: 'warning' });
    } else if (fault.code === 'bad-message' || fault.code === 'bad-packet') {
      console.warn(`refused: ${fault.message}`);
      this.#report('tc-bad-message', data, { level: 'warning' });
    } else {
      console.error(fault);
      this.#report(
        'tc-uncaught-exception',
        { ...data, stack: String((fault.cause as Error | undefined)?.stack ?? fault.stack) },
        { level: 'error' },
      );
    }
  }

  #report(name: CoreEvent, data: Readonly<Record<string, unknown>>, options?: { level: 'warning' | 'error' }): void {
    try {
      this.#options.report(name, data, options);
    } catch (thrown) {
      console.error('double-fault', thrown);
      try {
        this.#options.report('double-fault', { event: name }, { level: 'error' }); // without what may have been at fault
      } catch {
        // S-146: reporting itself does not work.
      }
    }
  }
}
