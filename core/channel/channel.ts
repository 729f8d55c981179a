import { parsePacket } from '../protocol/endpoint.ts';
import type { Packet } from '../protocol/endpoint.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import { decodeFrame, KIND, Reassembly } from '../protocol/frames.ts';
import type { Entry, Kind } from '../protocol/frames.ts';
import type { Lane } from '../protocol/lanes.ts';
import { Inbox, Outbox } from '../protocol/sequence.ts';
import { decodeJson, decodeSequenced, encodeUpstream, MAX_UPSTREAM_BYTES, parseControl } from '../protocol/wire.ts';
import type { Control } from '../protocol/wire.ts';
import {
  ACK_DELAY_MS,
  ACK_EVERY,
  channelConfig,
  LATENCY_CHECK_MS,
  LATENCY_STEP_MS,
  MISSING_MS,
  PING_INTERVAL_MS,
} from './config.ts';
import type { ChannelConfig } from './config.ts';
import { Line } from './line.ts';
import type { DeathReason } from './line.ts';
import { randomId } from './random-id.ts';
import type { ChannelNames, Transport } from './transport.ts';

/** `dead` is for good (M-044). */
type ChannelStatus = 'pending' | 'connected' | 'dead';

/** 0: fine; 1: acknowledgements lag; 2: they lag badly (M-045). */
type LatencyLevel = 0 | 1 | 2;

/** Events that a channel reports to its owner. */
export interface ChannelEvents {
  packet(lane: Lane, packet: Packet): void;
  /** A message of a kind that has a codec of its own: commits, canvases, pictures, and pieces of bodies, which are data. */
  binary(kind: Kind, lane: Lane, body: Uint8Array): void;
  status(status: ChannelStatus, reason?: DeathReason): void;
  latency(level: LatencyLevel): void;
  /** A round trip has been measured: milliseconds. */
  roundTrip(ms: number, mode: Transport['mode']): void;
  /** Something that came was refused, or a connection could not be made; the channel goes on. */
  fault(fault: AppError): void;
}

/** Options of a channel. */
export interface ChannelOptions {
  readonly config: ChannelConfig;
  readonly websocket: Transport;
  /** Used when the websocket fails (M-003); left out where polling is not allowed. */
  readonly poll?: Transport;
  /** Names of the session on every request: cid, rid, tab_id, cl (M-073); and `chid`, where the channel has been begun already. */
  readonly query: Readonly<Record<string, string>>;
  readonly events: ChannelEvents;
}

/** One message that waits for its acknowledgement, as it goes over the wire. */
const text = (seq: number, lane: Lane, body: Packet): string => JSON.stringify(encodeUpstream({ seq, lane, body }));

