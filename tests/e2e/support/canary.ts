import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A port that nothing uses: a connection to it was caused by a hostile page. */
export interface Canary {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** First lines of the received data; `connected` where nothing was sent. */
  readonly visits: readonly string[];
  close(): Promise<void>;
}

/** Starts a canary. Surrogates must not be allowed to reach it: then all visits are the person's browser's. */
export async function startCanary(): Promise<Canary> {
  const visits: string[] = [];
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    const at = visits.push('connected') - 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => {
      visits[at] = data.toString('latin1').split('\r\n')[0] ?? '';
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    origin: `http://${host}`,
    host,
    visits,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
