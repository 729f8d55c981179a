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
