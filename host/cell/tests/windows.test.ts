import http from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import { openedWindowsToken } from '../../plugin.ts';
import type { HostScope } from '../../plugin.ts';
import { loadPlugins } from '../../plugins/registry.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { ANNA, BEN, browse, startWorker } from './harness.ts';
import type { Data, pairRequest, TestClient } from './harness.ts';

const here = import.meta.dirname;
/** Windows of a person that wait. */
const MAX_WAITING = 5;

/** The part of a request that tells who asks. */
type Asked = readonly [path: string, site: string, cookie: string, referrer: string];

/** Scopes of a plugin of this checkout by tab: those from outside may not close windows. */
const scopes = new Map<string, HostScope>();
const closer: RegisteredPlugin = {
  manifest: { id: 'closer', version: '1.0.0', api: PLUGIN_API, description: 'x', activation: 'boot' },
  folder: 'closer',
  external: false,
  activate: (scope) => void scopes.set(scope.tab.id, scope),
};
const closes = ({ answer }: TestClient, token: string): void =>
  scopes
    .get(answer.tab_id ?? '')
    ?.services.get(openedWindowsToken)
    .close(token);

const ICON = '<link rel=icon href="data:,">'; // another would be one more request
const OPENER = `<!doctype html>${ICON}<p>opener<script>onmessage = ({ data }) => (document.title = data)</script>`;
const OPENED = `<!doctype html>${ICON}<p>opened<script>opener?.postMessage('from the window', '*')</script>`;

