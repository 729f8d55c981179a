import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Both ends of a connection over a unix socket, as the gateway and a cell have them. */
export async function unixSocketPair(): Promise<readonly [net.Socket, net.Socket]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-link-'));
  const address = path.join(folder, 's');
  const server = net.createServer();
  try {
    server.listen(address);
    await once(server, 'listening');
    const near = net.connect(address);
    const [[far]] = await Promise.all([once(server, 'connection') as Promise<[net.Socket]>, once(near, 'connect')]);
    return [near, far];
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
