import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { integrityTokens } from '../../../host/gateway/integrity-tokens.ts';
import { listen, playedGateway, SECRET } from '../../../host/gateway/tests/played-gateway.ts';
import { authCheckAnswerSchema } from '../../protocol/auth.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { bundleScript, launchBrowser } from '../../testing/script-page.ts';
import { serveShell } from '../cof/server.ts';
import type {} from './cof-entry.ts';

/** As specified (S-137). */
const REGISTER_MS = 200;
const HELPER_LOAD_MS = 2500;

const SHELL = 'http://app.vitrine.test';
const INSPECT = 'http://inspect.vitrine.test';
const CLUSTER = 'http://cluster.vitrine.test';

let gateway: FastifyInstance;
let browser: Browser;
let script: string;
let page: Page;
/** Requests to the helper's host: method, host, path and query, body. */
let calls: { readonly call: string; readonly body: unknown }[];
let inputAnswer: string;

beforeAll(async () => {
  gateway = await playedGateway({}, { origins: [SHELL], inspectOrigin: INSPECT, clusterOrigin: CLUSTER });
  gateway.addContentTypeParser(/^multipart\//, { parseAs: 'string' }, (_request, body, done) => done(null, body));
  gateway.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  const taken = (answer: () => unknown) => (request: { host: string; url: string; body: unknown }) => {
    calls.push({ call: `${request.host} ${request.url}`, body: request.body });
    return answer();
  };
  gateway.post(
    '/r/upload',
    taken(() => 'stored'),
  );
  gateway.post(
    '/r/user_input',
    taken(() => inputAnswer),
  );
  gateway.get('/shell', (_request, reply) =>
    reply.type('text/html').send('<!doctype html><html data-vitrine-role="top"><body>'),
  );
  const port = await listen(gateway);
  const rules = `MAP *.vitrine.test 127.0.0.1:${port}, EXCLUDE away.vitrine.test`;
  [script, browser] = await Promise.all([
    bundleScript(path.join(import.meta.dirname, 'cof-entry.ts')),
    launchBrowser([`--host-resolver-rules=${rules}`]),
  ]);
});
afterAll(async () => {
  await browser.close();
  await gateway.close();
});
beforeEach(async () => {
  calls = [];
  inputAnswer = 'MSIP_OK';
  const context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`${SHELL}/shell`);
  await page.evaluate(script);
  return () => context.close();
});

const openHelper = (origins = [INSPECT, CLUSTER]): Promise<void> =>
  page.evaluate((each) => window.openHelper(each), origins);
const call = (method: string, params: object): Promise<unknown> =>
  page.evaluate(([name, given]) => window.helper.call(name as 'auth', given).catch(String), [method, params] as const);
const reports = (): Promise<string[]> => page.evaluate(() => window.reports);
const helperFrame = () => page.frames().find((frame) => frame.url().includes('/cof.html'));

