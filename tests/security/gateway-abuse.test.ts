import http from 'node:http';
import type { Duplex } from 'node:stream';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_BASE, PLUGIN_BASE } from '../../host/build/base.ts';
import { pairRequest } from '../../host/cell/tests/harness.ts';
import { closing } from './raw-person.ts';
import type { RawPerson } from './raw-person.ts';
import { useStage } from './stage.ts';
import { UPGRADE } from './websocket-bytes.ts';

const stage = useStage();

interface Answer {
  readonly status: number;
  readonly code: unknown;
}

/** Sends a request with headers that `fetch` would not send. */
async function ask(method: string, target: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const request = http.request(`${stage().host.origin}/`, { method, path: target, headers, agent: false });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.once('upgrade', (answer: http.IncomingMessage, socket: Duplex) => {
      socket.destroy();
      resolve(answer);
    });
    request.end(method === 'POST' ? '{}' : undefined);
  });
  let body = '';
  if (response.statusCode !== 101) for await (const chunk of response) body += String(chunk);
  const code: unknown = body.startsWith('{') ? (JSON.parse(body) as { code?: unknown }).code : undefined;
  return { status: response.statusCode ?? 0, code };
}

const JSON_BODY = { 'content-type': 'application/json' };
const [clientFile = ''] = globSync('*.js', { cwd: path.resolve(import.meta.dirname, '../../dist/client') });
const ROUTES: readonly (readonly [method: string, target: string, headers?: Readonly<Record<string, string>>])[] = [
  ['GET', '/'],
  ['GET', '/?q=example.com'],
  ['GET', '/https://site.test/'],
  ['GET', '/mpa/x/https://site.test/'],
  ['POST', '/https://site.test/'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['POST', '/r/pair', JSON_BODY],
  ['POST', '/r/repair?cid=x', JSON_BODY],
  ['POST', '/r/unpair', JSON_BODY],
  ['POST', '/r/p?cid=x&tab_id=x&chid=x&msg_nr=0', JSON_BODY],
  ['POST', '/r/push?cid=x&tab_id=x&chid=x', JSON_BODY],
  ['POST', '/r/policy/query', JSON_BODY],
  ['GET', '/r/websocket?cid=x&tab_id=x&chid=x&msg_nr=0', UPGRADE],
  ['GET', '/r/wsecho', UPGRADE],
  ['GET', '/c/i/a.b'],
  ['GET', '/safeview-template/ui.html'],
  ['GET', '/safeview-template/view/html-standards'],
  ['POST', '/safeview-client-logger/clientevent', JSON_BODY],
  ['POST', '/safeview-client-logger/pingstats', JSON_BODY],
  ['GET', CLIENT_BASE + clientFile],
  ['GET', `${PLUGIN_BASE}x/y.js`],
  ['GET', '/nothing'],
  ['OPTIONS', '/r/pair'],
  ['PUT', '/'],
];

/** Counts the requests that are refused with a code. */
const refusals = (code: string): Promise<() => Promise<number>> =>
  stage().counter(`vitrine_faults_total{from="request",code="${code}"}`);

describe('a foreign site', () => {
  it.each([
    ['rebinds its name', { host: 'evil.test' }, 421, 'foreign-host'],
    ['says another origin', { origin: 'https://evil.test' }, 403, 'foreign-origin'],
    ['has no origin to say', { origin: 'null' }, 403, 'foreign-origin'],
    ['embeds or fetches', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403, 'cross-site'],
    [
      'shows it in a frame',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
      'cross-site',
    ],
  ])('gets no data from any route when it %s', async (_what, headers, status, code) => {
    const counted = await refusals(code);
    const answers = await Promise.all(
      ROUTES.map(([method, target, more]) =>
        ask(method, target, {
          cookie: stage().anna.cookie,
          host: new URL(stage().host.origin).host,
          ...more,
          ...headers,
        }),
      ),
    );
    expect(answers).toEqual(ROUTES.map(() => ({ status, code })));
    expect(await counted()).toBe(ROUTES.length);
  });

  it('is not needed for them to answer', async () => {
    for (const [method, target, more] of ROUTES)
      expect(String((await ask(method, target, { cookie: 'x', ...more })).code), target).not.toMatch(
        /^foreign-|^cross-/,
      );
  });
});

describe('another person', () => {
  const stolen = (): Record<string, string> => ({
    cid: stage().anna.answer.cid ?? '',
    tab_id: stage().anna.answer.tab_id ?? '',
  });
  const post = (who: RawPerson, target: string, body: unknown): Promise<Response> =>
    who.request(target, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) });

  it('[M-077] gets session-not-found when it attaches by the ids of one', async () => {
    const socket = stage().ben.socket(stolen());
    const texts: string[] = [];
    socket.on('message', (data: Buffer, isBinary) => texts.push(isBinary ? 'bytes' : data.toString()));
    expect(await closing(socket)).toEqual({ code: 4404, reason: 'session not found' });
    expect(texts).toEqual(['session_not_found']);
    await stage().anna.expectWorking();
  });

  it('[S-108][S-115] can neither take over a tab nor end it, even with its ids', async () => {
    const counted = await refusals('session-not-found');
    const { safe_rid, cid, tab_id } = stage().anna.answer;
    const names = { ...pairRequest(`${stage().site.origin}/`), safe_rid, tab_id };
    for (const [target, body] of [
      [`/r/repair?cid=${cid}`, names],
      [`/r/repair?cid=${stage().ben.answer.cid}`, names],
      ['/r/unpair', { safe_rid }],
      [`/r/unpair?cid=${cid}`, { safe_rid, tab_id }],
    ] as const) {
      const response = await post(stage().ben, target, body);
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'session-not-found' }]);
    }
    expect(await counted()).toBe(4);
    expect((await post(stage().anna, `/r/repair?cid=${cid}`, names)).status).toBe(200);
    await stage().anna.expectWorking();
  });

  it('[S-034] gets no pictures by token', async () => {
    const counted = await refusals('resource-not-found');
    const { anna } = stage();
    const tokens = (): string[] =>
      anna.batches.flatMap(({ batch }) => batch.strings.filter((text) => text.startsWith('/c/i/')));
    await anna.until(() => tokens().length > 0, 'the picture of the page');
    const token = tokens()[0] ?? '';
    expect((await stage().anna.request(token)).status).toBe(200);
    const [, , , full = ''] = token.split('/');
    const [tab = '', secret = ''] = full.split('.');
    const guesses = [
      `/c/i/${tab}.${'A'.repeat(secret.length)}`,
      `/c/i/${tab}.`,
      `/c/i/.${secret}`,
      `/c/s/${full}`,
      '/c/i/..%2f..',
      `/c/i/${full}x`,
    ];
    expect((await stage().ben.request(token)).status).toBe(404);
    expect((await fetch(stage().host.origin + token)).status).toBe(404);
    for (const guess of guesses) expect([guess, (await stage().anna.request(guess)).status]).toEqual([guess, 404]);
    expect(await counted()).toBe(2 + guesses.length);
  });

  it('gets no identity from a forged cookie', async () => {
    const [name = '', value = ''] = stage().anna.cookie.split('=');
    const [subject = '', signature = ''] = value.split('.');
    for (const forged of [
      subject,
      `${subject}.`,
      `${subject}.${signature.slice(1)}A`,
      `${subject}.${signature}.x`,
      `${subject}x.${signature}`,
    ]) {
      const response = await fetch(`${stage().host.origin}/r/repair?cid=${stage().anna.answer.cid}`, {
        method: 'POST',
        headers: { ...JSON_BODY, cookie: `${name}=${forged}` },
        body: JSON.stringify({
          ...pairRequest(`${stage().site.origin}/`),
          ...stolen(),
          safe_rid: stage().anna.answer.safe_rid,
        }),
      });
      expect(response.status).toBe(404);
    }
  });
});

