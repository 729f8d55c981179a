import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { evaluate, launch } from '../../../surrogate/tests/fixture.ts';
import type { Launched } from '../../../surrogate/tests/fixture.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import { FrameTree } from '../../page/frames.ts';
import { PageSessions } from '../../page/page-sessions.ts';
import { resourceCdp } from '../resource-cdp.ts';
import { pictureSize } from '../../../resources/picture-size.ts';
import type { PictureRules } from '../pictures.ts';
import { BodyTurns, MAX_CONCURRENT } from '../body-turns.ts';
import { ResourceStore } from '../resource-store.ts';
import { convertHere } from '../../../decoder/tests/in-process.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Time in which the surrogate may request what the person's browser has asked for first, in ms (`body-source.ts`). */
const FOLLOWING_MS = 3000;
/** A picture with much behind it, that compresses well. */
const LARGE = Buffer.concat([PNG, Buffer.alloc(1_000_000)]);
const AS_IS = { reencode: false, format: 'webp', quality: 80, max_side: undefined } as const;
let rules: PictureRules = AS_IS;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  served.push(`${pathname}${request.headers.cookie ? ' with cookie' : ''}`);
  const answer = (type: string, body: string | Buffer, headers: Record<string, string> = {}): void => {
    response.writeHead(200, { 'content-type': type, ...headers });
    response.end(body);
  };
  if (pathname === '/') {
    answer(
      'text/html',
      '<link rel=icon href="data:,"><img src="/a.png"><img src="/redirect"><img src="/passing"><img src="/kept.png"><img src="/long.png"><p style="background:url(/icon.svg)">x',
      {
        'set-cookie': 'session=1',
      },
    );
  } else if (pathname === '/blocked') {
    answer('text/html', '<img src="/policy.png">', { 'content-security-policy': "img-src 'none'" });
  } else if (pathname === '/slow.png') slow = () => answer('image/png', PNG);
  else if (pathname === '/redirect') response.writeHead(302, { location: '/no-store.png' }).end();
  else if (pathname === '/passing')
    response.writeHead(302, { location: '/kept.png', 'cache-control': 'no-store' }).end();
  else if (pathname === '/kept.png') answer('image/png', PNG, { 'cache-control': 'max-age=600' });
  else if (pathname === '/long.png') answer('image/png', PNG, { 'cache-control': 'max-age=7200' });
  else if (pathname === '/changing.png')
    answer('image/png', Buffer.concat([PNG, Buffer.from(String(changes++))]), { 'cache-control': 'no-cache' });
  else if (pathname === '/no-store.png') answer('image/png', PNG, { 'cache-control': 'no-store' });
  else if (pathname.endsWith('.png')) answer('text/plain', PNG);
  else if (pathname === '/icon.svg') answer('image/svg+xml', SVG);
  else if (pathname === '/large') answer('image/png', LARGE, { 'cache-control': 'no-store' });
  else if (pathname === '/page') answer('image/png', '<!doctype html><script>alert(1)</script>');
  else if (pathname === '/missing') response.writeHead(404).end(PNG);
  else response.destroy();
});
let served: string[] = [];
let changes = 0;
/** Answers a request that waits for it. */
let slow: (() => void) | undefined;
let site: string;
let launched: Launched;
let session: CdpSession;
let store: ResourceStore;
const turns = new BodyTurns();
let mayRequest = true;

/** Opens a page and waits for its end. */
const load = async (url: string): Promise<void> => {
  const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()));
  await session.send('Page.navigate', { url });
  await loaded;
};
const open = (address: string, kind: 'i' | 'f' | 'm' = 'i'): ReturnType<ResourceStore['open']> =>
  store.open(kind, store.token(kind, new URL(address, site).href, 1).split('.')[1] ?? '');

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  launched = await launch({}, { allowPrivate: true });
  session = await launched.open();
  const sessions = new PageSessions();
  const frames = new FrameTree(sessions);
  store = new ResourceStore({
    tabKey: 'tab',
    convert: convertHere,
    turns,
    spend: () => undefined,
    secret: randomBytes(32),
    cdp: resourceCdp(sessions, frames),
    pictures: () => rules,
    mayRequest: () => mayRequest,
  });
  void sessions.openPage(session);
  await session.send('Network.enable', {
    maxTotalBufferSize: 64 * 1024 * 1024,
    maxResourceBufferSize: 32 * 1024 * 1024,
  });
  await load(site);
});