describe('the helper frame', () => {
  it('reads and sets the session cookies of its host, and no others', async () => {
    await openHelper();
    expect(await call('cookies', { set: { nid: 'node-2', cl: 'a b', vitrine_person: 'me', other: 'x' } })).toEqual({
      nid: 'node-2',
      cl: 'a b',
    });
    const cookies = (await page.context().cookies(INSPECT)).map(({ name, value }) => `${name}=${value}`);
    expect(cookies).toEqual(expect.arrayContaining(['nid=node-2', 'cl=a%20b']));
    expect(cookies.filter((cookie) => /^other|=me$/.test(cookie))).toEqual([]);
  });

  it('authenticates the person at its host through the auth server there', async () => {
    await openHelper();
    const tokens = integrityTokens(SECRET);
    const sb = tokens.blob('anna');
    const check = (): Promise<unknown> => call('auth', { operation: 'check', body: { sb } });
    const answer = v.parse(authCheckAnswerSchema, await check());
    expect(answer).toMatchObject({ success: true, redirects: [{ host: 'inspect.vitrine.test' }] });
    expect(await call('auth', { operation: 'do_itok_auth', body: answer.redirects[0] })).toEqual({
      use_inspect_host: true,
    });
    expect(await check()).toEqual({ success: true, reauth: false, redirects: [] });
    expect(await call('auth', { operation: '../r/unpair', body: {} })).toContain('unknown operation');
  });

  it.each(['inspect.vitrine.test/elsewhere', 'me@inspect.vitrine.test', 'not a host', ''])(
    '[R-115] is not looked for at a name that is no host, which is reported: "%s"',
    async (name) => {
      await page.evaluate(([inspect, cluster]) => window.openByDomains(inspect, cluster), [
        name,
        'cluster.vitrine.test',
      ] as const);
      expect(await reports()).toEqual(['tc-commframe-invalid-domain']);
      expect(await call('cookies', { set: { nid: 'node-2' } })).toMatchObject({ nid: 'node-2' });
      expect(helperFrame()?.url()).toContain(CLUSTER);
    },
  );

  it('[S-088] uploads a file with safe parameters, and reports progress', async () => {
    await openHelper();
    const { result, shares } = await page.evaluate(async () => {
      const seen: number[] = [];
      const file = new Blob(['x'.repeat(500_000)]);
      const unsafe = { 'No-Key': 'x', NoKey: 'x', key2: 'x', tab_id: '<script>' };
      const query = { cid: 'c1', ...unsafe, page_url: 'https://a.test/b?c=d&e#f' };
      const params = { query, field: 'file', name: 'a.txt' };
      const answer = await window.helper.call('upload', params, file, (share) => seen.push(share));
      return { result: answer, shares: seen };
    });
    expect(result).toBe('stored');
    expect(shares.at(-1)).toBe(1);
    const address = 'https%3A%2F%2Fa.test%2Fb%3Fc%3Dd%26e%23f';
    expect(calls[0]?.call).toBe(`inspect.vitrine.test /r/upload?cid=c1&page_url=${address}`); // the unsafe ones are omitted
    expect(String(calls[0]?.body)).toContain('filename="a.txt"');
  });

  it('has input inspected, and reports rejected input', async () => {
    await openHelper();
    const input = { query: { cid: 'c1' }, body: 'text=secret', content_type: 'application/x-www-form-urlencoded' };
    expect(await call('user-input', input)).toBe('MSIP_OK');
    expect(calls[0]).toEqual({ call: 'inspect.vitrine.test /r/user_input?cid=c1', body: 'text=secret' });
    inputAnswer = 'MSIP_BLOCK';
    expect(await call('user-input', input)).toContain('MSIP_BLOCK');
  });

  it('[S-137] registers every 200 ms until it gets an answer', async () => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(PATIENCE_MS); // in the frame, too
    const kinds = await page.evaluateHandle(
      ([origin, shell]) => {
        const received: string[] = [];
        addEventListener('message', ({ data, origin: from }) => {
          if (from === origin) received.push((JSON.parse(String(data)) as { kind: string }).kind);
        });
        const frame = document.createElement('iframe');
        frame.src = `${origin}/safeview-template/cof.html?o=${encodeURIComponent(shell)}`;
        document.body.append(frame);
        return received;
      },
      [INSPECT, SHELL] as const,
    );
    /** Number of registrations so far: messages of the frame arrive in order. */
    const registered = async (): Promise<number> => {
      await helperFrame()?.evaluate((shell) => window.parent.postMessage('{"kind":"last"}', shell), SHELL);
      await expect.poll(async () => (await kinds.jsonValue()).at(-1)).toBe('last');
      return (await kinds.evaluate((received) => received.splice(0))).length - 1;
    };
    await expect.poll(() => kinds.jsonValue()).toEqual(['register']);
    await page.clock.runFor(REGISTER_MS - 1);
    expect(await registered()).toBe(1);
    await page.clock.runFor(1);
    expect(await registered()).toBe(1);
    await page.clock.runFor(3 * REGISTER_MS);
    expect(await registered()).toBe(3);
    const answered = await helperFrame()?.evaluateHandle(() => {
      const received: unknown[] = [];
      window.addEventListener('message', ({ data }) => received.push(data));
      return received;
    });
    await page.evaluate((origin) => frames[0]?.postMessage('{"kind":"registered"}', origin), INSPECT);
    await expect.poll(() => answered?.jsonValue()).toEqual(['{"kind":"registered"}']);
    await page.clock.runFor(10 * REGISTER_MS);
    expect(await registered()).toBe(0);
  });

  it('[S-137][S-143] is replaced by the one at the cluster host when it does not load within 2.5 s, and reported', async () => {
    await openHelper(['http://away.vitrine.test', CLUSTER]);
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(PATIENCE_MS);
    const called = call('cookies', {});
    await page.clock.runFor(HELPER_LOAD_MS - 1);
    expect(await reports()).toEqual([]);
    await page.clock.runFor(1);
    await called;
    expect(helperFrame()?.url()).toContain(CLUSTER);
    expect(await reports()).toEqual(['tc-cof-client-inspect-host-unreachable']);
  });

  it('[S-137][S-143] is looked for again at the next call where it did not load at any host, and each is reported', async () => {
    const away = 'http://away.vitrine.test';
    await openHelper([away, CLUSTER]);
    await page.context().route(`${CLUSTER}/**`, (route) => route.abort());
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(PATIENCE_MS);
    const failed = call('cookies', {});
    const unreachable = 'tc-cof-client-inspect-host-unreachable';
    await page.clock.runFor(HELPER_LOAD_MS);
    await expect.poll(reports).toEqual([unreachable]);
    await page.clock.runFor(HELPER_LOAD_MS);
    expect(await failed).toContain('could not be loaded');
    await page.context().unroute(`${CLUSTER}/**`);
    const called = call('cookies', {});
    await page.clock.runFor(HELPER_LOAD_MS);
    expect(await called).toEqual({});
    expect(await page.evaluate((name) => window.originsOf(name), unreachable)).toEqual([away, CLUSTER, away]);
  });

  it('[S-122] uses the cluster host on request, and the inspect host again', async () => {
    await openHelper();
    await call('cookies', {});
    await page.evaluate(() => window.helper.useInspectHost(false));
    await call('cookies', {});
    expect(helperFrame()?.url()).toContain(CLUSTER);
    await page.evaluate(() => window.helper.useInspectHost(true));
    await call('cookies', {});
    expect(helperFrame()?.url()).toContain(INSPECT);
  });

  it('[S-095][S-143] accepts messages of its host only: others are dropped and reported', async () => {
    await openHelper();
    await call('cookies', {});
    const said = await page.evaluate(
      ([cluster, shell]) =>
        new Promise<string[]>((resolve) => {
          const frame = document.createElement('iframe');
          // A frame of another origin of ours that sends the helper's messages.
          frame.src = `${cluster}/safeview-template/cof.html?o=${encodeURIComponent(shell)}`;
          addEventListener('message', ({ origin }) => origin === cluster && resolve([...window.reports]));
          document.body.append(frame);
        }),
      [CLUSTER, SHELL] as const,
    );
    expect(said).toEqual(['tc-cof-client-unexpected-origin']); // it registers again and again
  });

  it('[S-095][S-143] accepts nothing of a frame that has left the host', async () => {
    await openHelper();
    await call('cookies', {});
    // There the frame registers, too.
    const elsewhere = `${CLUSTER}/safeview-template/cof.html?o=${encodeURIComponent(SHELL)}`;
    await page.locator('iframe').evaluate((frame: HTMLIFrameElement, address) => (frame.src = address), elsewhere);
    await expect.poll(reports).toContain('tc-cof-client-unexpected-origin');
  });

  it('[S-095][S-143] drops and reports anything that is not JSON of a known kind', async () => {
    await openHelper();
    await call('cookies', {});
    const said = ['text', '{"kind":"other"}', { kind: 'register' }, '{"kind":"load","id":"1"}', '[]', 'null', 7];
    await helperFrame()?.evaluate((messages) => {
      for (const message of messages) window.parent.postMessage(message, '*');
    }, said);
    await expect.poll(reports).toEqual(said.map(() => 'tc-cof-client-unexpected-message'));
    expect(await call('cookies', {})).toEqual({});
  });

  it('[S-095] serves its shell only', async () => {
    await page.evaluate(
      ([inspect, shell]) => {
        const frame = document.createElement('iframe');
        frame.src = `${inspect}/safeview-template/cof.html?o=${encodeURIComponent(shell)}`;
        document.body.append(frame);
        // A frame with an opaque origin that calls its sibling helper repeatedly.
        const stranger = document.createElement('iframe');
        stranger.sandbox.add('allow-scripts');
        const call = JSON.stringify({ kind: 'call', id: 1, method: 'cookies', params: {} });
        stranger.srcdoc = `<script>setInterval(() => parent.frames[0].postMessage('${call}', '*'), 50)</script>`;
        document.body.append(stranger);
      },
      [INSPECT, SHELL] as const,
    );
    await expect.poll(() => helperFrame()).toBeDefined();
    const helper = helperFrame();
    const senders = await helper?.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const origins: string[] = [];
          window.addEventListener('message', ({ origin }) => origins.push(origin) === 10 && resolve(origins));
        }),
    );
    expect(new Set(senders)).toEqual(new Set(['null']));
    const kinds = await page.evaluate(
      (inspect) =>
        new Promise<string[]>((resolve) => {
          const seen: string[] = [];
          addEventListener('message', ({ origin, data }) => {
            if (origin === inspect && seen.push((JSON.parse(String(data)) as { kind: string }).kind) === 3)
              resolve(seen);
          });
        }),
      INSPECT,
    );
    expect(kinds).toEqual(['register', 'register', 'register']); // no answer, and it continues to register
  });

  it('[S-095] answers calls of its parent alone, and of a parent at the origin of its shell', async () => {
    const said: unknown[] = [];
    const parent = { postMessage: (text: string, origin: string) => said.push([JSON.parse(text), origin]) };
    const frame = Object.assign(new EventTarget(), { parent });
    serveShell(frame as never, SHELL);
    expect(said.splice(0)).toEqual([[{ kind: 'register' }, SHELL]]);
    const calls: [source: object, origin: string][] = [
      [parent, CLUSTER],
      [{}, SHELL],
      [parent, SHELL],
    ];
    for (const [at, [source, origin]] of calls.entries()) {
      const data = JSON.stringify({ kind: 'call', id: at, method: 'upload', params: {} });
      frame.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }));
    }
    await expect.poll(() => said).toEqual([[{ kind: 'error', id: 2, why: 'an upload needs a file' }, SHELL]]);
  });

  it('[S-143] rejects an unknown method, and reports it itself', async () => {
    await openHelper();
    const reported = page.waitForRequest(`${INSPECT}/safeview-client-logger/clientevent`);
    expect(await call('eval', {})).toContain('unexpected method');
    expect((await reported).postDataJSON()).toMatchObject({ items: [{ event: 'tc-cof-server-unexpected-method' }] });
  });
});

