import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PairAnswer } from '../../../core/protocol/pairing.ts';
import { PROTOCOL_VERSION } from '../../../core/protocol/wire.ts';
import type { Link } from '../../contracts/link.ts';
import { pairRequest } from '../../cell/tests/harness.ts';
import { loadAssets } from '../assets.ts';
import { playedGateway } from './played-gateway.ts';

const headers = { host: 'localhost:7700' };
let gateway: FastifyInstance;
let isReady: boolean;
let answer: PairAnswer;
let unpaired: string[];
const logged: object[] = [];
let lines: { readonly level: number; readonly msg: string }[];

beforeEach(async () => {
  isReady = true;
  unpaired = [];
  lines = [];
  answer = {};
  gateway = await playedGateway(
    {
      pair: async () => answer,
      unpair: async (_person, { safe_rid }) => void unpaired.push(safe_rid),
      ready: async () => isReady,
    },
    {
      events: { append: (event) => void logged.push(event), dropped: 0, removed: 0, flush: () => Promise.resolve() },
      log: pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }), // in pino's format
    },
  );
});
afterEach(() => gateway.close());

const get = (url: string) => gateway.inject({ method: 'GET', url, headers });
const post = (url: string, payload: object | string, type = 'application/json') =>
  gateway.inject({ method: 'POST', url, payload, headers: { ...headers, 'content-type': type } });

/** A worker that records which pages it is asked for. */
function askedPages() {
  const page: string[] = [];
  const answered = ({ url }: { readonly url: string }): Promise<PairAnswer> => {
    page.push(url);
    return Promise.resolve({});
  };
  const link: Pick<Link, 'pair' | 'repair'> = {
    pair: (_person, request) => answered(request),
    repair: (_person, _cid, request) => answered(request),
  };
  return { page, ...link };
}

