import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { AskedShell } from '../../contracts/link.ts';
import { personCookies } from '../person.ts';
import { playedGateway, SECRET } from './played-gateway.ts';

const COOKIE = `vitrine_person=${personCookies(SECRET).of('anna')}`;
const PAGE = 'https://site.test/page';
const NAVIGATION = { host: 'localhost', cookie: COOKIE, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };

describe('a request for a shell', () => {
  const expected: [string, AskedShell][] = [];
  let gateway: FastifyInstance;
  beforeAll(async () => {
    gateway = await playedGateway({ expect: ({ subject }, shell) => void expected.push([subject, shell]) });
  });
  afterAll(() => gateway.close());
  const ask = async (
    headers: Readonly<Record<string, string>>,
    method: 'GET' | 'POST' = 'GET',
    url = `/${PAGE}`,
  ): Promise<typeof expected> => {
    expected.length = 0;
    const { statusCode } = await gateway.inject({ method, url, headers });
    expect(statusCode).toBe(200);
    return expected.slice();
  };

  it('by a known person prewarms the tab', async () => {
    const headers = { ...NAVIGATION, 'user-agent': 'Browser/1', referer: 'https://search.test/' };
    const referrer = 'https://search.test/';
    const shell = { url: PAGE, userAgent: 'Browser/1', referrer, docHeaders: {}, isNew: true };
    expect(await ask(headers)).toEqual([['anna', shell]]);
    const [[, fromHere] = []] = await ask({ ...headers, referer: 'http://localhost/https://other.test/' });
    expect(fromHere).toEqual({ ...shell, referrer: 'http://localhost/https://other.test/' }); // the cell tells no site of it
    const [[, typed] = []] = await ask({ ...headers, 'sec-fetch-site': 'none' });
    expect(typed).toEqual({ ...shell, docHeaders: { 'sec-fetch-site': 'none' } });
  });

  it.each([
    ['as a paired tab leaves its page', { cookie: `${COOKIE}; vitrine_leaving=1` }, ''],
    ['by a window that another page has opened', {}, '/mpa/m1'],
    ['by a person who wants it isolated in any case', {}, '', '?_sv_force_isolate=1'],
  ])('%s is not treated as a new tab', async (_what, headers, before, query = '') => {
    const [[, shell] = []] = await ask({ ...NAVIGATION, ...headers }, 'GET', `${before}/${PAGE}${query}`);
    expect(shell).toMatchObject({ url: PAGE, isNew: false });
  });

  it.each([
    ['by an unknown person', { cookie: '' }],
    ['by one who reloads, whose tab is paired', { 'cache-control': 'max-age=0' }],
    ['as a prefetch', { 'sec-purpose': 'prefetch' }],
    ['for a frame', { 'sec-fetch-dest': 'iframe' }],
  ])('%s does not', async (_what, headers) => {
    expect(await ask({ ...NAVIGATION, ...headers })).toEqual([]);
  });

  it('with a form does not, nor does a path without a page', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    expect(await ask({ ...NAVIGATION, ...form }, 'POST')).toEqual([]);
    await gateway.inject({ url: '/http://', headers: NAVIGATION });
    expect(expected).toEqual([]);
  });
});
