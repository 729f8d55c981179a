import { parsePacket } from '../protocol/endpoint.ts';
import type { Packet } from '../protocol/endpoint.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import { decodeFrame, KIND, Reassembly } from '../protocol/frames.ts';
import type { Entry } from '../protocol/frames.ts';
import type { Lane } from '../protocol/lanes.ts';
import { Inbox, Outbox } from '../protocol/sequence.ts';
import { decodeJson, decodeSequenced, encodeUpstream, MAX_UPSTREAM_BYTES, parseControl } from '../protocol/wire.ts';
import type { Control } from '../protocol/wire.ts';
import {
  ACK_DELAY_MS,
  ACK_EVERY,
  LATENCY_CHECK_MS,
  LATENCY_STEP_MS,
  MAX_BACKOFF_MS,
  PING_INTERVAL_MS,
} from './config.ts';
import type { ChannelConfig } from './config.ts';
import { randomId } from './random-id.ts';
import type { Connection, Transport } from './transport.ts';

/** `dead` is for good (M-044). */
export type ChannelStatus = 'pending' | 'connected' | 'dead';

/** Why a channel has died: these and no others (M-044). */
export type DeathReason =
  | 'session-not-found'
  | 'client-close'
  | 'websocket-close'
  | 'network-error'
  | 'server-error'
  | 'no-fallback-to-xhr'
  | 'websock-startup-failed-and-no-xhr';

/** 0: fine; 1: acknowledgements lag; 2: they lag badly (M-045). */
export type LatencyLevel = 0 | 1 | 2;

/** What a channel tells its owner. */
export interface ChannelEvents {
  packet(lane: Lane, packet: Packet): void;
  status(status: ChannelStatus, reason?: DeathReason): void;
  latency(level: LatencyLevel): void;
  /** A ping has come back: milliseconds. */
  roundTrip(ms: number, mode: Transport['mode']): void;
  /** Something that came was refused, or a connection could not be made; the channel goes on. */
  fault(fault: AppError): void;
}

/** What a channel is made of. */
export interface ChannelOptions {
  readonly config: ChannelConfig;
  /** In order of preference: the next one is tried when one fails too often (M-003). */
  readonly transports: readonly Transport[];
  /** Names of the session on every request: cid, rid, tab_id, cl (M-073). */
  readonly query: Readonly<Record<string, string>>;
  readonly events: ChannelEvents;
}

/** One message that waits for its acknowledgement, as it goes over the wire. */
const text = (seq: number, lane: Lane, body: Packet): string => JSON.stringify(encodeUpstream({ seq, lane, body }));

