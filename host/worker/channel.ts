import type { Packet } from '../../core/protocol/endpoint.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { KIND, MAX_MESSAGE_BYTES } from '../../core/protocol/frames.ts';
import type { Kind } from '../../core/protocol/frames.ts';
import type { Lane } from '../../core/protocol/lanes.ts';
import { Inbox, Outbox } from '../../core/protocol/sequence.ts';
import { encodeJson, parseUpstream } from '../../core/protocol/wire.ts';
import type { Control } from '../../core/protocol/wire.ts';
import type { AttachedChannel, TransportEnd } from '../link.ts';
import { Sender } from './sender.ts';
import type { Outgoing } from './sender.ts';

/** An acknowledgement waits at most this long for company. */
export const ACK_DELAY_MS = 50;
/** As many messages are acknowledged at once. */
export const ACK_EVERY = 32;
/** What may wait for an attached transport; past it the channel starts anew. Below the client's INBOX_WINDOW. */
export const QUEUE_MAX_BYTES = 32 * 1024 * 1024;
export const QUEUE_MAX_MESSAGES = 3000;

/** Told of what happens on a channel. */
export interface ChannelListener {
  /** A message of the client: new, numbered, in shape; its parameters are unchecked. */
  onPacket(packet: Packet): void;
  /** A transport has been attached; `fresh`: this client has none of what was sent before. */
  onAttached(fresh: boolean): void;
  /** The transport is gone; the channel waits for another. */
  onDetached(reason: string): void;
  onLagging(lagging: boolean): void;
  /** What came is no message of ours, or what was sent cannot be. */
  onFault(fault: AppError): void;
}

/**
 * The host's end of a tab's logical channel. It outlives its transports: what the client has not acknowledged is kept up to a
 * bound and sent again over the next one (M-073, M-077). Past the bound all of it is forgotten, and the next attachment is
 * told as `fresh`, so that everybody sends his state anew. Memory is bounded, whatever the client does.
 */
export class Channel {
  readonly #listener: ChannelListener;
  #chid: string | undefined;
  #outbox = new Outbox<Outgoing>();
  #inbox = new Inbox();
  #sender: Sender | undefined;
  #transport: TransportEnd | undefined;
  /** Messages have been forgotten: nothing more is kept until a client attaches. */
  #lost = false;
  #unacknowledged = 0;
  #ackTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(listener: ChannelListener) {
    this.#listener = listener;
  }

  get attached(): boolean {
    return this.#transport !== undefined;
  }

  /** The age in milliseconds of the oldest message that the client has not acknowledged; 0 when there is none. */
  get latency(): number {
    const oldest = this.#outbox.oldestAt();
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  send(lane: Lane, packet: Packet): void {
    this.sendBinary(KIND.data, lane, encodeJson(packet));
  }

  /** Sends bytes of a kind that has a codec of its own: commits, canvases, pictures. */
  sendBinary(kind: Kind, lane: Lane, body: Uint8Array): void {
    if (this.#closed || this.#lost) return;
    if (body.length > MAX_MESSAGE_BYTES / 2) {
      this.#listener.onFault(
        new AppError('message-too-large', `a message of ${body.length} bytes on the ${lane} lane`),
      );
      return;
    }
    const message: Outgoing = { kind, lane, body };
    const kept = this.#outbox.add(message, body.length, performance.now());
    if (this.#sender) {
      this.#sender.push(kept.seq, message);
      if (this.#sender.bytes > QUEUE_MAX_BYTES || this.#sender.count > QUEUE_MAX_MESSAGES) this.#forget('overflow');
    } else if (this.#outbox.overflowed) this.#forget('overflow');
  }

  /**
   * Takes up a transport, in place of an earlier one. Another `chid` than before is another client: it starts from nothing.
   * `received` is the last number up to which the client has everything.
   */
  attach(chid: string, received: number, transport: TransportEnd): AttachedChannel {
    this.#drop('replaced')?.close('replaced');
    const fresh = this.#take(chid, received);
    const sender = new Sender(transport, (blocked) => this.#listener.onLagging(blocked));
    this.#transport = transport;
    this.#sender = sender;
    if (fresh && this.#outbox.last > 0) sender.control({ skip: this.#outbox.last });
    this.#chid = chid;
    sender.control({ ack: this.#inbox.acknowledged });
    for (const kept of this.#outbox.unacknowledged()) sender.push(kept.seq, kept.item);
    this.#listener.onAttached(fresh);
    return {
      receive: (value) => {
        if (this.#transport === transport) this.#receive(value);
      },
      detach: (reason) => {
        if (this.#transport === transport) this.#drop(reason);
      },
    };
  }

  /** Ends the channel for good; the client is told. */
  close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#sender?.control({ bye: reason });
    this.#sender?.flush();
    this.#drop(reason)?.close(reason);
    this.#outbox = new Outbox();
  }

  /** Settles what the client has; true when it has nothing of what was sent. */
  #take(chid: string, received: number): boolean {
    const known = this.#chid;
    if (known !== undefined && known !== chid) {
      this.#outbox = new Outbox();
      this.#inbox = new Inbox();
      this.#lost = false;
      return true;
    }
    if (this.#lost || this.#outbox.overflowed) {
      this.#outbox.acknowledge(this.#outbox.last);
      this.#lost = false;
      return true;
    }
    try {
      this.#outbox.acknowledge(received);
    } catch (thrown) {
      this.#listener.onFault(toAppError(thrown));
    }
    return false;
  }

  #receive(value: unknown): void {
    try {
      const message = parseUpstream(value);
      if (!('seq' in message)) {
        this.#control(message);
        return;
      }
      const isNew = this.#inbox.accept(message.seq);
      this.#acknowledge();
      if (isNew) this.#listener.onPacket(message.body);
    } catch (thrown) {
      const fault = toAppError(thrown);
      this.#listener.onFault(fault);
      if (fault.code === 'bad-sequence') this.#drop(fault.code)?.close(fault.code);
    }
  }

  #control(control: Control): void {
    if (control.ack !== undefined) this.#outbox.acknowledge(control.ack);
    if (control.skip !== undefined) this.#inbox.skip(control.skip);
    if (control.ping_time !== undefined) this.#sender?.control({ pong: control.ping_time });
    if (control.bye !== undefined) this.#drop(control.bye)?.close(control.bye);
  }

  #acknowledge(): void {
    this.#unacknowledged += 1;
    if (this.#unacknowledged >= ACK_EVERY) this.#sendAck();
    else this.#ackTimer ??= setTimeout(() => this.#sendAck(), ACK_DELAY_MS);
  }

  #sendAck(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#unacknowledged = 0;
    this.#sender?.control({ ack: this.#inbox.acknowledged });
  }

  /** Forgets all that waits; a client that is attached has to come again. */
  #forget(reason: string): void {
    this.#lost = true;
    this.#outbox.acknowledge(this.#outbox.last);
    this.#drop(reason)?.close(reason);
  }

  /** Lets go of the transport, and answers with it. */
  #drop(reason: string): TransportEnd | undefined {
    const transport = this.#transport;
    if (!transport) return undefined;
    this.#sender?.stop();
    this.#sender = undefined;
    this.#transport = undefined;
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#unacknowledged = 0;
    if (!this.#lost && this.#outbox.overflowed) this.#forget(reason);
    this.#listener.onDetached(reason);
    return transport;
  }
}