afterAll(async () => {
  await launched.close();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  served = [];
});

describe('resources', () => {
  it('[S-034] come from the surrogate’s earlier responses, with their sniffed type', async () => {
    const answer = await open('a.png');
    expect(Buffer.from(answer.body)).toEqual(PNG);
    expect(answer).toMatchObject({
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        etag: expect.stringMatching(/^"[\w-]{43}"$/) as string,
      },
    });
    expect(served).toEqual([]);
  });

  it.each([
    ['a.png', 'private, no-cache'],
    ['kept.png', 'private, max-age=600, immutable'],
    ['long.png', 'private, max-age=3600, immutable'],
    ['redirect', 'private, no-store'],
    ['passing', 'private, no-store'],
    ['print.png?fetched', 'private, no-cache'],
    ['kept.png?fetched', 'private, max-age=600, immutable'],
    [`data:;base64,${PNG.toString('base64')}`, 'private, max-age=3600, immutable'],
  ])('are cached no longer than in the surrogate: %s', async (address, control) => {
    const told = (await open(address)).headers['cache-control'] ?? '';
    const seconds = (text: string): number => Number(/max-age=(\d+)/.exec(text)?.[1] ?? 0);
    expect(told.replace(/\d+/, 'n')).toBe(control.replace(/\d+/, 'n'));
    expect(seconds(told)).toBeGreaterThanOrEqual(seconds(control) - 60); // some have passed
    expect(seconds(told)).toBeLessThanOrEqual(seconds(control));
  });

  it('that the surrogate has fetched again are served anew', async () => {
    const show = (): Promise<unknown> =>
      evaluate(
        session,
        `(async () => { const image = new Image; image.src = '/changing.png'; await image.decode(); document.body.append(image); })()`,
      );
    await show();
    const first = await open('changing.png');
    await load(site);
    await show();
    const second = await open('changing.png');
    expect([first, second].map(({ headers }) => headers['cache-control'])).toEqual([
      'private, no-cache',
      'private, no-cache',
    ]);
    expect(second.headers['etag']).not.toBe(first.headers['etag']);
  });

  it('are sandboxed if they are SVG', async () => {
    const { headers, body } = await open('icon.svg');
    expect(Buffer.from(body).toString()).toBe(SVG);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(served).toEqual([]);
  });

  it('that are being loaded are awaited, and not requested twice', async () => {
    await evaluate(session, `document.body.append(Object.assign(new Image, {src: '/slow.png'}))`);
    await expect.poll(() => slow).toBeDefined();
    const opening = [open('slow.png'), open('slow.png')] as const;
    await evaluate(session, '0'); // the events of the request have come by then
    slow?.();
    const [one, two] = await Promise.all(opening);
    expect(one.body.length).toBe(PNG.length);
    expect(two).toBe(one);
    expect(served.filter((path) => path.startsWith('/slow.png'))).toHaveLength(1);
  });

  it('[M7] take as much of the cell’s room as the surrogate has received, while they are read', async () => {
    const take = vi.spyOn(turns.room, 'take');
    await evaluate(session, `new Promise((done) => Object.assign(new Image(), { src: '/large', onload: done }))`);
    expect((await open('large')).body).toHaveLength(LARGE.length);
    expect(take.mock.calls.map(([, bytes]) => bytes)).toEqual([LARGE.length]);
    take.mockRestore();
  });

  it('that the surrogate has not loaded are fetched from within the page, with its credentials', async () => {
    expect((await open('print.png')).headers['content-type']).toBe('image/png');
    expect(served).toEqual(['/print.png with cookie']);
  });

  describe('that the surrogate has not requested', () => {
    /** Ends of the waits for a request of the surrogate: time does not. */
    let waits: (() => void)[];
    beforeEach(() => {
      mayRequest = false;
      waits = [];
      const start = globalThis.setTimeout;
      vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...given: unknown[]) =>
        ms === FOLLOWING_MS ? waits.push(run) && undefined : start(run, ms, ...given)) as typeof setTimeout);
    });
    afterEach(() => {
      mayRequest = true;
      vi.restoreAllMocks();
    });
    const waiting = (count: number): Promise<void> => expect.poll(() => waits.length).toBeGreaterThanOrEqual(count);

    it('[M8] are not requested for the person’s device unless the policy allows it', async () => {
      const refused = open('print.png?device');
      await waiting(1);
      waits[0]?.();
      await expect(refused).rejects.toMatchObject({ code: 'resource-not-found' });
      expect(served).toEqual([]);
      mayRequest = true;
      expect((await open('print.png?device')).headers['content-type']).toBe('image/png');
      expect(served).toEqual(['/print.png with cookie']);
    });

    it('[M8] are awaited for a moment: a hover reaches the surrogate later than the person’s view', async () => {
      const opening = open('hover.png');
      await waiting(1); // the time in which a request begins is over
      await evaluate(session, `void Object.assign(new Image(), { src: '/hover.png' })`);
      expect(Buffer.from((await opening).body)).toEqual(PNG);
      expect(served).toEqual(['/hover.png with cookie']);
    });

    it('are requested where browsers request them by themselves', async () => {
      const mac = store.token('i', new URL('icon.png', site).href, 1).split('.')[1] ?? '';
      store.requestAsBrowser(mac);
      expect((await store.open('i', mac)).headers['content-type']).toBe('image/png');
      expect(served).toEqual(['/icon.png with cookie']);
    });

    it('[M8] do not keep others waiting while they are awaited', async () => {
      const awaited = Array.from({ length: MAX_CONCURRENT + 6 }, (_, at) =>
        open(`absent${at}.png`).catch(() => 'none'),
      );
      expect(Buffer.from((await Promise.race([open('a.png').then(({ body }) => body), ...awaited])) as Buffer)).toEqual(
        PNG,
      );
      await waiting(awaited.length);
      for (const end of waits) end();
      expect(new Set(await Promise.all(awaited))).toEqual(new Set(['none']));
      expect(served).toEqual([]);
    });
  });

  it('that only the page has are read from it', async () => {
    const blob = await evaluate<string>(
      session,
      `(async () => {
        const address = URL.createObjectURL(new Blob([${JSON.stringify(SVG)}], {type: 'image/svg+xml'}));
        await Object.assign(new Image, {src: address}).decode();
        document.body.append(Object.assign(new Image, {src: address}));
        return address;
      })()`,
    );
    expect(Buffer.from((await open(blob)).body).toString()).toBe(SVG);
    await expect(open(`blob:${site}unknown`)).rejects.toMatchObject({ code: 'resource-not-found' });
  });

  it('that the page may not read are not served either', async () => {
    await load(`${site}blocked`);
    await expect(open('policy.png')).rejects.toMatchObject({ code: 'resource-not-found' });
    expect(served).not.toContain('/policy.png with cookie');
  });

  it('of data addresses are decoded', async () => {
    expect(Buffer.from((await open(`data:text/html,${encodeURIComponent(SVG)}`)).body).toString()).toBe(SVG);
    expect(Buffer.from((await open(`data:;base64,${PNG.toString('base64')}`)).body)).toEqual(PNG);
    await expect(open('data:text/html,<p>x')).rejects.toMatchObject({ code: 'resource-type' });
  });

  it.each([
    ['page', 'i', 'resource-type'],
    ['a.png', 'f', 'resource-type'],
    ['a.png', 'm', 'resource-type'],
    ['missing', 'i', 'resource-not-found'],
    ['broken', 'i', 'resource-not-found'],
    ['file:///etc/hostname', 'i', 'resource-not-found'],
  ] as const)('refuses %s as %s', async (address, kind, code) => {
    await expect(open(address, kind)).rejects.toMatchObject({ code });
  });

  it('have stable tokens that are opaque and cannot be guessed', async () => {
    const path = store.token('i', `${site}a.png`, 1);
    expect(path).toMatch(/^\/c\/i\/tab\.[\w-]{43}$/);
    expect(store.token('i', `${site}a.png`, 1)).toBe(path);
    const mac = path.split('.')[1] ?? '';
    await expect(store.open('f', mac)).rejects.toMatchObject({ code: 'resource-not-found' });
    await expect(store.open('i', mac.replace(/.$/, '_'))).rejects.toMatchObject({ code: 'resource-not-found' });
    const other = new ResourceStore({
      tabKey: 'tab',
      convert: convertHere,
      turns: new BodyTurns(),
      spend: () => undefined,
      secret: randomBytes(32),
      cdp: resourceCdp(new PageSessions(), new FrameTree(new PageSessions())),
      pictures: () => AS_IS,
      mayRequest: () => mayRequest,
    });
    expect(other.token('i', `${site}a.png`, 1)).not.toBe(path);
  });
});

