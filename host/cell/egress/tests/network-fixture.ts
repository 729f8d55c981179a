import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { createEgress, type Egress, type EgressOptions } from '../egress.ts';
import { silent } from '../../../surrogate/tests/fixture.ts';

/** Resources that the running test has opened, closed after it in reverse order. */
export const open: { close(): unknown }[] = [];

/** Closes, after each test of the calling file, what it has opened. */
export function useNetwork(): void {
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
}

export async function egress(options: Partial<EgressOptions> = {}): Promise<Egress> {
  const created = await createEgress({ log: silent, ...options });
  open.push(created);
  return created;
}

/** A server on loopback; the handler may take the socket. */
export async function tcp(onSocket: (socket: net.Socket) => void, host = '127.0.0.1'): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push(server);
  return (server.address() as AddressInfo).port; // it listens on TCP
}

export async function site(handler: http.RequestListener): Promise<number> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  return (server.address() as AddressInfo).port; // it listens on TCP
}

/** A port that accepts no connection: its process is stopped and its queue is full, so the kernel drops packets. */
export async function deaf(): Promise<number> {
  const script =
    'const s = require("net").createServer(); s.listen(0, "127.0.0.1", 1, () => console.log(s.address().port))';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer]; // a stream without an encoding
  child.kill('SIGSTOP');
  const port = Number(line);
  const fillers = Array.from({ length: 8 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
  open.push({
    close() {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
    },
  });
  await delay(50);
  return port;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends a plain request as a browser does through its proxy. */
export function get(through: Egress, url: string, options: http.RequestOptions = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: through.port, path: url, ...options }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers, rawHeaders } = response;
        resolve({ status, headers, rawHeaders, body: Buffer.concat(parts).toString() });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Returns the status and headers of a CONNECT, and its socket. */
export function connect(
  through: Egress,
  authority: string,
): Promise<{ status: number; code: unknown; socket: net.Socket }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: through.port, method: 'CONNECT', path: authority });
    request.on('connect', (response, socket) => {
      socket.on('error', () => {});
      open.push({ close: () => socket.destroy() });
      // Over TCP it is one.
      resolve({
        status: response.statusCode ?? 0,
        code: response.headers['x-vitrine-egress'],
        socket: socket,
      });
    });
    request.on('error', reject);
    request.end();
  });
}

export const hello: http.RequestListener = (_request, response) => response.end('hello');