describe('frame roles', () => {
  it('[M-028] come from the role attribute of the documents that the host serves', async () => {
    const roles = await page.evaluate(async (shell) => {
      const paths = ['cof.html?o=', 'comm_frame.html/https://site.test/', 'sub_frame.html', 'view/html-standards'];
      const load = (src: string, name?: string): Promise<string | undefined> =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe');
          if (name !== undefined) frame.setAttribute('data-vitrine-frame', name);
          frame.onload = () => resolve(frame.contentDocument ? window.roleOf(frame.contentDocument) : 'closed');
          frame.src = src;
          document.body.append(frame);
        });
      return {
        top: window.roleOf(document),
        cof: await load(`/safeview-template/${paths[0]}${encodeURIComponent(shell)}`),
        comm: await load(`/safeview-template/${paths[1]}`),
        sub: await load(`/safeview-template/${paths[2]}`),
        main: await load(`/safeview-template/${paths[3]}`, 'main'),
        inner: await load(`/safeview-template/${paths[3]}`, ''),
        none: await load('/safeview-template/ui.html'),
      };
    }, SHELL);
    expect(roles).toEqual({
      top: 'top',
      cof: 'cof-server',
      comm: 'comm',
      sub: 'sub',
      main: 'main',
      inner: 'sub',
      none: undefined,
    });
  });
});
