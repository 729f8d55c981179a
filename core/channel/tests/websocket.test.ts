import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket as ServerSocket } from 'ws';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { SESSION_FOUND } from '../../protocol/wire.ts';
import { channelConfig } from '../config.ts';
import { longPoll } from '../long-poll.ts';
import { beginWebSocket, webSocketTransport } from '../websocket.ts';

const NAMES = { query: {}, received: () => 0 };

let server: WebSocketServer;
/** Acts of the host on the next connections, in order. */
let answers: ((socket: ServerSocket) => void)[];
let connections: number;

beforeEach(async () => {
  connections = 0;
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    answers[connections++]?.(socket);
  });
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

/** Opens the transport with a websocket that was begun before, once that has closed. Returns the list of what it tells. */
async function openAfterEnd(): Promise<unknown[]> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begun = beginWebSocket(origin, 'attempt=a');
  await once(begun.socket, 'close');
  const told: unknown[] = [];
  webSocketTransport(origin, begun).open(NAMES, {
    found: () => told.push('found'),
    notFound: () => told.push('not found'),
    frame: (bytes) => told.push([...bytes]),
    roundTrip: () => undefined,
    closed: (why) => told.push(why),
  });
  expect(told).toEqual([]);
  return told;
}

it('[M-073] tells what a websocket that was opened ahead has brought before the host has closed it', async () => {
  answers = [
    (socket) => {
      socket.send(SESSION_FOUND);
      socket.send(Uint8Array.of(1, 2));
      socket.close(1000, 'closed by its page');
    },
  ];
  const told = await openAfterEnd();
  await vi.waitFor(() => expect(told).toEqual(['found', [1, 2], 'network']), PATIENCE_MS);
  expect(connections).toBe(1);
});

it('[M-073] connects anew where it has brought nothing', async () => {
  answers = [(socket) => socket.close(), (socket) => socket.send(SESSION_FOUND)];
  const told = await openAfterEnd();
  await vi.waitFor(() => expect(told).toEqual(['found']), PATIENCE_MS);
  expect(connections).toBe(2);
});

it('[M-073] says that websockets pass where a text comes back from wsecho as it was, and not where another does', async () => {
  const paths: string[] = [];
  server.on('connection', (_socket, { url }) => paths.push(url?.split('?')[0] ?? ''));
  answers = [
    (socket) => socket.on('message', (text: Buffer) => socket.send(text.toString())),
    (socket) => socket.on('message', (text: Buffer) => socket.send(`${text.toString()} by a proxy`)),
  ];
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { websocketsPass } = longPoll({ origin, config: channelConfig(), isActive: () => true });
  expect([await websocketsPass?.(), await websocketsPass?.()]).toEqual([true, false]);
  expect(paths).toEqual(['/r/wsecho', '/r/wsecho']);
});
