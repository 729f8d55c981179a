import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { etagOf, resourceHeaders } from '../../resources/resource-headers.ts';
import { playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance;
afterEach(() => gateway.close());

it('[S-034] answers 304 to a browser that has the bytes of a resource, and sends changed ones', async () => {
  let body = Buffer.from('first');
  gateway = await playedGateway({
    resource: async () => ({
      headers: resourceHeaders({ type: 'image/png', etag: etagOf(body), cacheControl: 'private, no-cache' }),
      size: body.length,
      body,
    }),
  });
  const get = (etag = '') =>
    gateway.inject({ url: '/c/i/a.b', headers: { host: 'localhost:7700', 'if-none-match': etag } });
  const first = await get();
  const etag = first.headers.etag ?? '';
  expect([first.statusCode, first.body]).toEqual([200, 'first']);
  const again = await get(etag);
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  expect(again.headers['cache-control']).toBe('private, no-cache');
  body = Buffer.from('second');
  const second = await get(etag);
  expect([second.statusCode, second.body]).toEqual([200, 'second']);
});

it.each([
  ['longer', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'],
  ['shorter', ''],
])(
  'cuts the connection of a body that is %s than its length: the rest would be the next answer',
  async (_what, rest) => {
    const more = Promise.withResolvers<undefined>();
    gateway = await playedGateway({
      resource: async () => ({
        headers: resourceHeaders({ type: 'image/png', etag: '"x"', cacheControl: 'private, no-store' }),
        size: rest === '' ? 5 : 4,
        body: {
          async *[Symbol.asyncIterator]() {
            yield Buffer.from('\x89PNG', 'latin1');
            await more.promise;
            if (rest !== '') yield Buffer.from(rest);
          },
          abort: () => undefined,
        },
      }),
    });
    await gateway.listen({ port: 0, host: '127.0.0.1' });
    const { port } = gateway.server.address() as AddressInfo; // it listens on TCP
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // it may be reset
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let heard = '';
    socket.on('data', (data: Buffer) => {
      heard += data.toString('latin1');
      if (!heard.endsWith('PNG')) return;
      socket.write('GET /safeview-client/boot.js HTTP/1.1\r\nhost: localhost\r\n\r\n');
      more.resolve(undefined);
    });
    socket.write('GET /c/i/token HTTP/1.1\r\nhost: localhost:7700\r\n\r\n');
    await closed;
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\x89PNG$/);
  },
);
