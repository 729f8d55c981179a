import type { Socket } from 'node:net';
import type { Destination } from './destination.ts';

/** The connections of one surrogate to sites, and the bytes of all that it ever had. Whoever made it closes it. */
export class Upstreams {
  readonly #connect: (destination: Destination) => Promise<Socket>;
  readonly #idleTimeoutMs: number;
  readonly #sockets = new Set<Socket>();
  /** Bytes of connections that are over. */
  readonly #past = { bytesRead: 0, bytesWritten: 0 };
  #closed = false;

  /**
   * @param connect opens a connection to an address that was checked
   * @param idleTimeoutMs a connection on which nothing moves for so long is closed
   */
  constructor(connect: (destination: Destination) => Promise<Socket>, idleTimeoutMs: number) {
    this.#connect = connect;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** Bytes that came from sites. */
  get bytesIn(): number {
    return this.#sum('bytesRead');
  }

  /** Bytes that went to sites. */
  get bytesOut(): number {
    return this.#sum('bytesWritten');
  }

  /** Opens a connection; one that comes after the end is closed at once. @throws as `connect`. */
  async open(destination: Destination): Promise<Socket> {
    const socket = await this.#connect(destination);
    this.#sockets.add(socket);
    socket.setTimeout(this.#idleTimeoutMs);
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
