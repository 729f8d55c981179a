import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluate, launch } from '../../../surrogate/tests/fixture.ts';
import type { Launched } from '../../../surrogate/tests/fixture.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import { FrameTree } from '../../page/frames.ts';
import { PageSessions } from '../../page/page-sessions.ts';
import { resourceCdp } from '../resource-cdp.ts';
import type { Frame } from '../../../contracts/frame.ts';
import type { PictureRules } from '../pictures.ts';
import { BodyTurns } from '../body-turns.ts';
import { ResourceStore } from '../resource-store.ts';
import { convertHere } from '../../../decoder/tests/in-process.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A service worker that answers for any site with a forged picture. */
const WORKER = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (!event.request.url.includes('/logo.png')) return;
    const bytes = Uint8Array.from(atob('${PNG.toString('base64')}') + 'forged', (char) => char.charCodeAt(0));
    event.respondWith(new Response(bytes, { headers: { 'content-type': 'image/png', 'cache-control': 'max-age=600' } }));
  });`;
const SHOW = `async () => {
  const image = new Image();
  image.src = logo;
  await image.decode();
  document.body.append(image);
}`;
/** A page that shows the picture once its service worker, if it has one, answers for it. */
const PAGE = `<!doctype html><link rel=icon href="data:,"><body><script>
  const logo = new URLSearchParams(location.search).get('logo');
  const shown = (async () => {
    if (location.hostname === 'localhost') {
      await navigator.serviceWorker.register('/worker.js');
      if (!navigator.serviceWorker.controller)
        await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
    }
    if (logo) await (${SHOW})();
    parent.postMessage('shown', '*');
    return 'shown';
  })();
</script>`;

const rules: PictureRules = { reencode: false, format: 'webp', quality: 80, max_side: undefined };
let inForce: PictureRules = rules;
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  const answer = (type: string, body: string | Buffer): void => {
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=600' }).end(body);
  };
  if (pathname === '/logo.png') answer('image/png', PNG);
  else if (pathname === '/still') answer('text/html', `<body><img src="${logo}">`);
  else if (pathname === '/worker.js') answer('text/javascript', WORKER);
  else answer('text/html', PAGE);
});
let launched: Launched;
let session: CdpSession;
let frames: FrameTree;
let store: ResourceStore;
/** Two sites, the first with a service worker, and a picture of a third. */
let [forger, victim, logo] = ['', '', ''];

const load = async (url: string): Promise<void> => {
  const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()));
  await session.send('Page.navigate', { url });
  await loaded;
};
const token = (frame = 1): string => store.token('i', logo, frame).split('.')[1] ?? '';
const bytes = async (mac: string): Promise<Buffer> => Buffer.from((await store.open('i', mac)).body);
const FORGED = Buffer.concat([PNG, Buffer.from('forged')]);

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens
  logo = `http://127.0.0.2:${port}/logo.png`;
  await new Promise<void>((listening) => other.listen(port, '127.0.0.2', listening));
  forger = `http://localhost:${port}/?logo=${encodeURIComponent(logo)}`;
  victim = `http://127.0.0.1:${port}/?logo=${encodeURIComponent(logo)}`;
  launched = await launch({}, { allowPrivate: true });
  session = await launched.open();
  const sessions = new PageSessions();
  frames = new FrameTree(sessions);
  store = new ResourceStore({
    tabKey: 'tab',
    convert: convertHere,
    turns: new BodyTurns(),
    spend: () => undefined,
    secret: randomBytes(32),
    cdp: resourceCdp(sessions, frames),
    pictures: () => inForce,
    mayRequest: () => true,
  });
  sessions.listen({ added: ({ session: each }) => void each.send('Network.enable', {}).catch(() => undefined) }); // gone again
  await sessions.openPage(session);
});
const other = http.createServer((request, response) => void server.emit('request', request, response));

afterAll(async () => {
  await launched.close();
  for (const each of [server, other]) {
    each.closeAllConnections();
    each.close();
  }
});

it('a site whose service worker answers for another one affects its own page only', async () => {
  await load(forger);
  await evaluate(session, 'shown');
  const first = token();
  expect(await bytes(first)).toEqual(FORGED);
  await load(victim);
  await evaluate(session, 'shown');
  const second = token();
  expect(second).not.toBe(first);
  expect(await bytes(second)).toEqual(PNG);
  // A token of the previous page is not answered with this page's response.
  await expect(store.open('i', first)).rejects.toMatchObject({ code: 'resource-not-found' });
  await load(forger);
  await evaluate(session, 'shown');
  expect(token()).toBe(first);
  expect(await bytes(first)).toEqual(FORGED);
});

it('frames and the pages around them do not affect each other', async () => {
  await load(victim.replace(/logo=.*/, ''));
  const shown = evaluate(session, `new Promise((done) => addEventListener('message', ({ data }) => done(data)))`);
  await evaluate(
    session,
    `void document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(forger)} }))`,
  );
  expect(await shown).toBe('shown');
  const frame = frames.all().find(({ parent }) => parent === 1)!.id;
  const [inside, outside] = [token(frame), token()];
  expect(inside).not.toBe(outside);
  expect(await bytes(inside)).toEqual(FORGED);
  expect(await bytes(outside)).toEqual(PNG);
  await evaluate(session, `(${SHOW.replace('logo', JSON.stringify(logo))})()`);
  expect([await bytes(token(frame)), await bytes(token())]).toEqual([FORGED, PNG]);
  // The same site as a page of its own has another partition.
  await load(forger);
  await evaluate(session, 'shown');
  expect([inside, outside]).not.toContain(token());
});

