import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { listen, playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance | undefined;
const sockets: WebSocket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.terminate();
  await gateway?.close();
});

/** Largest message that the gateway takes from a client at all, in bytes, and those that an address may send at once. */
const LARGE = 1024 * 1024 - 1;
const BURST = 32 * 1024 * 1024;

async function open(port: number, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/r/wsecho`, { headers });
  sockets.push(socket);
  await once(socket, 'open');
  return socket;
}

/** Answer to a message: its echo, or `closed`. */
async function said(socket: WebSocket, message: string): Promise<string> {
  const answer = Promise.race([
    once(socket, 'message').then(([data]) => String(data)),
    once(socket, 'close').then(() => 'closed'),
  ]);
  socket.send(message);
  return answer;
}

it('the echo answers a few short messages, and no more', async () => {
  gateway = await playedGateway();
  const port = await listen(gateway);
  const socket = await open(port);
  for (let nth = 1; nth <= 8; nth++) expect(await said(socket, `echo ${nth}`)).toBe(`echo ${nth}`);
  expect(await said(socket, 'echo 9')).toBe('closed');
});

it('the echo answers no long message', async () => {
  gateway = await playedGateway();
  const port = await listen(gateway);
  const socket = await open(port);
  expect(await said(socket, 'x'.repeat(1024))).toHaveLength(1024);
  expect(await said(socket, 'x'.repeat(1025))).toBe('closed');
});

it('the echo inflates nothing: it agrees on no compression', async () => {
  gateway = await playedGateway();
  const socket = await open(await listen(gateway));
  expect(socket.extensions).toBe('');
});

it('what is sent to the echo counts as what an address sends', async () => {
  vi.useFakeTimers({ toFake: ['performance'] }); // the allowance is not filled meanwhile
  gateway = await playedGateway({}, { trustedProxies: ['127.0.0.1'] });
  const port = await listen(gateway);
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  const report = (address: string): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/safeview-client-logger/clientevent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: '{"items":[]}',
    }).then(({ status }) => status);
  expect(await report('198.51.100.1')).toBe(200);
  // Sent at once, half as much again as the burst: the address then has to wait.
  const opened = await Promise.all(Array.from({ length: (BURST * 1.5) / LARGE }, () => open(port, headers)));
  await Promise.all(opened.map((socket) => said(socket, 'x'.repeat(LARGE))));
  expect(await report('198.51.100.1')).toBe(429);
  await expect(open(port, headers)).rejects.toThrow('429');
  expect(await report('198.51.100.2')).toBe(200);
});
