import type { Socket } from 'node:net';
import { AppError } from '../../../core/protocol/errors.ts';
import type { Destination } from './destination.ts';

/** Bounds of {@link Upstreams}. */
interface UpstreamLimits {
  /** Time without traffic after which a connection is closed, in ms. */
  readonly idleTimeoutMs: number;
  /** Connections that are open or being opened. */
  readonly max: number;
  /** Asked for room when there are so many: closes a connection that nothing uses. Returns whether there was one. */
  readonly closeUnused: () => boolean;
}

/** Connections of one surrogate to sites, with a total of their bytes. The caller closes it. */
export class Upstreams {
  readonly #connect: (destination: Destination) => Promise<Socket>;
  readonly #limits: UpstreamLimits;
  readonly #sockets = new Set<Socket>();
  /** Bytes of closed connections. */
  readonly #past = { bytesRead: 0, bytesWritten: 0 };
  #opening = 0;
  #closed = false;

  /** @param connect opens a connection to an address that was checked */
  constructor(connect: (destination: Destination) => Promise<Socket>, limits: UpstreamLimits) {
    this.#connect = connect;
    this.#limits = limits;
  }

  /** Bytes that came from sites. */
  get bytesIn(): number {
    return this.#sum('bytesRead');
  }

  /** Bytes that went to sites. */
  get bytesOut(): number {
    return this.#sum('bytesWritten');
  }

  /** Opens a connection; after the end it is closed immediately. @throws AppError `too-many-connections`, retryable, or as `connect`. */
  async open(destination: Destination): Promise<Socket> {
    const { idleTimeoutMs, max, closeUnused } = this.#limits;
    if (this.#sockets.size + this.#opening >= max && !closeUnused())
      throw new AppError('too-many-connections', 'Your pages have too many connections open.', { retryable: true });
    this.#opening += 1;
    const socket = await this.#connect(destination).finally(() => (this.#opening -= 1));
    this.#sockets.add(socket);
    socket.setTimeout(idleTimeoutMs);
    socket.on('timeout', () => socket.destroy(Object.assign(new Error('idle'), { code: 'ETIMEDOUT' })));
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#past.bytesRead += socket.bytesRead;
      this.#past.bytesWritten += socket.bytesWritten;
    });
    if (this.#closed) socket.destroy();
    return socket;
  }

  /** Ends all connections. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const socket of [...this.#sockets]) socket.destroy();
  }

  #sum(key: 'bytesRead' | 'bytesWritten'): number {
    let total = this.#past[key];
    for (const socket of this.#sockets) total += socket[key];
    return total;
  }
}