describe('an invalid body', () => {
  const depth = 80_000; // within the largest pair request
  it.each([
    ['no JSON', '{'],
    ['another shape', '{"url":1}'],
    ['nothing', ''],
    ['deep', `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['deep where anything may be', `{"persistent_policy":${'['.repeat(depth)}${']'.repeat(depth)}}`],
    ['poisoned', '{"__proto__":{"url":"x"}}'],
  ])('is refused: %s', async (_what, body) => {
    const counted = await refusals('bad-message');
    const response = await stage().anna.request('/r/pair', { method: 'POST', headers: JSON_BODY, body });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad-message' }]);
    expect(await counted()).toBe(1);
  });

  it('is refused by its length, before it arrives', async () => {
    const counted = await refusals('message-too-large');
    const headers = { ...JSON_BODY, cookie: stage().anna.cookie, 'content-length': String(2 ** 30) };
    expect(await ask('POST', '/r/pair', headers)).toEqual({ status: 413, code: 'message-too-large' });
    expect(await counted()).toBe(1);
  });

  it('is refused if its type is not supported', async () => {
    const headers = { 'content-type': 'application/xml' };
    const response = await stage().anna.request('/r/pair', { method: 'POST', headers, body: '<x/>' });
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'message-type' }]);
  });
});
