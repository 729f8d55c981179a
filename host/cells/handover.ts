import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { RunAs } from '../surrogate/unprivileged.ts';

/** A unix socket's address has 108 bytes, the last one zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/** A socket that accepts one connection. */
export interface Handover {
  readonly socketPath: string;
  /**
   * The connection, paused: nothing has been read. Rejects with `not-connected` at the deadline, and when cancelled.
   */
  readonly connection: Promise<net.Socket>;
  cancel(): void;
}

/**
 * Listens on a unix socket for one connection, in a folder of its own that only `connector` may enter. Socket and
 * folder are removed after the first connection or the deadline.
 *
 * @param connector user that connects; undefined: the launcher's own user.
 */
export async function listenOnce(folder: string, connector: RunAs | undefined, deadlineMs: number): Promise<Handover> {
  const own = path.join(folder, randomBytes(8).toString('hex'));
  const socketPath = path.join(own, 's');
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new AppError('launcher-failed', `The path of a socket is too long: ${socketPath}`);
  await mkdir(own, { mode: 0o700 });
  const server = net.createServer({ pauseOnConnect: true });
  try {
    server.listen(socketPath);
    await once(server, 'listening');
    if (connector) {
      // The folder belongs to the launcher: the other user may pass through it but create nothing in it.
      await chown(socketPath, connector.uid, connector.gid);
      await chmod(socketPath, 0o600);
      await chown(own, 0, connector.gid);
      await chmod(own, 0o710);
    }
  } catch (error) {
    server.close();
    await rm(own, { recursive: true, force: true });
    throw error;
  }
  const over = new AbortController();
  const connection = new Promise<net.Socket>((resolve, reject) => {
    const late = setTimeout(() => over.abort(), deadlineMs);
    onAbort(over.signal, () => {
      reject(new AppError('not-connected', 'No connection before the deadline.'));
      clearTimeout(late);
      server.close();
    });
    server.once('connection', (socket) => {
      clearTimeout(late);
      server.on('connection', (second) => second.destroy());
      server.close();
      resolve(socket);
    });
  }).finally(() => rm(own, { recursive: true, force: true }));
  connection.catch(() => undefined); // the awaiting caller gets the rejection
  return { socketPath, connection, cancel: () => over.abort() };
}
