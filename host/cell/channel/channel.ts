import { CLIENT_LEFT } from '../../contracts/link.ts';
import { parsePacket } from '../../../core/protocol/endpoint.ts';
import type { Packet } from '../../../core/protocol/endpoint.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { decodePiece, encodePiece } from '../../../core/protocol/bodies/pieces.ts';
import type { Piece } from '../../../core/protocol/bodies/pieces.ts';
import { decodeFrame, KIND, MAX_MESSAGE_BYTES } from '../../../core/protocol/frames.ts';
import type { Kind } from '../../../core/protocol/frames.ts';
import type { Lane } from '../../../core/protocol/lanes.ts';
import { Inbox, Outbox, OUTBOX_MAX_BYTES, OUTBOX_MAX_MESSAGES } from '../../../core/protocol/sequence.ts';
import { encodeJson, parseUpstream } from '../../../core/protocol/wire.ts';
import type { Control } from '../../../core/protocol/wire.ts';
import { Acknowledger } from './acknowledger.ts';
import type { ChannelEnd, ChannelTransport } from './channel-transport.ts';
import { RoundTrips } from './round-trips.ts';
import { Sender } from './sender.ts';
import type { Outgoing } from './sender.ts';

/**
 * Maximum size of the queue for an attached transport; past it the channel starts anew. A body is kept once, whether it waits or is
 * sent and not acknowledged, and once more while it leaves: a tab's channel takes up less than twice this.
 */
const QUEUE_MAX_BYTES = 32 * 1024 * 1024;
export const QUEUE_MAX_MESSAGES = 3000;
/** Interval between two pings of an attached client, in ms. They measure the round-trip time. */
export const UPKEEP_MS = 12_000;
/** A client that has said nothing for so long has gone without a word: hidden windows have their timers run once a minute. */
export const SILENCE_MS = 90_000;
/** Between two repetitions of all that is not acknowledged, however often they are asked for. */
const REPEAT_MS = 1000;
/** Bodies wait while so much is not acknowledged, or so many messages: they leave room for what cannot wait. */
const ROOM_BYTES = OUTBOX_MAX_BYTES / 4;
const ROOM_MESSAGES = OUTBOX_MAX_MESSAGES / 2;
const NOTHING = new Uint8Array();

/** Listener of a channel. */
interface ChannelListener {
  /** A message of the client: new, numbered, in shape; its parameters are unchecked. */
  onPacket(packet: Packet): void;
  /** A piece of a body: of no message yet, and unchecked. */
  onPiece(piece: Piece): void;
  /** There is room for pieces of bodies, which there may not have been before. */
  onRoom(): void;
  /** A transport has been attached; `fresh`: this client has none of what was sent before; `isNew`: it has had nothing at all, and sends all anew. */
  onAttached(fresh: boolean, isNew: boolean): void;
  /** The transport is gone; the channel waits for another. */
  onDetached(reason: string): void;
  onLagging(lagging: boolean): void;
  /** Called when a received message is invalid, or when a message is too large to send. */
  onFault(fault: AppError): void;
}

/**
 * The host's end of a tab's logical channel. It outlives its transports: what the client has not acknowledged is kept up to a
 * bound and sent again over the next one (M-073, M-077). Past the bound all of it is forgotten, and the next attachment is
 * reported as `fresh`, so that everybody sends his state anew. Memory is bounded, whatever the client does.
 */
export class Channel {
  readonly #listener: ChannelListener;
  #chid: string | undefined;
  #outbox = new Outbox<Outgoing>();
  #inbox = new Inbox();
  #sender: Sender | undefined;
  #transport: ChannelTransport | undefined;
  /** Messages have been forgotten: nothing more is kept until a client attaches. */
  #lost = false;
  /** Number of the last frame of pieces that the client has posted. */
  #posted = 0;
  readonly #acknowledger = new Acknowledger(() => this.#sender?.control({ ack: this.#inbox.acknowledged }));
  readonly #roundTrips = new RoundTrips();
  #upkeepTimer: NodeJS.Timeout | undefined;
  #heardAt = 0;
  #repeatedAt = -Infinity;
  #closed = false;

  constructor(listener: ChannelListener) {
    this.#listener = listener;
  }

  get attached(): boolean {
    return this.#transport !== undefined;
  }

