import type { Socket } from 'node:net';
import type { Destination } from './destination.ts';

/** Connections of one surrogate to sites, with a total of their bytes. The caller closes it. */
export class Upstreams {
  readonly #connect: (destination: Destination) => Promise<Socket>;
  readonly #idleTimeoutMs: number;
  readonly #sockets = new Set<Socket>();
  /** Bytes of closed connections. */
  readonly #past = { bytesRead: 0, bytesWritten: 0 };
  #closed = false;

  /**
   * @param connect opens a connection to an address that was checked
   * @param idleTimeoutMs time without traffic after which a connection is closed
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

  /** Opens a connection; after the end it is closed immediately. @throws as `connect`. */
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