describe('answers of the host', () => {
  it.each([
    '/mpa/a.b/https://site.test/',
    '/mpa/a%20b/__blank',
    '/mpa//https://site.test/',
    '/mpa/a/about',
    '/https://[::/',
    '/__blob/ftp/x/1',
  ])('[S-006] [M-012] says of a malformed path of pages that it is no address: %s', async (path) => {
    const { statusCode, body } = await get(path);
    expect([statusCode, body.includes(`<bdi>${path.slice(1)}</bdi>`)]).toEqual([400, true]);
  });

  it.each([
    ['/site.test', 'https://site.test/'],
    ['/site.test/a/b?c=d', 'https://site.test/a/b?c=d'],
    ['/site.test:8080/a', 'https://site.test:8080/a'],
    ['/%73ite.test/a', 'https://site.test/a'],
    ['/localhost:3000/a', 'http://localhost:3000/a'],
    ['/192.0.2.7/a', 'http://192.0.2.7/a'],
  ])('[S-006] opens a site that is typed without its scheme: %s', async (url, page) => {
    const typed = await gateway.inject({ url, headers: { ...headers, accept: 'text/html' } });
    expect([typed.statusCode, typed.headers.location]).toEqual([303, `/${page}`]);
    const opened = await gateway.inject({ url: `/${page}`, headers: { ...headers, accept: 'text/html' } });
    expect([opened.statusCode, opened.body.includes('data-session=')]).toEqual([200, true]);
    // A script or an image of such a name is asked for by a page, not by a person.
    expect((await gateway.inject({ url, headers: { ...headers, accept: 'image/*' } })).statusCode).toBe(404);
  });

  it('[S-006] shows what is no address in the bar of the portal', async () => {
    for (const typed of ['words', 'words/a.b']) {
      const shown = await gateway.inject({ url: `/${typed}`, headers: { ...headers, accept: 'text/html' } });
      expect([shown.statusCode, shown.body.includes(typed)]).toEqual([404, true]);
    }
  });

  it('[S-007] [S-034] serves every path of the specification, and no others', async () => {
    const pages = [
      '/safeview-template/sub_frame.html',
      '/safeview-template/frame_helper.html',
      '/safeview-template/cof.html?o=http://localhost:7700',
      '/safeview-template/ui.html',
      '/safeview-director/traffic-check',
    ];
    for (const url of pages) expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
    const sheet = await get('/safeview-static/css/shell.css');
    expect(sheet.statusCode).toBe(302);
    expect((await get(sheet.headers.location ?? '')).headers['content-type']).toMatch(/^text\/css/);
    expect((await post('/r/unpair', JSON.stringify({ safe_rid: 'safe' }), 'text/plain')).statusCode).toBe(200);
    expect(unpaired).toEqual(['safe']);
    expect((await post('/safeview-client-logger/clientevent', { items: [] })).statusCode).toBe(200);
    expect((await post('/safeview-client-logger/pingstats', { tlast: 5, mode: 'websocket' })).statusCode).toBe(200);
    expect(logged.at(-1)).toMatchObject({ event: 'pingstats', data: { tlast: 5, mode: 'websocket' } });
    for (const url of [
      '/safeview-static/css/none.css',
      '/safeview-static/css/..%2fmanifest.json',
      '/safeview-template/',
    ])
      expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
  });

  it('[S-114] accepts client events and returns their number, and refuses others', async () => {
    const item = { ctime: 1, event: 'tc-x', level: 'info', url: 'https://site.test/', data: { a: 1 } };
    const taken = await post('/safeview-client-logger/clientevent', { items: [item, item], url: 'u', host: 'h' });
    expect([taken.statusCode, taken.json()]).toEqual([200, { accepted: 2 }]);
    expect(logged.at(-1)).toMatchObject({ event: 'tc-x', data: { a: 1 } });
    expect((await post('/safeview-client-logger/clientevent', { items: [{}] })).statusCode).toBe(400);
    // Whose it is, and when it has come, only the host says.
    await post('/safeview-client-logger/clientevent', { items: [{ ...item, person: 'ben', at: 1 }] });
    expect(logged.at(-1)).not.toMatchObject({ person: 'ben' });
    expect(logged.at(-1)).not.toMatchObject({ at: 1 });
    expect((await post('/safeview-client-logger/other', { items: [] })).statusCode).toBe(404);
  });

  it('keeps a share of events of each person, and of each network, and counts the others', async () => {
    logged.length = 0;
    const item = { event: 'tc-x', data: 'x'.repeat(8000) };
    const send = async (from: string, cookie?: string): Promise<string> => {
      const { headers: sent } = await gateway.inject({
        method: 'POST',
        url: '/safeview-client-logger/clientevent',
        headers: { host: from === '127.0.0.1' ? headers.host : '203.0.113.1', ...(cookie !== undefined && { cookie }) },
        payload: { items: Array.from({ length: 100 }, () => item) },
        remoteAddress: from,
      });
      return String(sent['set-cookie']).split(';')[0] ?? '';
    };
    const anna = await send('127.0.0.1');
    const kept = logged.length;
    expect(kept).toBeGreaterThan(10);
    expect(kept).toBeLessThan(50);
    await send('127.0.0.1', anna);
    expect(logged).toHaveLength(kept);
    await send('127.0.0.1'); // somebody else
    expect(logged).toHaveLength(2 * kept);
    logged.length = 0;
    for (let count = 0; count < 20; count += 1) await send('203.0.113.9');
    expect(logged.length).toBeLessThan(10 * kept);
    const { body } = await get('/metrics');
    expect(body).toMatch(/^vitrine_faults_total\{from="client",code="events-dropped"\} [1-9]\d*$/m);
  });

  it('logs as many refused requests as one person may cause lines', async () => {
    const first = await get('/safeview-template/cof.html?o=none');
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    lines.length = 0;
    for (let count = 0; count < 3000; count += 1)
      await gateway.inject({ url: '/safeview-template/cof.html?o=none', headers: { ...headers, cookie } });
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThan(2000);
  });

  it('logs client events that report a fault of a plugin', async () => {
    const fault = {
      plugin: 'probe',
      version: '1.2.0',
      variant: 'next',
      code: 'internal',
      message: 'x'.repeat(1000),
      key: 1,
    };
    const item = { event: 'tc-plugin-failed', level: 'error', data: fault };
    const others = [
      { ...item, level: 'warning' },
      { ...item, data: { message: 'nobody' } },
      { ...item, data: { plugin: ['probe'] } },
      { ...item, data: 'probe' },
      { event: 'tc-x' },
    ];
    const send = (items: readonly object[]) => post('/safeview-client-logger/clientevent', { items });
    expect((await send([item, ...others])).statusCode).toBe(200);
    const told = (): unknown[] => lines.filter(({ msg }) => msg === 'plugin: failed in the client');
    expect(told()).toMatchObject([
      {
        level: 40,
        event: 'tc-plugin-failed',
        plugin: 'probe',
        version: '1.2.0',
        variant: 'next',
        code: 'internal',
        message: 'x'.repeat(500),
        from: 'client',
      },
    ]);
    expect(told()[0]).not.toHaveProperty('key');
    await send(Array.from({ length: 100 }, () => item));
    expect(told().length).toBeLessThan(30); // rate-limited
  });

  it('[S-116] answers the traffic check with go, or wait while it is full', async () => {
    expect((await get('/safeview-director/traffic-check')).body).toBe('go');
    isReady = false;
    const { body, headers: sent } = await get('/safeview-director/traffic-check');
    expect([body, sent['content-type'], sent['cache-control']]).toEqual([
      'wait',
      'text/plain; charset=utf-8',
      'no-store',
    ]);
  });

  it('answers a pair request with all fields', async () => {
    answer = {
      safe_rid: 'safe',
      cid: 'c',
      cluster_id: 'local',
      s_nid: 'n',
      rid: 'r',
      client_caps: { enable_reconnect_banner: true },
      pa_tok: 'p',
      login_url: 'https://login.test/',
      posture_url: 'https://posture.test/',
      direct_access: false,
      error: 'tab_limit',
      block: false,
      retry_nid: 'm',
      integrity_hosts: ['inspect.test'],
      inspect_host: 'inspect.test',
      use_integrity_token: true,
      sb: 'sb',
      customization: {},
      banner_hidden: true,
      reload_allowed: true,
      ui_frame_hash: 'hash',
    };
    const { statusCode, body, headers: sent } = await post('/r/pair', pairRequest('https://site.test/'));
    expect([statusCode, JSON.parse(body), sent['cache-control']]).toEqual([200, answer, 'no-store']);
  });

  it('[S-096] hands on the address of a page without the parameters of the service', async () => {
    const { page, ...played } = askedPages();
    const own = await playedGateway(played);
    const body = { ...pairRequest('https://site.test/?_sv_p_id=7&a=1&_sv_x#b'), safe_rid: 'safe', tab_id: 'tab' };
    for (const url of ['/r/pair', '/r/repair?cid=c'])
      expect((await own.inject({ method: 'POST', url, payload: body, headers })).statusCode).toBe(200);
    await own.close();
    expect(page).toEqual(['https://site.test/?a=1#b', 'https://site.test/?a=1#b']);
  });

  it.each(['/r/pair', '/r/repair?cid=c'])(
    'answers %s of a client with another protocol version, whatever else it sends',
    async (route) => {
      answer = { error: 'tab_limit' };
      for (const body of [
        { ...pairRequest('https://site.test/'), tc_api: PROTOCOL_VERSION + 1 },
        { tc_api: 1, x: [] },
      ]) {
        const { statusCode, body: said } = await post(route, body);
        expect([statusCode, JSON.parse(said)]).toEqual([200, { version: 'reload' }]);
      }
      expect((await post(route, { tc_api: PROTOCOL_VERSION })).statusCode).toBe(400);
    },
  );

  it('[R-083] serves the communication frame of a page, the sheet of the bar, and fonts of the build', async () => {
    const frame = await get('/safeview-template/comm_frame.html/https://site.test/a?b=%20#c');
    expect([frame.statusCode, frame.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(frame.body).toContain('data-vitrine-role="comm"');
    expect(frame.body).not.toContain('<script');
    expect(frame.headers['content-security-policy']).toContain("default-src 'none'");
    const sheet = await get('/safeview-static/css/snackbar.css');
    expect((await get(sheet.headers.location ?? '')).headers['content-type']).toMatch(/^text\/css/);

    const clientDir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-client-'));
    writeFileSync(path.join(clientDir, 'sign.woff2'), 'wOF2');
    const assets = await loadAssets(path.resolve(import.meta.dirname, '../../../dist'));
    const other = await playedGateway({}, { assets: { ...assets, clientDir } });
    const font = await other.inject({ method: 'GET', url: '/safeview-static/app/sign.woff2', headers });
    expect([font.statusCode, font.headers['content-type'], font.body]).toEqual([200, 'font/woff2', 'wOF2']);
    await other.close();
    rmSync(clientDir, { recursive: true });
  });
});

it('[S-035] has the configuration of the session in the shell', async () => {
  const configured = await playedGateway(
    {},
    { inspectOrigin: 'https://inspect.test:8443', clusterOrigin: 'https://cluster.test' },
  );
  const read = async (from: FastifyInstance): Promise<unknown> => {
    const { body } = await from.inject({ method: 'GET', url: '/https://site.test/', headers });
    return JSON.parse(Buffer.from(/data-session="([^"]+)"/.exec(body)?.[1] ?? '', 'base64').toString());
  };
  const common = {
    DEBUG: false,
    TC_API_VERSION: PROTOCOL_VERSION,
    TC_BUNDLED: true,
    BUILD_ID: expect.stringMatching(/./),
    HOST: 'localhost:7700',
    TPROXY_ENABLED: false,
    FRAMEBUST: { enabled: false, domains: [] },
  };
  expect(await read(configured)).toEqual({
    ...common,
    INSPECT_DOMAIN: 'inspect.test:8443',
    CLUSTER_DOMAIN: 'cluster.test',
  });
  await configured.close();
  expect(await read(gateway)).toEqual({
    ...common,
    INSPECT_DOMAIN: 'localhost:7700',
    CLUSTER_DOMAIN: 'localhost:7700',
  });
});

describe('helper frames', () => {
  const frame = async (origin: string, host = 'localhost:7700') => {
    const url = `/safeview-template/cof.html?o=${encodeURIComponent(origin)}`;
    return gateway.inject({ method: 'GET', url, headers: { host } });
  };

  it('accept the shells of this host, as their policy says', async () => {
    const { statusCode, headers: sent } = await frame('http://127.0.0.1:7700');
    expect(statusCode).toBe(200);
    expect(sent['content-security-policy']).toContain('frame-ancestors http://127.0.0.1:7700;');
  });

  it.each([
    'http://evil.example',
    'http://localhost:7701',
    'http://localhost:7700/path',
    'null',
    '*',
    "http://localhost:7700; script-src 'unsafe-inline'",
  ])('refuse shells of %s', async (origin) => {
    expect((await frame(origin)).statusCode).toBe(403);
  });
});