describe('windows that pages open', () => {
  const asked: Asked[] = [];
  let port: number;
  let server: http.Server;
  let started: Awaited<ReturnType<typeof startWorker>>;
  beforeAll(async () => {
    server = http.createServer(({ url = '', headers }, response) => {
      const { 'sec-fetch-site': site = '', cookie = '', referer = '' } = headers;
      asked.push([url, site, cookie, referer]);
      const cookies = ['strict=1; SameSite=Strict', 'lax=1; SameSite=Lax'];
      const isFile = url === '/file';
      response
        .writeHead(200, {
          'content-type': isFile ? 'application/zip' : 'text/html',
          'set-cookie': cookies,
          ...(isFile && { 'content-disposition': 'attachment' }),
        })
        .end(url === '/opener' ? OPENER : OPENED);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo); // it listens on TCP
    started = await startWorker({
      plugins: [...(await loadPlugins(here, { folders: [path.join(here, 'fixture/echo')] })), closer],
    });
  });
  afterAll(async () => {
    await started.stop();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => void (asked.length = 0));

  const url = (path: string, host = '127.0.0.1'): string => `http://${host}:${port}${path}`;
  const evaluate = async (client: TestClient, expression: string): Promise<unknown> => {
    const parameters = { expression, returnByValue: true, awaitPromise: true, userGesture: true };
    const { result } = JSON.parse(await client.ask(`cdp Runtime.evaluate ${JSON.stringify(parameters)}`)) as {
      result: { value: unknown };
    }; // Runtime.evaluate's own shape
    return result.value;
  };
  const opener = async (person = ANNA): Promise<TestClient> => {
    const client = await browse(started.worker, url('/opener'), person);
    await client.tellsOf('ready', (frame) => frame['url'] === url('/opener'));
    asked.length = 0;
    return client;
  };
  const claim = async (window: Data, changes: Parameters<typeof pairRequest>[1] = {}): Promise<TestClient> =>
    browse(started.worker, String(window['url']), ANNA, { pid: String(window['token']), ...changes });

  const WAYS = [
    ['window.open', (to: string) => `globalThis.w = window.open('${to}')`],
    ['window.open without an opener', (to: string) => `window.open('${to}', '_blank', 'noopener')`],
    ['a window that is given its address at once', (to: string) => `{ const w = window.open(); w.location = '${to}' }`],
    [
      'a link',
      (to: string) =>
        `{ const a = document.createElement('a'); a.href = '${to}'; a.target = '_blank'; document.body.append(a); a.click() }`,
    ],
  ] as const;
  it.each(WAYS)(
    '[M2] [M-083] become the page of the tab that claims them, with their one request: %s',
    async (_how, open) => {
      const client = await opener();
      const to = url('/cross', 'localhost');
      await evaluate(client, `${open(to)}; 1`);
      const window = await client.tellsOf('window');
      expect(window['token']).toMatch(/^[\w-]{44}$/);
      // On a busy machine a window may be shown blank before it asks for its address.
      expect([to, 'about:blank']).toContain(window['url']);
      expect(asked).toEqual([]);
      const tab = await claim(window);
      await tab.tellsOf('ready', (frame) => frame['url'] === to);
      // Whoever has opened localhost before has its cookies: those with SameSite=Strict are not for this site's windows.
      expect(asked).toEqual([['/cross', 'cross-site', expect.not.stringContaining('strict'), url('/')]]);
      expect(tab.answer.tab_id).not.toBe(client.answer.tab_id);
    },
  );

  it('[M-083] reach their opener, and are closed by it', async () => {
    const client = await opener();
    await evaluate(client, `globalThis.w = window.open('${url('/opened')}'); 1`);
    const tab = await claim(await client.tellsOf('window'));
    await tab.tellsOf('ready', (frame) => frame['url'] === url('/opened'));
    await expect.poll(() => evaluate(client, 'document.title')).toBe('from the window');
    await evaluate(client, 'w.close()');
    await tab.until(() => tab.closed, 'the end of the tab');
    expect(await evaluate(client, 'w.closed')).toBe(true);
  });

  it('[M-083] are told to the host halves of their opener, which close them by their token alone', async () => {
    const client = await opener();
    const windows = (): Data[] => client.told.flatMap(({ what, data }) => (what === 'window' ? [data] : []));
    // On a busy machine a window may be shown blank before it asks for its address.
    const token = async (path: string): Promise<string> => {
      const before = windows().length;
      await evaluate(client, `globalThis.w = window.open('${url(path)}'); 1`);
      const told = await client.until(() => windows()[before], 'a window');
      expect(['about:blank', url(path)]).toContain(told['url']);
      return String(told['token']);
    };
    const closed = async (which: string): Promise<unknown> =>
      client.tellsOf('window closed', (window) => window['token'] === which);
    const waiting = await token('/opened?waiting');
    closes(client, waiting);
    await closed(waiting);
    await expect.poll(() => evaluate(client, 'w.closed')).toBe(true);

    const shown = await token('/opened?shown');
    const tab = await browse(started.worker, url('/opened?shown'), ANNA, { pid: shown });
    await tab.tellsOf('ready', (frame) => frame['url'] === url('/opened?shown'));
    const paired = await client.tellsOf('window paired', (window) => window['token'] === shown);
    expect(paired['tab']).toBe(tab.answer.tab_id);
    closes(tab, shown); // it is not this page's
    expect(await evaluate(client, 'w.closed')).toBe(false);
    closes(client, shown);
    await closed(shown);
    await expect.poll(() => evaluate(client, 'w.closed')).toBe(true);
    expect(asked.map(([path]) => path)).toEqual(['/opened?shown']);
  });

  it('[M-083] are shown blank where they have no address, and go where their opener sends them', async () => {
    const client = await opener();
    await evaluate(client, `globalThis.w = window.open(); w.document.title = 'written'`);
    const window = await client.tellsOf('window');
    expect(window['url']).toBe('about:blank');
    const tab = await claim(window);
    await expect.poll(() => evaluate(tab, 'document.title')).toBe('written');
    await evaluate(client, `w.location = '${url('/later')}'; 1`);
    await tab.tellsOf('ready', (frame) => frame['url'] === url('/later'));
    expect(asked.map(([path, site]) => [path, site])).toEqual([['/later', 'same-origin']]);
  });

  it('[M2] are claimed once, by their own person, and opened without their opener otherwise', async () => {
    const client = await opener();
    const to = url('/opened', 'localhost');
    await evaluate(client, `globalThis.w = window.open('${to}'); 1`);
    const window = await client.tellsOf('window');
    const pid = String(window['token']);
    const linked = { pid, doc_headers: { 'sec-fetch-site': 'same-origin' }, referrer: 'http://localhost:7700/x' };
    const other = await browse(started.worker, to, BEN, linked);
    await other.tellsOf('ready', (frame) => frame['url'] === to);
    const tab = await claim(window);
    await tab.tellsOf('ready', (frame) => frame['url'] === to);
    const again = await browse(started.worker, to, ANNA, linked);
    await again.tellsOf('ready', (frame) => frame['url'] === to);
    expect(asked.map(([, site, , referrer]) => [site, referrer])).toEqual([
      ['cross-site', ''],
      ['cross-site', url('/')],
      ['cross-site', ''],
    ]);
    for (const [, , cookie] of asked) expect(cookie).not.toContain('strict');
  });

  it('[M2] are bounded in number for a page that opens hundreds, with and without gestures', async () => {
    const carl = { ...ANNA, subject: 'carl' };
    const client = await opener(carl);
    const windows = (): Data[] => client.told.flatMap(({ what, data }) => (what === 'window' ? [data] : []));
    await evaluate(
      client,
      `globalThis.all = []; for (let n = 0; n < 300; n++) all.push(window.open('/opened?' + n)); 1`,
    );
    for (let n = 0; n < 2 * MAX_WAITING; n += 1)
      await await evaluate(client, `all.push(window.open('/opened?g${n}')); 1`);
    await client.until(() => windows().length === MAX_WAITING, 'windows');
    // Chromium closes a window in a task of its own.
    await expect.poll(() => evaluate(client, 'all.filter((w) => w && !w.closed).length')).toBe(MAX_WAITING);
    expect(windows()).toHaveLength(MAX_WAITING);
    expect(asked).toEqual([]);
    // A window that has been claimed makes room for another.
    const { url: to, token } = windows()[0]!;
    const claimed = await browse(started.worker, String(to), carl, { pid: String(token) });
    const shown = await claimed.tellsOf('ready', (frame) => frame['url'] !== 'about:blank');
    await evaluate(client, `all.push(window.open('/opened?last')); 1`);
    await client.until(() => windows().length > MAX_WAITING, 'another window');
    expect(asked.map(([path]) => url(path))).toEqual([shown['url']]);
  });
});
