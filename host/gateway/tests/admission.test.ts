import { afterEach, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { Writable } from 'node:stream';
import pino from 'pino';
import { admission } from '../admission.ts';
import { integrityTokens } from '../integrity-tokens.ts';
import { listen, playedGateway, SECRET } from './played-gateway.ts';

const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };
const own = admission(SECRET);

let gateway: FastifyInstance | undefined;
afterEach(() => gateway?.close());

interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: object;
}

/** Sends a request of a browser that reaches the host by its address. */
function ask(url: string, { method = 'GET', headers = {}, payload }: Asked = {}) {
  return gateway!.inject({
    method,
    url,
    headers: { host: '203.0.113.1:7700', ...headers },
    ...(payload && { payload }),
  });
}

/** Cookie header of an answer's cookies. */
function cookiesOf({
  cookies,
}: {
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

describe('the token of a host', () => {
  it('[M4] is the same after a restart, of another host another, and nothing else is taken for it', () => {
    expect(admission(SECRET).link).toBe(own.link);
    const token = new URL(own.link, 'http://x').searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const other = new URL(admission(new Uint8Array(32).fill(1)).link, 'http://x').searchParams.get('token') ?? '';
    expect(own.isToken(token)).toBe(true);
    for (const wrong of [other, '', `${token}x`, token.slice(1), undefined, [token], token.toUpperCase()])
      expect(own.isToken(wrong)).toBe(false);
  });

  it('[M4] gives cookies that admit for a year, and that nobody else can make', () => {
    let now = 1_000_000;
    const at = admission(SECRET, () => now);
    const value = at.issue();
    expect(at.admits(value)).toBe(true);
    expect(at.issue()).not.toBe(value);
    const [random, until = '', signature] = value.split('.');
    for (const forged of [
      `${random}.${Number(until) + 1}.${signature}`,
      `${random}.${until}.`,
      '',
      undefined,
      `${value}x`,
    ])
      expect(at.admits(forged)).toBe(false);
    expect(admission(new Uint8Array(32).fill(1), () => now).admits(value)).toBe(false);
    now += 366 * 24 * 3600 * 1000;
    expect(at.admits(value)).toBe(false);
  });
});

describe('a host that admits browsers', () => {
  const EVERYTHING: readonly (readonly [method: 'GET' | 'POST', url: string])[] = [
    ['GET', '/'],
    ['GET', '/https://site.test/'],
    ['POST', '/https://site.test/'],
    ['POST', '/r/pair'],
    ['POST', '/r/repair'],
    ['POST', '/r/unpair'],
    ['POST', '/r/p'],
    ['POST', '/r/push'],
    ['POST', '/r/policy/query'],
    ['POST', '/r/policy/bypass'],
    ['GET', '/r/print'],
    ['POST', '/c/up'],
    ['GET', '/c/i/x.y'],
    ['POST', '/safeview-client-logger/clientevent'],
    ['POST', '/safeview-client-logger/pingstats'],
    ['GET', '/safeview-director/traffic-check'],
    ['POST', '/safeview-auth-server/check'],
    ['POST', '/safeview-auth-server/do_itok_auth'],
    ['GET', '/safeview-template/ui.html'],
    ['GET', '/safeview-template/view/html-standards'],
    ['GET', '/safeview-template/cof.html?o=http://203.0.113.1:7700'],
    ['GET', '/safeview-static/app/manifest.json'],
    ['GET', '/metrics'],
    ['GET', '/nothing'],
  ];

  it.each(EVERYTHING)(
    '[M4] refuses %s %s of a browser without admission, and gives it no person',
    async (method, url) => {
      gateway = await playedGateway({}, { admission: own, isExposed: true, routes: ['GET /r/print'] });
      const answer = await ask(url, { method, ...(method === 'POST' && { payload: {} }) });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ code: 'not-admitted' });
      expect(answer.cookies).toEqual([]);
    },
  );

  it('[M4] refuses websockets before they open', async () => {
    gateway = await playedGateway({}, { admission: own, isExposed: true });
    const port = await listen(gateway);
    for (const path of ['/r/websocket?cid=a&tab_id=b&chid=c&msg_nr=0', '/r/wsecho']) {
      const status = await new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
        socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
        socket.once('open', () => resolve('open'));
        socket.on('error', () => undefined);
      });
      expect(status).toBe(403);
    }
  });

  it('[M4] says to a person what to do, without a word of the token', async () => {
    gateway = await playedGateway({}, { admission: own, isExposed: true });
    for (const url of [
      '/',
      '/https://site.test/',
      '/nothing',
      '/vitrine-admission?token=wrong',
      '/vitrine-admission',
    ]) {
      const answer = await ask(url, { headers: NAVIGATION });
      expect(answer.statusCode).toBe(403);
      expect(answer.headers['content-type']).toContain('text/html');
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).toContain('not admitted');
      expect(answer.body).not.toContain(own.link.slice(-20));
      expect(answer.cookies.filter(({ name }) => name.includes('admission'))).toEqual([]);
    }
  });

  it('[M4] admits a browser by the link, leads it away from the token, and then serves it', async () => {
    gateway = await playedGateway({}, { admission: own, isExposed: true });
    const answer = await ask(own.link, { headers: NAVIGATION });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const cookie = answer.cookies.find(({ name }) => name === 'vitrine_admission');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    const headers = { ...NAVIGATION, cookie: cookiesOf(answer) };
    expect((await ask('/', { headers })).statusCode).toBe(200);
    expect((await ask('/https://site.test/', { headers })).body).toContain('vitrine-session-info');
    const event = { method: 'POST', headers, payload: { items: [] } } as const;
    expect((await ask('/safeview-client-logger/clientevent', event)).statusCode).toBe(200);
  });

  it('[M4] leaves the ways of load balancers open', async () => {
    gateway = await playedGateway({}, { admission: own, isExposed: true });
    expect((await ask('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await ask('/readyz')).statusCode).toBe(200);
  });

  it('[M4] asks for nothing where everybody may use it, and its old link leads to the start', async () => {
    gateway = await playedGateway({}, { isExposed: true });
    expect((await ask('/', { headers: NAVIGATION })).statusCode).toBe(200);
    const answer = await ask(own.link, { headers: NAVIGATION });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
  });

  it('[M4] admits a person to its other hosts with the sign-in of the helper frame', async () => {
    const inspect = 'inspect.test';
    gateway = await playedGateway({}, { admission: own, isExposed: true, inspectOrigin: `http://${inspect}` });
    const headers = { host: inspect };
    const helper = `/safeview-template/cof.html?o=http://${inspect}`;
    expect((await ask(helper, { headers })).statusCode).toBe(200);
    const frame = { ...headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect((await ask('/r/policy/query', { method: 'POST', headers, payload: {} })).statusCode).toBe(403);
    expect((await ask('/safeview-static/app/manifest.json', { headers: frame })).statusCode).toBe(403);
    expect((await ask('/safeview-static/app/manifest.json', { headers })).statusCode).toBe(200);

    const sb = integrityTokens(SECRET).blob('anna');
    const check = await ask('/safeview-auth-server/check', { method: 'POST', headers, payload: { sb } });
    const { redirects } = check.json<{ redirects: { itok: string; tok_s: string; host: string }[] }>();
    const redeemed = await ask('/safeview-auth-server/do_itok_auth', {
      method: 'POST',
      headers,
      payload: redirects[0]!,
    });
    expect(redeemed.json()).toEqual({ use_inspect_host: true });
    const admitted = { ...headers, cookie: cookiesOf(redeemed) };
    const again = await ask('/safeview-auth-server/check', { method: 'POST', headers: admitted, payload: { sb } });
    expect(again.json()).toMatchObject({ success: true, redirects: [] });
    const query = { url: 'https://site.test/', policy_keys: [] };
    expect((await ask('/r/policy/query', { method: 'POST', headers: admitted, payload: query })).statusCode).toBe(200);
  });

  it('[L8] writes no token and no id of a session to its log', async () => {
    let written = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk);
        done();
      },
    });
    gateway = await playedGateway({}, { admission: own, isExposed: true, log: pino({ level: 'trace' }, sink) });
    await ask(own.link);
    await ask(own.link.slice(0, -1));
    await ask('/c/i/TOKEN.TOKEN?rid=TOKEN');
    const admitted = { cookie: cookiesOf(await ask(own.link)) };
    for (const url of ['/r/push?cid=TOKEN&tab_id=TOKEN&chid=TOKEN&msg_nr=1&xid=TOKEN', '/r/repair?cid=TOKEN&rid=TOKEN'])
      await ask(url, { method: 'POST', headers: admitted, payload: { tab_id: 'TOKEN', safe_rid: 'TOKEN' } });
    await ask('/c/i/TOKEN.TOKEN', { headers: admitted });
    const action = { url: 'https://site.test/', tab_id: 'TOKEN', safe_rid: 'TOKEN' };
    await ask('/r/policy/bypass', { method: 'POST', headers: admitted, payload: action });
    expect(written).toContain('"route":"/r/push"');
    expect(written).not.toContain('TOKEN');
    expect(written).not.toContain(own.link.slice(-30));
  });
});

