import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { personCookies } from '../person.ts';
import { playedGateway, SECRET } from './played-gateway.ts';

const COOKIE = `vitrine_person=${personCookies(SECRET).of('anna')}`;
const NAVIGATION = { host: 'localhost', cookie: COOKIE, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };

describe('a shell that is asked for', () => {
  const expected: [string, string][] = [];
  let gateway: FastifyInstance;
  beforeAll(async () => {
    gateway = await playedGateway({ expect: ({ subject }, url) => void expected.push([subject, url]) });
  });
  afterAll(() => gateway.close());
  const ask = async (headers: Readonly<Record<string, string>>, method: 'GET' | 'POST' = 'GET') => {
    expected.length = 0;
    const { statusCode } = await gateway.inject({ method, url: '/https://site.test/page', headers });
    expect(statusCode).toBe(200);
    return expected.slice();
  };

  it('by a person who is known lets the worker expect the tab', async () => {
    expect(await ask(NAVIGATION)).toEqual([['anna', 'https://site.test/page']]);
  });

  it.each([
    ['by nobody we know', { cookie: '' }],
    ['by one who reloads, whose tab is paired', { 'cache-control': 'max-age=0' }],
    ['ahead of need', { 'sec-purpose': 'prefetch' }],
    ['for a frame', { 'sec-fetch-dest': 'iframe' }],
  ])('%s does not', async (_what, headers) => {
    expect(await ask({ ...NAVIGATION, ...headers })).toEqual([]);
  });

  it('with a form does not, nor does a path that names no page', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    expect(await ask({ ...NAVIGATION, ...form }, 'POST')).toEqual([]);
    await gateway.inject({ url: '/http://', headers: NAVIGATION });
    expect(expected).toEqual([]);
  });
});