describe('pictures', () => {
  const inline = (bytes: Uint8Array): string => `data:;base64,${Buffer.from(bytes).toString('base64')}`;
  const png = (width: number, height: number): Buffer => {
    const bytes = Buffer.from(PNG);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  /** A picture drawn by the surrogate, as a file of a type. */
  const drawn = async (type: string, width: number, height: number): Promise<Buffer> => {
    const made = await evaluate(
      session,
      `new Promise(async (resolve) => {
        const canvas = new OffscreenCanvas(${width}, ${height});
        canvas.getContext('2d').fillStyle = 'rgb(200 30 90)';
        canvas.getContext('2d').fillRect(0, 0, ${width}, ${height});
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(await canvas.convertToBlob({ type: '${type}' }));
      })`,
    );
    return Buffer.from(String(made).split(',')[1]!, 'base64');
  };
  afterEach(() => {
    rules = AS_IS;
  });

  it('that would take too much memory are replaced by an empty box of their size', async () => {
    const { headers, body } = await open(inline(png(30_000, 20_000)));
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(Buffer.from(body).toString()).toMatch(/^<svg [^>]*width="30000" height="20000"><\/svg>$/);
    expect(Buffer.from((await open(inline(png(8192, 8192)))).body)).toEqual(png(8192, 8192));
    await expect(open(inline(png(0, 9)))).rejects.toMatchObject({ code: 'resource-type' });
    await expect(open(inline(PNG.subarray(0, 20)))).rejects.toMatchObject({ code: 'resource-type' });
  });

  it.each(['image/png', 'image/jpeg', 'image/webp'])(
    'of type %s are converted where the policy requires it',
    async (type) => {
      rules = { ...AS_IS, reencode: true };
      const file = Buffer.concat([await drawn(type, 40, 20), Buffer.from('<script>something else</script>')]);
      const { headers, body } = await open(inline(file));
      expect(headers['content-type']).toBe('image/webp');
      expect(Buffer.from(body).includes('script')).toBe(false);
      expect(pictureSize('image/webp', body)).toEqual({ width: 40, height: 20 });
      rules = { ...rules, format: 'png' };
      expect((await open(inline(file))).headers['content-type']).toBe('image/png');
      await expect(open(inline(png(9, 9)))).rejects.toMatchObject({ code: 'resource-type' });
      expect((await open('icon.svg')).headers['content-type']).toBe('image/svg+xml');
    },
  );

  it('above the policy’s size are scaled down, and keep their size in the layout', async () => {
    rules = { ...AS_IS, max_side: 50, format: 'png' };
    const [small, large] = [await drawn('image/png', 50, 20), await drawn('image/png', 200, 100)];
    expect(Buffer.from((await open(inline(small))).body)).toEqual(small);
    const { body } = await open(inline(large));
    const svg = Buffer.from(body).toString();
    expect(svg).toMatch(/^<svg [^>]*width="200" height="100">/);
    const made = /href="([^"]+)"/.exec(svg)![1]!;
    expect(pictureSize('image/png', Buffer.from(made.split(',')[1]!, 'base64'))).toEqual({ width: 50, height: 25 });
  });

  it('with rotation metadata are scaled down as displayed', async () => {
    rules = { ...AS_IS, max_side: 50, format: 'png' };
    const exif = 'ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 00060000 00000000'.replaceAll(
      ' ',
      '',
    );
    const file = await drawn('image/jpeg', 200, 100);
    const turned = Buffer.concat([file.subarray(0, 2), Buffer.from(exif, 'hex'), file.subarray(2)]);
    const svg = Buffer.from((await open(inline(turned))).body).toString();
    expect(svg).toMatch(/^<svg [^>]*width="100" height="200">/);
    const made = /href="([^"]+)"/.exec(svg)![1]!;
    expect(pictureSize('image/png', Buffer.from(made.split(',')[1]!, 'base64'))).toEqual({ width: 25, height: 50 });
  });

  it('longer than WebP permits are scaled down, not cropped', async () => {
    rules = { ...AS_IS, reencode: true };
    const svg = Buffer.from((await open(inline(await drawn('image/png', 20_000, 20)))).body).toString();
    expect(svg).toMatch(/^<svg [^>]*width="20000" height="20"><image [^>]*data:image\/webp;/);
    const made = /href="([^"]+)"/.exec(svg)![1]!;
    const { width, height } = pictureSize('image/webp', Buffer.from(made.split(',')[1]!, 'base64'))!;
    expect([width > 16_000, height]).toEqual([true, 16]);
  });
});
