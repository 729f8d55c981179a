import type { Socket } from 'node:net';
import type { Destination } from './destination.ts';

/** Time after which an unused connection is closed, in ms: sites do not keep idle ones for long either. */
const KEPT_MS = 3000;

/** Connections that are opened in advance, one per destination, each used once. */
export class AheadConnections {
  readonly #connect: (destination: Destination) => Promise<Socket>;
  readonly #opening = new Map<string, Promise<Socket>>();

  /** `connect` owns the connections: it closes those that are still open at the end. */
  constructor(connect: (destination: Destination) => Promise<Socket>) {
    this.#connect = connect;
  }

  /** Opens a connection, unless one is already open. A failure is left to the next request for the destination. */
  open(destination: Destination): void {
    const key = keyOf(destination);
    if (this.#opening.has(key)) return;
    const opening = this.#connect(destination);
    this.#opening.set(key, opening);
    const drop = (): void => {
      if (this.#opening.get(key) !== opening) return;
      this.#opening.delete(key);
      opening.then((socket) => socket.destroy()).catch(() => undefined);
    };
    opening.catch(drop);
    setTimeout(drop, KEPT_MS).unref();
  }

  /** Returns the open connection for a destination, if it is still usable. */
  async take(destination: Destination): Promise<Socket | undefined> {
    const key = keyOf(destination);
    const opening = this.#opening.get(key);
    this.#opening.delete(key);
    const socket = await opening?.catch(() => undefined);
    // If a site has ended its side, or sent bytes first, a new connection is used.
    if (socket && (socket.destroyed || socket.bytesRead > 0 || socket.readableEnded)) socket.destroy();
    return socket?.destroyed === false ? socket : undefined;
  }
}

function keyOf({ host, port }: Destination): string {
  return `${host}:${port}`;
}