  /** The latest round trip to the attached client, in ms; undefined before the first. */
  get roundTrip(): number | undefined {
    return this.#roundTrips.message;
  }

  /** The same for the way to the client's next animation frame and back; undefined while its window is hidden. */
  get paint(): number | undefined {
    return this.#roundTrips.frame;
  }

  send(lane: Lane, packet: Packet): void {
    this.sendBinary(KIND.data, lane, encodeJson(packet));
  }

  /** Whether pieces of bodies may be sent now; `onRoom` tells when that may have changed. */
  get hasRoom(): boolean {
    const { length: count } = this.#outbox.unacknowledged();
    return !this.#closed && !this.#lost && this.#outbox.bytes < ROOM_BYTES && count < ROOM_MESSAGES;
  }

  /** Sends a piece of a body, behind all else. */
  sendPiece(piece: Piece): void {
    this.sendBinary(KIND.data, 'bulk', encodePiece(piece));
  }

  /**
   * Takes pieces of bodies that the client has posted beside the channel, in a frame; a number that has been taken already says that its
   * answer was lost.
   *
   * @throws AppError `session-not-found` for another channel than this, `bad-sequence`, `bad-frame`; nothing has been taken then.
   */
  receiveBodies(chid: string, number: number, frame: Uint8Array): void {
    if (this.#closed || chid !== this.#chid) throw new AppError('session-not-found', 'There is no such channel.');
    this.#heardAt = performance.now();
    if (number <= this.#posted) return;
    if (number !== this.#posted + 1) throw new AppError('bad-sequence', `pieces ${number} after ${this.#posted}`);
    const pieces = decodeFrame(frame).map(({ kind, body }) => {
      if (kind !== KIND.data) throw new AppError('bad-frame', `pieces of kind ${kind}`);
      return decodePiece(body);
    });
    this.#posted = number;
    for (const piece of pieces) this.#listener.onPiece(piece);
  }

  /**
   * Sends bytes of a kind that has a codec of its own: commits, canvases, pictures. Of messages about the same `subject` that still wait,
   * only the newest is sent.
   */
  sendBinary(kind: Kind, lane: Lane, body: Uint8Array, subject?: string): void {
    if (this.#closed || this.#lost) return;
    if (body.length > MAX_MESSAGE_BYTES / 2) {
      this.#listener.onFault(
        new AppError('message-too-large', `a message of ${body.length} bytes on the ${lane} lane`),
      );
      return;
    }
    if (subject !== undefined) this.#supersede(subject);
    const message: Outgoing = { kind, lane, body, isLeaving: false, ...(subject !== undefined && { subject }) };
    const kept = this.#outbox.add(message, body.length, performance.now());
    if (this.#sender) {
      this.#sender.push(kept.seq, message);
      if (this.#sender.bytes > QUEUE_MAX_BYTES || this.#sender.count > QUEUE_MAX_MESSAGES) this.#forget('overflow');
    } else if (this.#outbox.overflowed) this.#forget('overflow');
  }

  /**
   * Takes up a transport, in place of an earlier one. Another `chid` than before is another client: it starts from nothing.
   * `received` is the last number up to which the client has everything.
   *
   * @throws AppError `bad-sequence` when that number was never sent to it: it has been replaced by another, and cannot go on.
   */
  attach(chid: string, received: number, transport: ChannelTransport): ChannelEnd {
    const isSame = this.#chid === chid;
    const sent = isSame ? this.#outbox.last : 0;
    if (received > sent) throw new AppError('bad-sequence', `a client has received ${received} of ${sent}`);
    const reason = isSame ? 'renewed' : 'replaced'; // the client goes by it: one that was replaced does not come again
    this.#drop(reason)?.close(reason);
    const isNew = this.#chid !== chid;
    const fresh = this.#take(chid, received);
    const sender = new Sender(transport, (blocked) => this.#listener.onLagging(blocked));
    this.#transport = transport;
    this.#sender = sender;
    if (fresh && this.#outbox.last > 0) sender.control({ skip: this.#outbox.last });
    this.#chid = chid;
    sender.control({ ack: this.#inbox.acknowledged });
    for (const kept of this.#outbox.unacknowledged()) sender.push(kept.seq, kept.item);
    this.#heardAt = performance.now();
    this.#upkeepTimer = setInterval(() => this.#upkeep(), UPKEEP_MS);
    this.#listener.onAttached(fresh, isNew);
    this.#listener.onRoom();
    return {
      receive: (value) => {
        if (this.#transport === transport) this.#receive(value);
      },
      detach: (reason) => {
        if (this.#transport === transport) this.#drop(reason);
      },
    };
  }

  /** Ends the channel for good, and notifies the client, behind what has been sent before. */
  close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#sender?.flush(); // controls overtake what waits
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
      this.#posted = 0;
      this.#lost = false;
      return true;
    }
    if (this.#lost || this.#outbox.overflowed) {
      this.#outbox.acknowledge(this.#outbox.last);
      this.#lost = false;
      return true;
    }
    this.#outbox.acknowledge(received);
    return false;
  }

  #receive(value: unknown): void {
    this.#heardAt = performance.now();
    try {
      const message = parseUpstream(value);
      if (!('seq' in message)) {
        this.#control(message);
        return;
      }
      // A client sends all lanes in one order: what is missing here was never sent.
      if (message.seq > this.#inbox.acknowledged + 1)
        throw new AppError('bad-sequence', `message ${message.seq} after ${this.#inbox.acknowledged}`);
      const isNew = this.#inbox.accept(message.seq);
      this.#acknowledger.received(this.#transport?.ackDelayMs);
      if (isNew) this.#listener.onPacket(parsePacket(message.body));
    } catch (thrown) {
      const fault = toAppError(thrown);
      this.#listener.onFault(fault);
      if (fault.code === 'bad-sequence') this.#drop(fault.code)?.close(fault.code);
    }
  }

  #control(control: Control): void {
    const { ack, ping_time, srm, bye } = control;
    if (ack !== undefined) {
      this.#outbox.acknowledge(ack);
      this.#listener.onRoom();
    }
    if (ping_time !== undefined) this.#sender?.control({ pong: ping_time });
    if (control['req-ack']) this.#acknowledger.now();
    this.#roundTrips.answered(control);
    if (srm !== undefined) this.#repeat(srm);
    if (bye !== undefined) this.#drop(CLIENT_LEFT)?.close(bye);
  }

  /** Sends again what the client misses, unless it is still on its way. */
  #repeat(received: number): void {
    this.#outbox.acknowledge(received);
    const now = performance.now();
    if (!this.#sender || this.#sender.count > 0 || now - this.#repeatedAt < REPEAT_MS) return;
    this.#repeatedAt = now;
    if (this.#outbox.overflowed) this.#forget('missing');
    else for (const kept of this.#outbox.unacknowledged()) this.#sender.push(kept.seq, kept.item);
  }

  #upkeep(): void {
    const now = performance.now();
    if (now - this.#heardAt > SILENCE_MS) {
      this.#drop('silent')?.close('silent');
      return;
    }
    const isLate = now - (this.#outbox.oldestAt() ?? now) > UPKEEP_MS;
    this.#sender?.control({ ...this.#roundTrips.ask(now), ...(isLate && { 'req-ack': true }) });
  }

  /** Empties the message about a subject that no client has seen any of. */
  #supersede(subject: string): void {
    const kept = this.#outbox.unacknowledged().findLast(({ item }) => item.subject === subject);
    if (!kept || kept.item.isLeaving) return;
    this.#outbox.lighten(kept, kept.bytes);
    this.#sender?.lightened(kept.item.body.length);
    kept.item.body = NOTHING;
  }

  /** Forgets all that waits; a client that is attached has to come again. */
  #forget(reason: string): void {
    this.#lost = true;
    this.#outbox.acknowledge(this.#outbox.last);
    this.#drop(reason)?.close(reason);
  }

  /** Lets go of the transport, and answers with it. */
  #drop(reason: string): ChannelTransport | undefined {
    const transport = this.#transport;
    if (!transport) return undefined;
    this.#sender?.stop();
    this.#sender = undefined;
    this.#transport = undefined;
    clearInterval(this.#upkeepTimer);
    this.#acknowledger.stop();
    this.#roundTrips.forget();
    if (!this.#lost && this.#outbox.overflowed) this.#forget(reason);
    this.#listener.onDetached(reason);
    return transport;
  }
}