/** As the process of a frame could, had it been taken over: it names another origin than its own. */
function claims(frame: number, origin: string): void {
  const auxData = { frameId: frames.frameId(frame), isDefault: true, type: 'default' };
  const context = { id: 1_000_000, uniqueId: 'forged', name: '', origin, auxData };
  frames.sessionOf(frame)?.dispatch('Runtime.executionContextCreated', { context });
  expect(frames.get(frame)?.origin).toBe(origin);
}

it('[L5] a frame that claims the origin of the page around it has no say in the resources of that page', async () => {
  await load(victim.replace(/logo=.*/, ''));
  const shown = evaluate(session, `new Promise((done) => addEventListener('message', ({ data }) => done(data)))`);
  await evaluate(
    session,
    `void document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(forger)} }))`,
  );
  expect(await shown).toBe('shown');
  const outside = token();
  const frame = frames.all().find(({ parent }) => parent === 1)!.id;
  claims(frame, new URL(victim).origin);
  const inside = token(frame); // registered last
  expect(inside).not.toBe(outside);
  await expect(bytes(inside)).rejects.toMatchObject({ code: 'resource-not-found' });
  expect(await bytes(outside)).toEqual(PNG);
});

it('[L5] a page that claims the origin of another gives no resources to the one that comes after it', async () => {
  await load(forger);
  await evaluate(session, 'shown');
  claims(1, new URL(victim).origin);
  const claimed = token();
  // The person's browser would keep what it gets now.
  await expect(bytes(claimed)).rejects.toMatchObject({ code: 'resource-not-found' });
  await load(victim);
  await evaluate(session, 'shown');
  expect(token()).toBe(claimed);
  expect(await bytes(claimed)).toEqual(PNG);
});

it.each(['', 'allow-scripts', 'allow-same-origin'])(
  'a frame with the sandbox "%s" gets its resources',
  async (sandbox) => {
    await load(victim);
    const still = [victim, forger].map((url) => new URL('/still', url).href);
    await evaluate(
      session,
      `Promise.all(${JSON.stringify(still)}.map((src) => {
      const frame = Object.assign(document.createElement('iframe'), { src, sandbox: '${sandbox}' });
      const loaded = new Promise((done) => (frame.onload = done));
      document.body.append(frame);
      return loaded;
    })).then(() => 'loaded')`,
    );
    const inside = (): Frame[] => frames.all().filter(({ parent }) => parent === 1);
    await expect.poll(() => inside().map(({ url }) => url)).toEqual(still);
    for (const { id } of inside()) expect((await bytes(token(id))).subarray(0, PNG.length)).toEqual(PNG);
  },
);

it('opaque origins share with none, and blank documents get the resources of their page', async () => {
  await load(victim);
  await evaluate(
    session,
    `(async () => {
      const page = '<body><img src="${logo}">';
      for (const srcdoc of [page, page]) {
        const frame = Object.assign(document.createElement('iframe'), { srcdoc, sandbox: '' });
        const loaded = new Promise((done) => (frame.onload = done));
        document.body.append(frame);
        await loaded;
      }
      const blank = document.body.appendChild(document.createElement('iframe'));
      const image = new blank.contentWindow.Image();
      image.src = ${JSON.stringify(logo)};
      await image.decode();
      blank.contentDocument.body.append(image);
    })()`,
  );
  const inside = (): Frame[] => frames.all().filter(({ parent }) => parent === 1);
  // Frames that are targets of their own report their documents later.
  await expect.poll(() => inside().map(({ url }) => url)).toEqual(['about:srcdoc', 'about:srcdoc', 'about:blank']);
  const nested = inside();
  const tokens = nested.map(({ id }) => token(id));
  expect(nested.map(({ origin }) => origin === 'null')).toEqual([true, true, false]);
  expect(new Set([...tokens, token()]).size).toBe(3);
  expect(tokens[2]).toBe(token());
  for (const each of tokens) expect(await bytes(each)).toEqual(PNG);
});

it('pictures under changed settings have other tokens, and a late one is not cached', async () => {
  await load(victim);
  await evaluate(session, 'shown');
  const before = token();
  inForce = { ...rules, reencode: true };
  await Promise.resolve();
  const after = token();
  expect(after).not.toBe(before);
  const [late, made] = [await store.open('i', before), await store.open('i', after)];
  expect([late, made].map(({ headers }) => headers['content-type'])).toEqual(['image/webp', 'image/webp']);
  expect(late.headers['cache-control']).toBe('private, no-store');
  expect(made.headers['cache-control']).toMatch(/^private, max-age=\d+/);
  inForce = rules;
  await Promise.resolve();
  expect(token()).toBe(before);
});

it('resources of a page stay when other frames of its site that registered them are removed', async () => {
  await load(victim);
  await evaluate(session, 'shown');
  const named = token();
  await evaluate(session, `for (let n = 0; n < 5; n++) document.body.append(document.createElement('iframe'))`);
  const nested = frames.all().filter(({ parent }) => parent === 1);
  expect(nested.map(({ id }) => token(id))).toEqual(Array(5).fill(named));
  await evaluate(session, `document.querySelectorAll('iframe').forEach((frame) => frame.remove())`);
  expect(frames.all()).toHaveLength(1);
  expect(await bytes(named)).toEqual(PNG);
});