describe('a host that is reached by https', () => {
  const PUBLIC = { host: 'vitrine.test', ...NAVIGATION };

  it('[L8] has cookies of this very host alone, over https alone, and says so to browsers, behind a proxy too', async () => {
    gateway = await playedGateway({}, { admission: own, isExposed: true, origins: ['https://vitrine.test'] });
    const answer = await ask(own.link, { headers: PUBLIC });
    expect(answer.cookies.map(({ name, secure, httpOnly, path }) => [name, secure, httpOnly, path])).toEqual([
      ['__Host-vitrine_person', true, true, '/'],
      ['__Host-vitrine_admission', true, true, '/'],
    ]);
    expect(answer.cookies.every((cookie) => !('domain' in cookie))).toBe(true);
    expect(answer.headers['strict-transport-security']).toBe(`max-age=${365 * 24 * 3600}`);
    const headers = { ...PUBLIC, cookie: cookiesOf(answer) };
    const next = await ask('/', { headers });
    expect([next.statusCode, next.cookies]).toEqual([200, []]);
    // A neighbour under the same domain could set these: they are not taken.
    const plain = { ...PUBLIC, cookie: headers.cookie.replaceAll('__Host-', '') };
    expect((await ask('/', { headers: plain })).statusCode).toBe(403);
  });

  it('[L8] leaves its plain name and the names of this machine alone', async () => {
    gateway = await playedGateway({}, { origins: ['https://vitrine.test', 'https://localhost'] });
    const plain = await ask('/', { headers: { ...NAVIGATION, host: 'localhost:7700' } });
    expect(plain.cookies.map(({ name, secure }) => [name, secure])).toEqual([['vitrine_person', undefined]]);
    expect(plain.headers).not.toHaveProperty('strict-transport-security');
    const local = await ask('/', { headers: { ...NAVIGATION, host: 'localhost' } });
    expect(local.cookies[0]?.name).toBe('__Host-vitrine_person');
    expect(local.headers).not.toHaveProperty('strict-transport-security');
  });
});
