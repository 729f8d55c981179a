import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inputAway } from '../../../core/protocol/core-messages.ts';
import { Targets } from '../session/targets.ts';
import { CELL_LIMITS } from '../cell-limits.ts';
import { ANNA, BEN, browse, pairRequest, serveSite, startWorker, TestClient } from './harness.ts';
import type { Data } from './harness.ts';

const PAGES: Readonly<Record<string, string>> = {
  '/hang': '<script>for(;;);</script>',
  '/alert': '<script>alert("hello")</script><p>after',
  '/file': '<script>location = "file:///etc/passwd"</script><p>stays',
  '/chrome': '<a id=link href="chrome://version">x</a><script>document.querySelector("#link").click()</script><p>stays',
};

/** Counts the frames that a page draws, and the most in one second: pages behind others are slowed down after a second, so the first two do not count. */
const DRAWS = `drawn = fastest = 0, latest = [], begun = performance.now(), (function next() {
  requestAnimationFrame(next);
  drawn++;
  const now = performance.now();
  if (now - begun > 2000) latest.push(now);
  latest = latest.filter((at) => now - at < 1000);
  fastest = Math.max(fastest, latest.length);
})()`;

describe('a worker', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  beforeAll(async () => {
    site = await serveSite((host, path) => `<!doctype html><title>${host}${path}</title>${PAGES[path] ?? '<p>hello'}`);
    started = await startWorker();
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  const evaluate = async (client: TestClient, expression: string): Promise<unknown> => {
    const json = await client.ask(
      `cdp Runtime.evaluate ${JSON.stringify({ expression, returnByValue: true, awaitPromise: true })}`,
    );
    return (JSON.parse(json) as { result: { value: unknown } }).result.value; // Runtime.evaluate's own shape
  };

  it('[S-056] pairs, loads the page and carries messages between page half and client', async () => {
    const client = await browse(started.worker, site.url('one.test'));
    expect(client.answer).toMatchObject({ version: 'ok', cluster_id: 'local', plugins: [{ id: 'echo', base: 64 }] });
    for (const name of ['safe_rid', 'cid', 'rid', 'tab_id'] as const)
      expect(client.answer[name]).toMatch(/^[\w-]{22}$/);
    await client.tellsOf('ready', ({ id }) => id === 1);
    expect(await client.ask('hi')).toBe(`hi in ${site.url('one.test')}`);
    await client.hears('load-state', ({ state }) => state === 'loading');
    await client.hears('load-state', ({ state }) => state === 'ready');
  });

  it('carries the body of an isolated POST to the site, once', async () => {
    const url = site.url('post.test', '/form?x=1#part');
    const post = {
      is_post: true,
      body: 'name=Österreich&x=1',
      content_type: 'application/x-www-form-urlencoded; charset=utf-8',
    };
    const client = await browse(started.worker, url, ANNA, post);
    await client.tellsOf('ready', (frame) => frame['url'] === url);
    await evaluate(client, 'location.href = "/next"');
    await client.tellsOf('ready', (frame) => frame['url'] === site.url('post.test', '/next'));
    expect(site.posts).toEqual([{ path: '/form?x=1', type: post.content_type, body: post.body }]);
  });

  it('refuses addresses that are never opened', async () => {
    const { worker } = started;
    for (const url of [
      'file:///etc/passwd',
      'chrome://version',
      'javascript:alert(1)',
      'data:text/html,x',
      'x',
      'http://',
    ])
      expect(await worker.pair(ANNA, pairRequest(url)), url).toMatchObject({ error: 'bad-url', error_page: {} });
  });

  it('[S-042] makes the surrogate resemble the browser of the person', async () => {
    const client = await browse(started.worker, site.url('like.test'));
    await client.tellsOf('ready');
    const seen = await evaluate(
      client,
      `({
        size: [innerWidth, innerHeight, devicePixelRatio, screen.width, screen.height],
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        locale: Intl.DateTimeFormat().resolvedOptions().locale,
        languages: navigator.languages,
        agent: navigator.userAgent,
        platform: [navigator.platform, navigator.userAgentData?.platform],
        dark: matchMedia('(prefers-color-scheme: dark)').matches,
        still: matchMedia('(prefers-reduced-motion: reduce)').matches,
        webdriver: navigator.webdriver,
        visible: document.visibilityState,
      })`,
    );
    expect(seen).toEqual({
      size: [900, 700, 1, 1600, 900],
      zone: 'Europe/Vienna',
      locale: 'de-AT',
      languages: ['de-AT', 'en'],
      agent: pairRequest('').render_params.user_agent,
      platform: ['Win32', null],
      dark: true,
      still: true,
      webdriver: false,
      visible: 'visible',
    });
  });

  it('[S-042] touches the screen of a phone, and leaves the mouse to who can touch the screen too', async () => {
    const pointers = async (mobile: boolean): Promise<unknown> => {
      const { render_params: params } = pairRequest('');
      const device_metrics = { ...params.device_metrics, enable_touch_events: true, max_touch_points: 5, mobile };
      const client = await browse(started.worker, site.url('touch.test'), ANNA, {
        render_params: { ...params, device_metrics },
      });
      await client.tellsOf('ready');
      return evaluate(
        client,
        "[matchMedia('(hover: hover)').matches, matchMedia('(pointer: fine)').matches, navigator.maxTouchPoints]",
      );
    };
    expect(await pointers(true)).toEqual([false, false, 5]);
    expect(await pointers(false)).toEqual([true, true, 0]);
  });

  it('[S-068] hides and shows the page with the tab of the person', async () => {
    const client = await browse(started.worker, site.url('hide.test'), BEN); // the only tab
    await client.tellsOf('ready');
    const state = (): Promise<unknown> => evaluate(client, '[document.visibilityState, document.hasFocus()]');
    await expect.poll(state).toEqual(['visible', true]);
    client.sendCore('hide-tab');
    await expect.poll(state).toEqual(['hidden', false]);
    const other = await browse(started.worker, site.url('other.test'), BEN);
    await other.tellsOf('ready');
    await expect.poll(() => evaluate(other, 'document.visibilityState')).toBe('visible');
    client.sendCore('show-tab');
    await expect.poll(state).toEqual(['visible', true]);
    client.sendCore('hide-tab');
    await expect.poll(state).toEqual(['hidden', false]);
    client.sendCore('acquire-focus');
    await expect.poll(state).toEqual(['visible', true]);
  });

  it('draws all tabs of a person, and none that is hidden', async () => {
    const clients = [];
    for (const name of ['first.test', 'second.test', 'third.test']) {
      const client = await browse(started.worker, site.url(name), { ...ANNA, subject: 'frames' });
      await client.tellsOf('ready');
      clients.push(client);
    }
    const [hidden, ...shown] = clients;
    hidden!.sendCore('hide-tab');
    await expect.poll(() => evaluate(hidden!, 'document.visibilityState')).toBe('hidden');
    for (const client of clients) await evaluate(client, DRAWS);
    // A page behind another gets 2 a second.
    for (const client of shown) await expect.poll(() => evaluate(client, 'fastest')).toBeGreaterThan(5);
    expect(await evaluate(hidden!, 'drawn')).toBe(1);
  });

  it('answers no to what a page asks the person for', async () => {
    const client = await browse(started.worker, site.url('localhost')); // a secure context
    await client.tellsOf('ready');
    const names = JSON.stringify([
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'clipboard-read',
      'midi',
      'local-fonts',
    ]);
    const states = `Promise.all(${names}.map(async (name) => (await navigator.permissions.query({ name })).state))`;
    const located = 'new Promise((done) => navigator.geolocation.getCurrentPosition(done, ({ code }) => done(code)))';
    expect(await evaluate(client, states)).toEqual(Array(7).fill('denied'));
    expect(await evaluate(client, located)).toBe(1);
  });

  it('[S-108] finds a living tab again for a reloaded client, which starts from nothing', async () => {
    const { worker } = started;
    const client = await browse(worker, site.url('again.test'));
    await client.tellsOf('ready');
    const { safe_rid = '', cid = '', tab_id = '' } = client.answer;
    const request = { ...pairRequest(site.url('again.test')), safe_rid, tab_id };
    const answer = await worker.repair(ANNA, cid, request);
    expect(answer).toEqual(client.answer);
    const reloaded = new TestClient(worker, ANNA, answer);
    await reloaded.attach('second');
    expect(await reloaded.tellsOf('attached')).toEqual({ fresh: true });
    expect(await reloaded.ask('hi')).toBe(`hi in ${site.url('again.test')}`);
    expect(reloaded.told.filter(({ what }) => what === 'ready')).toEqual([]);
    await client.until(() => client.closed === 'replaced', 'the end of its transport');
    await expect(worker.repair(ANNA, cid, { ...request, safe_rid: 'x' })).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });

  it('says when nobody reports any more what the person lets go: focus elsewhere, hidden, another client, but not a lost line', async () => {
    const { worker } = started;
    const client = await browse(worker, site.url('held.test'));
    await client.tellsOf('ready');
    const lost = (of: TestClient): unknown[] =>
      of.told.flatMap(({ what, data }) => (what === 'input lost' ? [data['reason']] : []));
    const before = lost(client).length;
    client.endpoint.send(inputAway, undefined);
    await client.until(() => lost(client).length > before);
    client.sendCore('hide-tab');
    await client.until(() => lost(client).length > before + 1);
    client.detach();
    await client.attach();
    await client.ask('hi');
    expect(lost(client).slice(before)).toEqual(['away', 'away']);
    const reloaded = new TestClient(worker, ANNA, client.answer);
    await reloaded.attach('second');
    expect(await reloaded.tellsOf('input lost')).toEqual({ reason: 'gone' });
  });

  it('gives a tab to nobody but its person, as if it were not there', async () => {
    const { worker } = started;
    const client = await browse(worker, site.url('mine.test'));
    const { safe_rid = '', cid = '', tab_id = '' } = client.answer;
    const request = { ...pairRequest(site.url('mine.test')), safe_rid, tab_id };
    await expect(worker.repair(BEN, cid, request)).rejects.toMatchObject({ code: 'session-not-found' });
    expect(await new TestClient(worker, BEN, client.answer).attach()).toBe(false);
    await expect(worker.unpair(BEN, { safe_rid })).rejects.toMatchObject({ code: 'session-not-found' });
    expect(await worker.repair(ANNA, cid, request)).toMatchObject({ safe_rid });
    expect(await new TestClient(worker, ANNA, { ...client.answer, cid: 'x' }).attach()).toBe(false);
  });

  it('closes a dialog that nobody shows', async () => {
    const client = await browse(started.worker, site.url('alert.test', '/alert'));
    await client.hears('load-state', ({ state }) => state === 'ready');
    expect(await evaluate(client, 'document.body.textContent')).toBe('after');
  });

  it('tells why a page could not be loaded', async () => {
    const { worker } = await (denying ??= startWorker({
      egress: {
        allowPrivate: true,
        resolve: async (name) => {
          if (name === 'missing.test') throw new Error('no such name');
          return [{ address: '127.0.0.1', family: 4 }];
        },
        decide: ({ host }) =>
          host === 'denied.test' ? { allow: false, code: 'blocked-site', message: 'Not here.' } : { allow: true },
      },
    }));
    const failures: Data[] = [];
    for (const url of ['http://missing.test/', 'http://denied.test/', 'https://denied.test/']) {
      const client = await browse(worker, url);
      failures.push(await client.tellsOf('failed'));
      await client.hears('load-state', ({ state }) => state === 'ready');
    }
    expect(failures).toMatchObject([
      { frame: 1, url: 'http://missing.test/', reason: { code: 'name-not-resolved' } },
      {
        frame: 1,
        url: 'http://denied.test/',
        errorText: 'vitrine:egress',
        reason: { code: 'blocked-site', message: 'Not here.' },
      },
      { frame: 1, url: 'https://denied.test/', reason: { code: 'blocked-site' } },
    ]);
  });

  it('never shows what is not of the web', async () => {
    for (const path of ['/file', '/chrome']) {
      const client = await browse(started.worker, site.url('scheme.test', path));
      await client.hears('load-state', ({ state }) => state === 'ready');
      expect(await evaluate(client, 'document.body.textContent'), path).toContain('stays');
      expect(JSON.parse(await client.ask('frames'))).toMatchObject([{ id: 1, url: site.url('scheme.test', path) }]);
      for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:http://scheme.test/', 'javascript:1'])
        await expect(client.ask(`cdp Page.navigate ${JSON.stringify({ url })}`)).rejects.toMatchObject({
          code: 'bad-url',
        });
    }
  });

  let denying: ReturnType<typeof startWorker> | undefined;
  afterAll(async () => (await denying)?.stop());
});

describe('a worker of which nobody else has a page', () => {
  it('opens the page of the next tab when one has loaded, and one alone', async () => {
    const site = await serveSite(() => '<!doctype html><p>hello');
    const { worker, stop } = await startWorker();
    const opened = vi.spyOn(Targets.prototype, 'open');
    try {
      const open = async (name: string): Promise<void> => {
        const client = await browse(worker, site.url(name));
        await client.tellsOf('ready');
      };
      const expectOpened = async (count: number): Promise<void> => {
        await expect.poll(() => opened.mock.calls.length).toBe(count);
        await new Promise((done) => setTimeout(done, 2 * CELL_LIMITS.spareMs)); // there is no further one later
        expect(opened.mock.calls.length).toBe(count);
      };
      await open('one.test');
      await expectOpened(2);
      await open('two.test');
      await expectOpened(3);
    } finally {
      opened.mockRestore();
      await stop();
      site.close();
    }
  });
});

describe('a worker that is drained while somebody pairs', () => {
  it('asks him to try again and leaves nothing behind', async () => {
    for (const delay of [0, 300, 900]) {
      const { worker, dataDir, log, stop } = await startWorker();
      const pairing = worker.pair(ANNA, pairRequest('http://late.test/'));
      await new Promise((resolve) => setTimeout(resolve, delay));
      await worker.drain('going down');
      const answer = await pairing;
      expect(answer.error ?? answer.version).toMatch(/^(pairing_retry|global_pool_depleted|ok)$/);
      expect(worker.counts()).toMatchObject({ sessions: 0, tabs: 0, surrogates: 0 });
      const begun = log.lines
        .filter(([, line]) => line === 'surrogate started')
        .map(([, , data]) => data as { surrogatePid: number });
      for (const { surrogatePid } of begun) expect(existsSync(`/proc/${surrogatePid}`)).toBe(false);
      expect(readdirSync(path.join(dataDir, 'surrogates/profiles'))).toEqual([]);
      await stop();
    }
  });
});

describe('the limits of a worker', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>hello');
  });
  afterAll(() => site.close());

  it('[S-115] bounds tabs and surrogates, releases one that nobody uses, and leaves nothing behind', async () => {
    // Of clients that leave: a slow machine lets a client arrive later than its tab would be idle.
    const limits = { maxSurrogates: 1, tabsPerPerson: 2, graceMs: 300, leaveMs: 1000 };
    const { worker, dataDir, log, stop } = await startWorker({ limits });
    const profiles = (): string[] => readdirSync(path.join(dataDir, 'surrogates/profiles'));
    const first = await browse(worker, site.url('a.test'));
    const second = await browse(worker, site.url('b.test'));
    expect(profiles()).toHaveLength(1);
    expect(await worker.pair(ANNA, pairRequest(site.url('c.test')))).toEqual({ error: 'tab_limit' });
    expect(await worker.pair(BEN, pairRequest(site.url('c.test')))).toEqual({ error: 'global_pool_depleted' });
    expect(worker.counts()).toMatchObject({ tabs: 2, surrogates: 1, launches: 1 });

    await worker.unpair(ANNA, { safe_rid: first.answer.safe_rid ?? '' });
    await first.hears('disconnect');
    await first.until(() => first.closed === 'unpaired', 'the end of its transport');
    const third = await browse(worker, site.url('c.test'));
    expect(third.answer).toMatchObject({ version: 'ok' });
    for (const client of [second, third]) client.leave();
    await expect.poll(() => worker.counts()).toMatchObject({ sessions: 0, tabs: 0, surrogates: 0 });
    expect(profiles()).toEqual([]);

    const ben = await browse(worker, site.url('d.test'), BEN);
    await ben.tellsOf('ready');
    const pid = (log.lines.findLast(([, message]) => message === 'surrogate started')?.[2] as { surrogatePid: number })
      .surrogatePid;
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    await worker.drain('going down');
    expect(await ben.hears('disconnect')).toEqual({ reason: 'going down', reconnect: true });
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(profiles()).toEqual([]);
    expect(await worker.ready()).toBe(false);
    expect(await worker.pair(BEN, pairRequest(site.url('e.test')))).toEqual({ error: 'pairing_retry' });
    await stop();
  });

  it('ends the session that has been without a client for the longest time where another person needs room', async () => {
    const { worker, stop } = await startWorker({ limits: { maxSurrogates: 2, goneMs: 500 } });
    const left = await browse(worker, site.url('a.test'));
    await left.tellsOf('ready');
    const stays = await browse(worker, site.url('b.test'), BEN);
    await stays.tellsOf('ready');
    const carl = { ...BEN, subject: 'carl' };
    expect(await worker.pair(carl, pairRequest(site.url('c.test')))).toEqual({ error: 'global_pool_depleted' });
    left.detach();
    await expect.poll(() => worker.pair(carl, pairRequest(site.url('c.test')))).toMatchObject({ version: 'ok' });
    expect(stays.closed).toBeUndefined();
    expect(await stays.ask('hi')).toContain('b.test');
    expect(worker.counts()).toMatchObject({ sessions: 2, attached: 1 });
    await stop();
  });
});
