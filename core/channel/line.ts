import { AppError } from '../protocol/errors.ts';
import { MAX_BACKOFF_MS, STABLE_MS, WS_AGAIN_MAX_MS, WS_AGAIN_MS } from './config.ts';
import type { ChannelConfig } from './config.ts';
import { randomId } from './random-id.ts';
import type { ChannelNames, Connection, Ended, Transport } from './transport.ts';

/** Why a channel has died: these and no others (M-044). */
export type DeathReason =
  | 'session-not-found'
  | 'client-close'
  | 'websocket-close'
  | 'network-error'
  | 'server-error'
  | 'no-fallback-to-xhr'
  | 'websock-startup-failed-and-no-xhr';

/** Events that a line reports to its channel. */
interface LineEvents {
  /** A connection is there, and the host knows the session. */
  found(): void;
  frame(bytes: Uint8Array): void;
  roundTrip(ms: number): void;
  /** The connection is gone; another one is being made. */
  lost(): void;
  /** There will be no other. */
  dead(reason: DeathReason): void;
  /** The browser refused to create a connection; the line goes on. */
  fault(fault: AppError): void;
}

/** Options of a line. */
interface LineOptions {
  readonly config: ChannelConfig;
  readonly websocket: Transport;
  /** Used when the websocket fails; left out where polling is not allowed. */
  readonly poll?: Transport;
  readonly names: ChannelNames;
  readonly events: LineEvents;
}

/**
 * The changing connection below a channel. It begins with a websocket; one that is not answered in time, or fails too often, gives way
 * to the long poll (M-003), and comes back when an echo says that websockets pass again: what failed may have been the network.
 */
export class Line {
  readonly #options: LineOptions;
  #transport: Transport;
  #connection: Connection | undefined;
  #retries = 0;
  #wasFound = false;
  #lostAt = 0;
  #foundAt = 0;
  #lastEnd: Ended = 'network';
  #againMs = WS_AGAIN_MS;
  #isDead = false;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #foundTimer: ReturnType<typeof setTimeout> | undefined;
  #againTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#transport = options.websocket;
  }

  /** Names of the channel in its requests. */
  get names(): ChannelNames {
    return this.#options.names;
  }

  get mode(): Transport['mode'] {
    return this.#transport.mode;
  }

  /** Makes a connection, now instead of at the end of a wait. */
  connect(): void {
    if (this.#isDead || this.#connection) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    const { names, config, events } = this.#options;
    const transport = this.#transport;
    const isSocket = transport.mode === 'websocket';
    // A poll has time limits of its own.
    if (isSocket) this.#foundTimer = setTimeout(() => this.lost(true), config.wsSessionFoundMs);
    let connection: Connection | undefined;
    const isCurrent = (): boolean => !this.#isDead && (!connection || connection === this.#connection);
    try {
      connection = transport.open(
        { ...names, query: { ...names.query, xid: randomId(16) } },
        {
          found: () => {
            if (isCurrent()) this.#found();
          },
          notFound: () => this.#die('session-not-found'),
          frame: (bytes) => {
            if (isCurrent()) events.frame(bytes);
          },
          roundTrip: (ms) => events.roundTrip(ms),
          closed: (why) => {
            this.#lastEnd = why;
            if (why === 'final') this.#die('websocket-close');
            else this.lost(false);
          },
        },
      );
      this.#connection = connection;
    } catch (cause) {
      events.fault(new AppError('websocket-create-failed', 'a connection could not be created', { cause }));
      this.lost(false);
    }
  }

  send(text: string): void {
    this.#connection?.send(text);
  }

  /** The network is back, or the person: does now what it waits to do. */
  wake(): void {
    if (this.#retryTimer !== undefined) this.connect();
    this.#connection?.wake?.();
  }

  /** Leaves a connection that is gone, or that is `silent`: open and without the answer that is due. */
  lost(silent: boolean): void {
    if (this.#isDead) return;
    this.#disconnect();
    const { config, poll, events } = this.#options;
    const now = Date.now();
    const lasted = this.#foundAt > 0 ? now - this.#foundAt : 0;
    this.#foundAt = 0;
    if (lasted >= STABLE_MS) this.#retries = 0;
    if (lasted >= WS_AGAIN_MAX_MS) this.#againMs = WS_AGAIN_MS;
    this.#lostAt ||= now;
    this.#retries += 1;
    const isSocket = this.mode === 'websocket';
    const isTooOften = this.#retries > (isSocket ? config.wsMaxRetries : config.pollMaxRetries);
    let wait = Math.min(MAX_BACKOFF_MS, config.wsBackoffMs * 2 ** Math.max(0, this.#retries - 1));
    if (isSocket && poll && (silent || isTooOften)) {
      this.#transport = poll;
      this.#retries = 0;
      wait = 0;
    } else if (isTooOften) {
      const isOver = now - this.#lostAt >= config.wsReconnectMs;
      if (!this.#wasFound || isOver) {
        this.#die(this.#lossReason());
        return;
      }
    }
    events.lost();
    this.#retryTimer = setTimeout(() => this.connect(), wait);
  }

  /** Ends the line without telling. */
  close(): void {
    this.#isDead = true;
    this.#disconnect();
  }

  #lossReason(): DeathReason {
    if (!this.#options.poll) return this.#wasFound ? 'no-fallback-to-xhr' : 'websock-startup-failed-and-no-xhr';
    return this.#lastEnd === 'server' ? 'server-error' : 'network-error';
  }

  #found(): void {
    clearTimeout(this.#foundTimer);
    this.#lostAt = 0;
    this.#foundAt = Date.now();
    this.#wasFound = true;
    this.#lastEnd = 'network';
    if (this.mode === 'xhr') this.#againTimer = setTimeout(() => void this.#tryWebsocket(), this.#againMs);
    this.#options.events.found();
  }

  async #tryWebsocket(): Promise<void> {
    const connection = this.#connection;
    this.#againMs = Math.min(WS_AGAIN_MAX_MS, this.#againMs * 2);
    const passes = await this.#transport.websocketsPass?.();
    if (connection !== this.#connection || this.#isDead) return;
    if (passes) {
      this.#disconnect();
      this.#transport = this.#options.websocket;
      this.#retries = this.#foundAt = 0;
      this.#options.events.lost();
      this.connect();
    } else this.#againTimer = setTimeout(() => void this.#tryWebsocket(), this.#againMs);
  }

  #disconnect(): void {
    for (const timer of [this.#retryTimer, this.#foundTimer, this.#againTimer]) clearTimeout(timer);
    this.#retryTimer = this.#foundTimer = this.#againTimer = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
  }

  #die(reason: DeathReason): void {
    if (this.#isDead) return;
    this.close();
    this.#options.events.dead(reason);
  }
}