/**
 * The client's end of a logical channel. It outlives its connections: what is not acknowledged is sent again on the next one, and
 * what arrives twice is delivered once. Connects when made; `close` ends it.
 *
 * @throws AppError `channel-config` for a configuration that it refuses (M-062).
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #line: Line;
  readonly #outbox = new Outbox<string>();
  readonly #inbox = new Inbox();
  #reassembly = new Reassembly();
  #status: ChannelStatus = 'pending';
  #reason: DeathReason | undefined;
  #latency: LatencyLevel = 0;
  #unacked = 0;
  #heardAt = 0;
  #bytesReceived = 0;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;
  #pongTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #pingTimer: ReturnType<typeof setInterval>;
  readonly #checkTimer: ReturnType<typeof setInterval>;

  constructor(options: ChannelOptions) {
    const { websocket, poll, query, events } = options;
    const config = channelConfig(options.config);
    this.#options = { ...options, config };
    this.#line = new Line({
      config,
      websocket,
      ...(poll && { poll }),
      names: { query: { chid: randomId(16), ...query }, received: () => this.#inbox.acknowledged },
      events: {
        found: () => this.#found(),
        frame: (bytes) => this.#frame(bytes),
        roundTrip: (ms) => events.roundTrip(ms, this.#line.mode),
        lost: () => {
          this.#stopTimers();
          this.#setStatus('pending');
        },
        dead: (reason) => this.#die(reason),
        fault: (fault) => events.fault(fault),
      },
    });
    this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.#checkTimer = setInterval(() => this.#check(), LATENCY_CHECK_MS);
    this.#line.connect();
  }

  get status(): ChannelStatus {
    return this.#status;
  }

  get deathReason(): DeathReason | undefined {
    return this.#reason;
  }

  get latency(): LatencyLevel {
    return this.#latency;
  }

  get bytesReceived(): number {
    return this.#bytesReceived;
  }

  /** Names of the channel in its requests. */
  get names(): ChannelNames {
    return this.#line.names;
  }

  /** Mode of the transport that carries the channel, or is tried next. */
  get mode(): Transport['mode'] {
    return this.#line.mode;
  }

  /** Sends a packet, now or once there is a connection. @throws AppError `channel-dead`, `message-too-large`. */
  send(lane: Lane, packet: Packet): void {
    if (this.#status === 'dead') throw new AppError('channel-dead', `the channel is dead: ${this.#reason ?? ''}`);
    const encoded = text(this.#outbox.last + 1, lane, packet);
    // UTF-8 takes at most three bytes for each unit of a string.
    if (encoded.length * 3 > MAX_UPSTREAM_BYTES && new TextEncoder().encode(encoded).length > MAX_UPSTREAM_BYTES)
      throw new AppError('message-too-large', `a message of ${encoded.length} characters is too large`);
    this.#outbox.add(encoded, encoded.length, Date.now());
    // Input that nobody has seen for so long means nothing any more.
    if (this.#outbox.overflowed) this.#die('network-error');
    else if (this.#status === 'connected') this.#line.send(encoded);
  }

  /** Does now what it waits to do: the network is back, or the window has become active. */
  wake(): void {
    this.#line.wake();
  }

  close(): void {
    this.#die('client-close');
  }

  #found(): void {
    this.#reassembly = new Reassembly();
    this.#heardAt = Date.now();
    for (const { item } of this.#outbox.unacknowledged()) this.#line.send(item);
    this.#setStatus('connected');
    this.#ping();
  }

  #frame(bytes: Uint8Array): void {
    this.#heardAt = Date.now();
    this.#bytesReceived += bytes.length;
    const reassembly = this.#reassembly;
    try {
      for (const entry of decodeFrame(bytes)) {
        const whole = reassembly.take(entry);
        if (whole && reassembly === this.#reassembly && this.#status !== 'dead') this.#take(whole);
      }
    } catch (thrown) {
      this.#options.events.fault(toAppError(thrown));
      this.#die('server-error');
    }
  }

  /** @throws AppError when the entry is not what the protocol allows. */
  #take({ kind, body }: Entry): void {
    if (kind === KIND.control) {
      this.#control(parseControl(decodeJson(body)));
      return;
    }
    const message = decodeSequenced(body);
    const isNew = this.#inbox.accept(message.seq);
    this.#unacked += 1;
    if (this.#unacked >= ACK_EVERY) this.#acknowledge();
    else this.#ackTimer ??= setTimeout(() => this.#acknowledge(), ACK_DELAY_MS);
    if (!isNew || message.body.length === 0) return; // empty: a newer one has taken its place
    const { events } = this.#options;
    try {
      // A piece of a body begins with a zero, which no JSON does (bodies/pieces.ts).
      if (kind === KIND.data && message.body[0]) events.packet(message.lane, parsePacket(decodeJson(message.body)));
      else events.binary(kind, message.lane, message.body);
    } catch (thrown) {
      events.fault(toAppError(thrown)); // one message of no use; those after it count
    }
  }

  #control(control: Control): void {
    const { ack, skip, pong, rttping, anim_ping, bye } = control;
    if (ack !== undefined) this.#outbox.acknowledge(ack);
    if (skip !== undefined) this.#inbox.skip(skip); // the host has forgotten them, and sends its state anew
    if (rttping !== undefined) this.#sendControl({ rttpong: rttping });
    if (anim_ping !== undefined && 'requestAnimationFrame' in globalThis)
      requestAnimationFrame(() => this.#sendControl({ anim_pong: anim_ping })); // a hidden window does not answer
    if (control['req-ack']) this.#acknowledge();
    if (pong !== undefined) {
      clearTimeout(this.#pongTimer);
      this.#pongTimer = undefined;
      this.#options.events.roundTrip(Math.max(0, Date.now() - pong), this.mode);
    }
    if (bye !== undefined) this.#die('server-error');
  }

  #sendControl(control: Control): void {
    if (this.#status === 'connected') this.#line.send(JSON.stringify(control));
  }

  #acknowledge(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#unacked = 0;
    if (this.mode === 'websocket') this.#sendControl({ ack: this.#inbox.acknowledged }); // each pull says it by itself
  }

  /** A websocket may be silent for ever without being closed; a pull has a time limit. */
  #ping(): void {
    if (this.#status !== 'connected' || this.mode !== 'websocket') return;
    this.#sendControl({ ping_time: Date.now() });
    this.#pongTimer ??= setTimeout(() => this.#line.lost(true), this.#options.config.pongTimeoutMs);
  }

  #check(): void {
    const now = Date.now();
    if (this.#inbox.isMissing && now - this.#heardAt >= MISSING_MS) {
      this.#heardAt = now;
      this.#sendControl({ srm: this.#inbox.acknowledged });
    }
    const oldest = this.#outbox.oldestAt();
    const age = oldest === undefined ? 0 : now - oldest;
    const threshold = this.#options.config.latencyNotificationMs;
    const level = age > threshold + LATENCY_STEP_MS ? 2 : age > threshold ? 1 : 0;
    if (level === this.#latency) return;
    if (level > this.#latency) this.#sendControl({ 'req-ack': true });
    this.#latency = level;
    this.#options.events.latency(level);
  }

  #stopTimers(): void {
    clearTimeout(this.#pongTimer);
    clearTimeout(this.#ackTimer);
    this.#pongTimer = this.#ackTimer = undefined;
    this.#unacked = 0;
  }

  #die(reason: DeathReason): void {
    if (this.#status === 'dead') return;
    this.#line.close();
    this.#stopTimers();
    clearInterval(this.#pingTimer);
    clearInterval(this.#checkTimer);
    this.#reason = reason;
    this.#setStatus('dead');
  }

  #setStatus(status: ChannelStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.events.status(status, this.#reason);
  }
}
