import type { Socket } from 'node:net';
import type { Destination } from './destination.ts';

/** A connection that nobody has taken for so long is closed, in ms: sites do not keep one for long that asks nothing either. */
const KEPT_MS = 3000;

/** Connections that are opened before they are asked for, one per destination, each taken once. */
export class AheadConnections {
  readonly #connect: (destination: Destination) => Promise<Socket>;
  readonly #opening = new Map<string, Promise<Socket>>();

  /** `connect` owns what it opens: it closes what is still open in the end. */
  constructor(connect: (destination: Destination) => Promise<Socket>) {
    this.#connect = connect;
  }

  /** Opens a connection, unless one waits already. A failure is left to whoever asks for the destination later. */
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

  /** The connection that waits for a destination, if it is still of use. */
  async take(destination: Destination): Promise<Socket | undefined> {
    const key = keyOf(destination);
    const opening = this.#opening.get(key);
    this.#opening.delete(key);
    const socket = await opening?.catch(() => undefined);
    // A site that has ended its side, or said something before it was asked, is asked on a new one.
    if (socket && (socket.destroyed || socket.bytesRead > 0 || socket.readableEnded)) socket.destroy();
    return socket?.destroyed === false ? socket : undefined;
  }
}

function keyOf({ host, port }: Destination): string {
  return `${host}:${port}`;
}
