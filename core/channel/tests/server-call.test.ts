import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { channelConfig } from '../config.ts';
import { longPoll } from '../long-poll.ts';
import { JSON_TEXT } from '../../protocol/json-text.ts';
import { CALL_TIMEOUT_MS, serverCaller } from '../server-call.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

let server: Server | undefined;
afterEach(() => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers as a test says, a caller for it, and what it has told of failures. */
async function start(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const made = (server = createServer(answer));
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const failed: [string, unknown][] = [];
  const origin = `http://127.0.0.1:${(made.address() as AddressInfo).port}`; // it listens on TCP
  return { call: serverCaller(origin, (label, { data }) => failed.push([label, data])), failed, made, origin };
}

describe('a call to the host', () => {
  it('[S-145] answers with JSON for status 200', async () => {
    const { call, failed } = await start((_request, response) => response.end('{"a":1}'));
    expect(await call({ label: 'test', path: '/r/x', body: {} })).toEqual({ a: 1 });
    expect(failed).toEqual([]);
  });

  it('sends a text after the JSON, apart from it', async () => {
    const asked: unknown[] = [];
    const { call } = await start((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        asked.push([request.headers['content-type'], body]);
        response.end('{}');
      });
    });
    await call({ label: 'test', path: '/r/x', body: { a: '\n' } });
    await call({ label: 'test', path: '/r/x', body: { a: '\n' }, text: '"b"\n€' });
    expect(asked).toEqual([
      ['application/json', '{"a":"\\n"}'],
      [JSON_TEXT, '{"a":"\\n"}\n"b"\n€'],
    ]);
  });

  it.each([201, 202, 204, 302, 400, 404, 500])('[S-145] fails for status %i, and says so once', async (status) => {
    const { call, failed } = await start((_request, response) => response.writeHead(status).end('{}'));
    await expect(call({ label: 'test', path: '/r/x', body: {} })).rejects.toMatchObject({ code: 'server-call-failed' });
    expect(failed).toEqual([['test', expect.objectContaining({ status })]]);
  });

  it('[S-145] fails when there is no answer in time, and when there is no server', async () => {
    const { call, failed, made } = await start(() => undefined);
    const asked = { label: 'test', path: '/r/x', body: {}, timeoutMs: 50 };
    await expect(call(asked)).rejects.toMatchObject({ code: 'server-call-failed' });
    made.closeAllConnections();
    await new Promise((resolve) => made.close(resolve));
    await expect(call(asked)).rejects.toMatchObject({ code: 'server-call-failed' });
    expect(failed).toEqual(Array(2).fill(['test', expect.objectContaining({ status: 0 })]));
  });

  it('[S-105] carries credentials to the host, as the calls of the long poll do', async () => {
    const sent = vi.spyOn(globalThis, 'fetch');
    const asked: string[] = [];
    const { call, origin } = await start(({ url }, response) => {
      asked.push(url?.split('?')[0] ?? '');
      response.end(url === '/r/x' ? '{}' : undefined);
    });
    await call({ label: 'test', path: '/r/x', body: {} });
    const polling = longPoll({ origin, config: channelConfig(), isActive: () => false });
    const closed = vi.fn();
    const events = { found: closed, notFound: closed, frame: closed, roundTrip: closed, closed };
    const connection = polling.open({ query: {}, received: () => 0 }, events);
    connection.send('[1]');
    await vi.waitFor(() => expect(asked.toSorted()).toEqual(['/r/p', '/r/push', '/r/x']), PATIENCE_MS);
    connection.close();
    // Other tests of this process may still have calls under way.
    const ours = sent.mock.calls.filter(([address]) => typeof address === 'string' && address.startsWith(origin));
    expect(ours.map(([, options]) => options?.credentials)).toEqual(['include', 'include', 'include']);
  });

  it('[S-145] has 15 s unless it says otherwise', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout');
    const { call } = await start((_request, response) => response.end('{}'));
    await call({ label: 'test', path: '/r/x', body: {} });
    await call({ label: 'test', path: '/r/x', body: {}, timeoutMs: 60_000 });
    // Other tests of this process may still have calls under way.
    expect(limit.mock.calls).toEqual(expect.arrayContaining([[CALL_TIMEOUT_MS], [60_000]]));
    expect(CALL_TIMEOUT_MS).toBe(15_000);
  });

  it('[S-145] gives up an answer that begins and never ends', async () => {
    const { call } = await start((_request, response) => response.writeHead(200).write('{'));
    await expect(call({ label: 'test', path: '/r/x', body: {}, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'server-call-failed',
    });
  });
});
