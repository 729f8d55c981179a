import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Connections } from '../connections.ts';
import { createMetrics } from '../metrics.ts';
import type { GatewayOptions } from '../server.ts';
import { listen, playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway?.close();
});

async function start(options: Partial<GatewayOptions>): Promise<number> {
  gateway = await playedGateway({}, options);
  return listen(gateway);
}

async function open(port: number, sent = ''): Promise<Socket> {
  const socket = net.connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

const request = (port: number, path = '/healthz', more = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${more}\r\n`;

/** The first line of the answer on a connection that stays, or all of it on one that ends. */
async function firstLine(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString().split('\r\n')[0] ?? '';
}

/** The answer to a request on a connection of its own, with the connection's end. */
async function ask(port: number): Promise<string> {
  return text(await open(port, request(port, '/healthz', 'connection: close\r\n')));
}

const HALF = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ';

describe('connections of one client address', () => {
  it('are bounded: those kept alive, half open, and websockets, and one that has ended makes room', async () => {
    const own = createMetrics();
    const port = await start({ isExposed: true, metrics: own, connections: { all: 100, address: 3 } });
    const kept = await open(port, request(port));
    expect(await firstLine(kept)).toContain(' 200 ');
    const half = await open(port, HALF);
    const websocket = new WebSocket(`ws://127.0.0.1:${port}/r/wsecho`, { origin: `http://127.0.0.1:${port}` });
    await once(websocket, 'open');

    const refused = await ask(port);
    expect(refused).toMatch(/^HTTP\/1\.1 429 .*retry-after: 10\r\n.*Too many connections/s);
    expect(await own.text()).toMatch(/^vitrine_connections 3$/m);
    expect(await own.text()).toContain('vitrine_faults_total{from="connection",code="too-many-of-address"} 1');
    // Those that there are go on.
    kept.write(request(port));
    expect(await firstLine(kept)).toContain(' 200 ');

    for (const end of [() => half.destroy(), () => websocket.terminate(), () => kept.destroy()]) {
      end();
      await expect.poll(() => ask(port)).toMatch(/^HTTP\/1\.1 200 /);
      await open(port, HALF); // takes the place
      await expect.poll(() => ask(port)).toMatch(/^HTTP\/1\.1 429 /);
    }
  });

  it('leave nothing behind: the address of one that has ended is free again', async () => {
    const port = await start({ isExposed: true, connections: { all: 100, address: 1 } });
    for (let times = 0; times < 3; times++) {
      await expect.poll(() => ask(port)).toMatch(/^HTTP\/1\.1 200 /);
      const only = await open(port, HALF);
      expect(await ask(port)).toMatch(/^HTTP\/1\.1 429 /);
      only.destroy();
    }
  });

  it('do not count against this machine’s own where nobody else reaches the host: twenty tabs with many each', async () => {
    const port = await start({});
    const many = await Promise.all(Array.from({ length: 1500 }, () => open(port, HALF)));
    expect(await ask(port)).toMatch(/^HTTP\/1\.1 200 /);
    expect(many.filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  it('do not count for a proxy that brings many clients', async () => {
    const port = await start({
      isExposed: true,
      trustedProxies: ['10.0.0.0/8', '127.0.0.1'],
      connections: { all: 100, address: 1 },
    });
    await open(port, HALF);
    await open(port, HALF);
    expect(await ask(port)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('connections of all clients are bounded, this machine’s own among them', async () => {
  const own = createMetrics();
  const port = await start({ metrics: own, connections: { all: 2, address: 100 } });
  await open(port, HALF);
  const second = await open(port, HALF);
  await expect.poll(() => ask(port)).toMatch(/^HTTP\/1\.1 503 /);
  expect(await own.text()).toContain('vitrine_faults_total{from="connection",code="too-many"}');
  second.destroy();
  await expect.poll(() => ask(port)).toMatch(/^HTTP\/1\.1 200 /);
});

it('the usual bound of one address is reached by a thousand connections, whatever they send', async () => {
  const port = await start({ isExposed: true });
  for (let opened = 0; opened < 1000; opened += 100)
    await Promise.all(Array.from({ length: 100 }, () => open(port, HALF)));
  await expect.poll(() => ask(port)).toMatch(/^HTTP\/1\.1 429 /);
});

it('a connection too many is cut off where it would have to be answered in TLS', async () => {
  const own = createMetrics();
  const connections = new Connections({ metrics: own, isExposed: true, connections: { all: 100, address: 1 } });
  const times = { keepAliveTimeout: 1000, requestTimeout: 1000, connectionTimeout: 1000 };
  const server = connections.server(() => undefined, times, {});
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const first = await open(port);
  expect(await text(await open(port))).toBe('');
  expect(first.destroyed).toBe(false);
  expect(await own.text()).toContain('code="too-many-of-address"} 1');
});

describe('requests that are sent ahead of their answers', () => {
  it('are answered in order, a few of them', async () => {
    const port = await start({});
    const paths = ['/healthz', '/readyz', '/nothing', '/healthz'];
    const last = request(port, '/', 'connection: close\r\n');
    const answers = await text(await open(port, paths.map((path) => request(port, path)).join('') + last));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([200, 200, 404, 200, 200].map((code) => `HTTP/1.1 ${code}`));
  });

  it('end their connection when they are many: neither is the rest of them answered nor parsed', async () => {
    const own = createMetrics();
    const port = await start({ metrics: own });
    let parsed = 0;
    gateway?.server.on('request', () => (parsed += 1));
    const flood = await open(port);
    const ended = new Promise((resolve) => flood.once('close', resolve));
    flood.resume().write(request(port).repeat(10_000));
    await ended;
    expect(await ask(port)).toMatch(/^HTTP\/1\.1 200 /);
    const counts = await own.text();
    expect(counts).toContain('vitrine_faults_total{from="connection",code="too-many-requests-ahead"} 1');
    const answered = /^vitrine_http_requests_total\{route="\/healthz",status="200"\} (\d+)$/m.exec(counts)?.[1];
    expect(Number(answered)).toBeLessThanOrEqual(8 + 1);
    expect(parsed).toBeLessThan(100);
  });
});

describe('a body', () => {
  const post = (port: number, body: string): string =>
    `POST /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const BODY = 'x'.repeat(400_000);

  it('is parsed in larger and larger slices, and what follows the next request in small ones', async () => {
    let parsed = 0;
    const sizes: number[] = [];
    const port = await start({});
    gateway?.server.on('request', (request: IncomingMessage) => {
      parsed += 1;
      if (request.method === 'POST') request.on('data', (chunk: Buffer) => sizes.push(chunk.length));
    });
    const socket = await open(port, post(port, BODY));
    await expect.poll(() => sizes.reduce((sum, size) => sum + size, 0)).toBe(BODY.length);
    expect(sizes[0]).toBeLessThanOrEqual(2048);
    expect(Math.max(...sizes)).toBeGreaterThan(16 * 1024);
    const before = parsed;
    socket.write(request(port));
    await expect.poll(() => parsed).toBe(before + 1);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().write(request(port).repeat(10_000));
    await ended;
    expect(parsed).toBeLessThan(100);
  });

  it('lets no more requests of one packet be parsed than have had its bytes before', async () => {
    let parsed = 0;
    const own = createMetrics();
    const port = await start({ metrics: own });
    gateway?.server.on('request', () => (parsed += 1));
    const flood = await open(port);
    const ended = new Promise((resolve) => flood.once('close', resolve));
    flood.resume().write(post(port, BODY) + request(port).repeat(20_000));
    await ended;
    expect(parsed).toBeLessThan(2000); // those of one slice of 64 KiB, of some 45 bytes each
    expect(await own.text()).toContain('vitrine_faults_total{from="connection",code="too-many-requests-ahead"} 1');
  });
});