/**
 * The client's end of a logical channel. It outlives its connections: what is not acknowledged is sent again on the next one, and
 * what arrives twice is delivered once. Connects when made; `close` ends it.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #id = randomId(16);
  readonly #outbox = new Outbox<string>();
  readonly #inbox = new Inbox();
  #status: ChannelStatus = 'pending';
  #reason: DeathReason | undefined;
  #latency: LatencyLevel = 0;
  #connection: Connection | undefined;
  #transport = 0;
  #retries = 0;
  #wasConnected = false;
  #lostAt = 0;
  #unacked = 0;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #pongTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #pingTimer: ReturnType<typeof setInterval>;
  readonly #latencyTimer: ReturnType<typeof setInterval>;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.#latencyTimer = setInterval(() => this.#checkLatency(), LATENCY_CHECK_MS);
    this.#connect();
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
    else if (this.#status === 'connected') this.#connection?.send(encoded);
  }

  /** Tries now instead of at the end of the wait: the network is back. */
  wake(): void {
    if (this.#retryTimer !== undefined) this.#connect();
  }

  close(): void {
    this.#die('client-close');
  }

  #connect(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    const { transports, query, config, events } = this.#options;
    const transport = transports[this.#transport];
    if (!transport) {
      this.#die('network-error');
      return;
    }
    const all = { ...query, chid: this.#id, msg_nr: String(this.#inbox.acknowledged), xid: randomId(16) };
    const reassembly = new Reassembly();
    this.#connectTimer = setTimeout(() => this.#lost(), config.wsSessionFoundMs);
    try {
      this.#connection = transport.open(new URLSearchParams(all), {
        found: () => this.#found(),
        notFound: () => this.#die('session-not-found'),
        closed: (final) => {
          if (final) this.#die('websocket-close');
          else this.#lost();
        },
        frame: (bytes) => {
          try {
            const connection = this.#connection;
            for (const entry of decodeFrame(bytes)) {
              const whole = reassembly.take(entry);
              if (whole && connection === this.#connection) this.#take(whole, transport.mode);
            }
          } catch (thrown) {
            events.fault(toAppError(thrown));
            this.#die('server-error');
          }
        },
      });
    } catch (cause) {
      events.fault(new AppError('websocket-create-failed', 'a connection could not be created', { cause }));
      this.#lost();
    }
  }

  #found(): void {
    clearTimeout(this.#connectTimer);
    this.#retries = 0;
    this.#wasConnected = true;
    this.#lostAt = 0;
    for (const { item } of this.#outbox.unacknowledged()) this.#connection?.send(item);
    this.#setStatus('connected');
    this.#ping();
  }

  /** @throws AppError when the entry is not what the protocol allows. */
  #take({ kind, body }: Entry, mode: Transport['mode']): void {
    if (kind === KIND.control) {
      this.#control(parseControl(decodeJson(body)), mode);
      return;
    }
    const message = decodeSequenced(body);
    const isNew = this.#inbox.accept(message.seq);
    this.#unacked += 1;
    if (this.#unacked >= ACK_EVERY) this.#acknowledge();
    else this.#ackTimer ??= setTimeout(() => this.#acknowledge(), ACK_DELAY_MS);
    if (!isNew) return;
    try {
      if (kind !== KIND.data) throw new AppError('bad-frame', `nobody takes frames of kind ${kind}`);
      this.#options.events.packet(message.lane, parsePacket(decodeJson(message.body)));
    } catch (thrown) {
      this.#options.events.fault(toAppError(thrown)); // one message of no use; those after it count
    }
  }

  #control({ ack, skip, ping_time, pong, bye }: Control, mode: Transport['mode']): void {
    if (ack !== undefined) this.#outbox.acknowledge(ack);
    if (skip !== undefined) this.#inbox.skip(skip); // the host has forgotten them, and sends its state anew
    if (ping_time !== undefined) this.#sendControl({ pong: ping_time });
    if (pong !== undefined) {
      clearTimeout(this.#pongTimer);
      this.#pongTimer = undefined;
      this.#options.events.roundTrip(Math.max(0, Date.now() - pong), mode);
    }
    if (bye !== undefined) this.#die('server-error');
  }

  #sendControl(control: Control): void {
    this.#connection?.send(JSON.stringify(control));
  }

  #acknowledge(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#unacked = 0;
    this.#sendControl({ ack: this.#inbox.acknowledged });
  }

  #ping(): void {
    if (this.#status !== 'connected') return;
    this.#sendControl({ ping_time: Date.now() });
    this.#pongTimer ??= setTimeout(() => this.#lost(), this.#options.config.pongTimeoutMs);
  }

  #checkLatency(): void {
    const oldest = this.#outbox.oldestAt();
    const age = oldest === undefined ? 0 : Date.now() - oldest;
    const threshold = this.#options.config.latencyNotificationMs;
    const level = age > threshold + LATENCY_STEP_MS ? 2 : age > threshold ? 1 : 0;
    if (level === this.#latency) return;
    this.#latency = level;
    this.#options.events.latency(level);
  }

  /** Leaves a connection that has gone or does not answer, and tries another one later. */
  #lost(): void {
    this.#disconnect();
    const { config, transports } = this.#options;
    this.#lostAt ||= Date.now();
    this.#retries += 1;
    if (this.#retries > (transports[this.#transport]?.mode === 'xhr' ? config.pollMaxRetries : config.wsMaxRetries)) {
      if (this.#transport + 1 < transports.length) {
        this.#transport += 1;
        this.#retries = 0;
      } else if (!this.#wasConnected) {
        this.#die('websock-startup-failed-and-no-xhr');
        return;
      } else if (Date.now() - this.#lostAt >= config.wsReconnectMs) {
        this.#die(transports.length > 1 ? 'network-error' : 'no-fallback-to-xhr');
        return;
      }
    }
    this.#setStatus('pending');
    const wait = Math.min(MAX_BACKOFF_MS, config.wsBackoffMs * 2 ** Math.max(0, this.#retries - 1));
    this.#retryTimer = setTimeout(() => this.#connect(), wait);
  }

  #disconnect(): void {
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#pongTimer);
    clearTimeout(this.#ackTimer);
    this.#pongTimer = this.#ackTimer = this.#retryTimer = undefined;
    this.#connection?.close();
    this.#connection = undefined;
  }

  #die(reason: DeathReason): void {
    if (this.#status === 'dead') return;
    this.#disconnect();
    clearInterval(this.#pingTimer);
    clearInterval(this.#latencyTimer);
    this.#reason = reason;
    this.#setStatus('dead');
  }

  #setStatus(status: ChannelStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.events.status(status, this.#reason);
  }
}
