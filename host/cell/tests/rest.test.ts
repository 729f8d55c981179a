import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RepairRequest } from '../../../core/protocol/pairing.ts';
import { loadPlugins } from '../../plugins/registry.ts';
import { CELL_LIMITS } from '../cell-limits.ts';
import { ANNA, BEN, browse, pairRequest, startWorker, TestClient } from './harness.ts';

const WAIT = { timeout: 90_000, interval: 100 };
const TEST_MS = 300_000;

/** A page that asks its server for something ten times a second, as long as its timers run, and that can be scrolled. */
const PAGE = `<!doctype html><title>ticking</title><link rel=icon href="data:,"><body style="height: 9000px"><iframe srcdoc="<title>inner</title>"></iframe>
<script>setInterval(() => fetch('/tick'), 100)</script>`;

/** Reasons not to freeze a page: a script that brings it about, one that ends it, and an expression that is true once it is there. */
const REASONS = {
  sound: [
    'const a = window.a = new AudioContext(), o = a.createOscillator(); o.connect(a.destination); o.start(); a.resume()',
    'a.close()',
    'a.state === "running"',
  ],
  'sound-of-frame': [
    'const a = window.a = new frames[0].AudioContext(), o = a.createOscillator(); o.connect(a.destination); o.start(); a.resume()',
    'a.close()',
    'a.state === "running"',
  ],
  lock: [
    'navigator.locks.request("held", () => new Promise((done) => (window.done = done)))',
    'done()',
    'Boolean(window.done)',
  ],
  'lock-of-worker': [
    `window.w = new Worker(URL.createObjectURL(new Blob(['navigator.locks.request("w", () => new Promise(() => {}))'])))`,
    'w.terminate()',
    'navigator.locks.query().then(({ held }) => held.length === 1)',
  ],
  database: [
    `indexedDB.open('d', 1).onupgradeneeded = ({ target: { result: db, transaction } }) => {
      db.createObjectStore('s');
      transaction.oncomplete = () => {
        const store = db.transaction('s', 'readwrite').objectStore('s');
        const next = () => { window.begun = true; if (!window.over) store.get('k').onsuccess = next; };
        next();
      };
    }`,
    'window.over = true',
    'Boolean(window.begun)',
  ],
  transfer: ['fetch("/never", { method: "POST", body: "x" })', 'stop()', 'true'],
} as const;

describe('pages that nobody looks at', { timeout: TEST_MS }, () => {
  /** Times of ticks by host. */
  const ticks = new Map<string, number>();
  const cookies: string[] = [];
  let server: http.Server;
  let port: number;
  let plugins: Awaited<ReturnType<typeof loadPlugins>>;
  const running: Awaited<ReturnType<typeof startWorker>>[] = [];
  beforeAll(async () => {
    server = http.createServer(({ url, headers, method }, response) => {
      const host = headers.host ?? '';
      if (method === 'POST') return; // it waits for ever
      if (url === '/tick') ticks.set(host, (ticks.get(host) ?? 0) + 1);
      else cookies.push(headers.cookie ?? '');
      response.writeHead(200, { 'content-type': 'text/html', ...(!headers.cookie && { 'set-cookie': 'kept=1' }) });
      response.end(url === '/tick' ? '' : PAGE);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo); // it listens on TCP
    const here = import.meta.dirname;
    plugins = await loadPlugins(here, { folders: [path.join(here, 'fixture/echo')] });
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
    cookies.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const start = async (limits: NonNullable<Parameters<typeof startWorker>[0]>['limits']) => {
    const started = await startWorker({
      plugins,
      limits: { idleMs: 600_000, sleepMs: 600_000, leaveMs: 600_000, ...limits },
    });
    running.push(started);
    return started;
  };
  const url = (name: string): string => `http://${name}.localhost:${port}/`; // a secure context
  const open = async ({ worker }: { worker: Parameters<typeof browse>[0] }, name: string, person = ANNA) => {
    const client = await browse(worker, url(name), person);
    await client.tellsOf('ready', (frame) => frame['url'] === url(name), WAIT.timeout);
    await expect.poll(() => evaluate(client, 'document.readyState'), WAIT).toBe('complete'); // with its frame
    return client;
  };
  const evaluate = async (client: TestClient, expression: string, isAwaited = false): Promise<unknown> => {
    const asked = JSON.stringify({ expression, returnByValue: true, awaitPromise: isAwaited, userGesture: true });
    const { result } = JSON.parse(await client.ask(`cdp Runtime.evaluate ${asked}`)) as { result: { value: unknown } }; // its own shape
    return result.value;
  };
  const ticksOf = (name: string): number => ticks.get(`${name}.localhost:${port}`) ?? 0;
  /** Resolves once a page has ticked again so often. */
  const ticking = async (name: string, times = 2): Promise<void> => {
    const before = ticksOf(name);
    await expect.poll(() => ticksOf(name), WAIT).toBeGreaterThanOrEqual(before + times);
  };
  /** Comes back to a tab as a reloaded client, or one that was gone for longer. */
  const comeBack = async (
    { worker }: { worker: Parameters<typeof browse>[0] },
    { answer }: TestClient,
    person = ANNA,
  ) => {
    const { safe_rid = '', cid = '', tab_id = '' } = answer;
    const request: RepairRequest = { ...pairRequest(url('any')), hid: '1', safe_rid, tab_id };
    const client = new TestClient(worker, person, await worker.repair(person, cid, request));
    await client.attach('again');
    return client;
  };

  /** Process id of the first browser. */
  const browserOf = ({ log }: Awaited<ReturnType<typeof startWorker>>): number =>
    (log.lines.find(([, said]) => said === 'surrogate started')?.[2] as { surrogatePid: number }).surrogatePid; // as it is logged
  /** Says that memory is short, every few seconds as the host does, until a page has been discarded: one that was hidden just now is not. */
  const relieved = (worker: Parameters<typeof browse>[0], interval = 1000): Promise<void> =>
    expect
      .poll(() => (worker.counts().discarded === 0 && worker.relieve(true), worker.counts().discarded), {
        ...WAIT,
        interval,
      })
      .toBe(1);
  /** Resolves once a frozen page has asked for nothing while another asks as often as that would have: requests may have been on their way. */
  const rests = (name: string, other: string): Promise<void> =>
    expect
      .poll(async () => {
        const before = ticksOf(name);
        await ticking(other, 20);
        return ticksOf(name) - before;
      }, WAIT)
      .toBe(0);

  it('[S-115] freezes a tab that was left at once, and finds it again within the grace', async () => {
    const started = await start({});
    const { worker } = started;
    const client = await open(started, 'left');
    await open(started, 'stays');
    await ticking('left');
    client.leave();
    await expect.poll(() => worker.counts(), WAIT).toMatchObject({ left: 1, frozen: 1 });
    const again = await comeBack(started, client);
    await ticking('left');
    expect(again.answer.tab_id).toBe(client.answer.tab_id);
    await expect.poll(() => worker.counts(), WAIT).toMatchObject({ attached: 2, left: 0, frozen: 0 });
    again.sendCore('client-detach'); // a goodbye on the channel: the transport does not say why it ends
    again.detach();
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(1);
    await rests('left', 'stays');
  });

  it('[S-115] ends a tab that was left after the grace, and keeps one whose client only fell silent for longer', async () => {
    const started = await start({ leaveMs: 300, graceMs: 300, freezeMs: 500 });
    const { worker } = started;
    const client = await open(started, 'silent');
    const other = await open(started, 'other');
    client.detach();
    other.leave();
    await expect.poll(() => worker.counts(), WAIT).toMatchObject({ tabs: 1, left: 1, frozen: 1 });
    const again = await comeBack(started, client);
    expect(again.answer.tab_id).toBe(client.answer.tab_id);
    await ticking('silent');
    again.leave();
    await expect.poll(() => worker.counts(), WAIT).toMatchObject({ sessions: 0, tabs: 0, surrogates: 0, asleep: 1 });
  });

  it('freezes hidden pages after a time, and lets them go on when they are shown', async () => {
    const started = await start({ freezeMs: 1500 });
    const client = await open(started, 'hidden');
    const hiddenAt = performance.now();
    client.sendCore('hide-tab');
    await expect.poll(() => started.worker.counts(), WAIT).toMatchObject({ hidden: 1, frozen: 1 });
    expect(performance.now() - hiddenAt).toBeGreaterThan(1500);
    await expect.poll(() => evaluate(client, 'document.visibilityState'), WAIT).toBe('hidden');
    client.sendCore('show-tab');
    await expect.poll(() => started.worker.counts(), WAIT).toMatchObject({ hidden: 0, frozen: 0 });
    await ticking('hidden', 5);
    await expect.poll(() => evaluate(client, 'document.visibilityState'), WAIT).toBe('visible');
  });

  it('neither freezes nor discards pages that sound, transfer, hold a lock or work on a database, in frames and workers too', async () => {
    const started = await start({ freezeMs: 2000 });
    const { worker } = started;
    const names = Object.keys(REASONS) as (keyof typeof REASONS)[];
    const clients = new Map<string, TestClient>();
    for (const name of names) {
      const client = await open(started, name);
      const [begin, , isThere] = REASONS[name];
      await evaluate(client, begin);
      await expect.poll(() => evaluate(client, isThere, true), WAIT).toBe(true);
      client.sendCore('hide-tab');
      clients.set(name, client);
    }
    const plain = await open(started, 'plain');
    plain.sendCore('hide-tab');
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(1);
    for (const name of names) await ticking(name, 3); // they have been asked about meanwhile
    await relieved(worker);
    expect(worker.counts()).toMatchObject({ frozen: 0, discarded: 1 });
    worker.relieve(true);
    for (const name of names) await ticking(name, 2);
    expect(worker.counts()).toMatchObject({ frozen: 0, discarded: 1 });
    for (const name of names) await evaluate(clients.get(name)!, REASONS[name][1]);
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(names.length);
  });

  it('discards a hidden page where memory is short, and brings it back scrolled where it was', async () => {
    const started = await start({ freezeMs: 300 });
    const { worker } = started;
    const client = await open(started, 'short');
    const shown = await open(started, 'shown');
    await expect.poll(() => evaluate(client, 'scrollTo(0, 4321), scrollY'), WAIT).toBe(4321);
    client.sendCore('hide-tab');
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(1);
    await relieved(worker);
    expect(worker.counts()).toMatchObject({ discarded: 1, tabs: 2, attached: 2 });
    worker.relieve(true); // the other is looked at
    await ticking('shown');
    expect(worker.counts()).toMatchObject({ discarded: 1 });
    client.sendCore('show-tab');
    await expect.poll(() => worker.counts().discarded, WAIT).toBe(0);
    await ticking('short');
    await expect.poll(() => evaluate(client, 'scrollY'), WAIT).toBe(4321);
    expect(shown.closed).toBeUndefined();
  });

  it('keeps a discarded tab whose next page comes late, as browsers do on a busy machine', async () => {
    const started = await start({ freezeMs: 300 });
    const { worker } = started;
    const client = await open(started, 'late');
    const browser = browserOf(started);
    client.sendCore('hide-tab');
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(1);
    await relieved(worker, 10);
    worker.relieve(true); // no spare page is left
    await delay(50); // its page is closed
    process.kill(browser, 'SIGSTOP');
    client.sendCore('show-tab');
    client.sendCore('show-tab');
    await delay(1000);
    process.kill(browser, 'SIGCONT');
    await expect.poll(() => worker.counts().discarded, WAIT).toBe(0);
    await ticking('late');
    expect(client.closed).toBeUndefined();
    expect(worker.counts()).toMatchObject({ tabs: 1 });
  });

  it('brings a discarded tab back while its page is still being closed', async () => {
    const started = await start({ freezeMs: 300 });
    const { worker } = started;
    const client = await open(started, 'closing');
    const browser = browserOf(started);
    await expect.poll(() => evaluate(client, 'scrollTo(0, 4321), scrollY'), WAIT).toBe(4321);
    client.sendCore('hide-tab');
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(1);
    await delay(2 * CELL_LIMITS.spareMs); // the next page is there in advance
    worker.relieve(true);
    while (started.log.lines.every(([, said]) => said !== 'tab discarded')) await immediate(); // it reads this some ms later
    process.kill(browser, 'SIGSTOP');
    client.sendCore('show-tab');
    await delay(200);
    process.kill(browser, 'SIGCONT');
    await expect.poll(() => worker.counts().discarded, WAIT).toBe(0);
    await ticking('closing');
    await expect.poll(() => evaluate(client, 'scrollY'), WAIT).toBe(4321);
    expect(client.closed).toBeUndefined();
    expect(worker.counts()).toMatchObject({ tabs: 1 });
  });

  it('keeps a discarded tab whose browser is lost before it has the next page', async () => {
    const started = await start({ freezeMs: 300 });
    const { worker } = started;
    const client = await open(started, 'lost');
    const browser = browserOf(started);
    client.sendCore('hide-tab');
    await expect.poll(() => worker.counts().frozen, WAIT).toBe(1);
    await relieved(worker, 10);
    worker.relieve(true); // no spare page is left
    process.kill(browser, 'SIGSTOP');
    client.sendCore('show-tab');
    await delay(100);
    process.kill(browser, 'SIGKILL');
    await ticking('lost');
    expect(client.closed).toBeUndefined();
  });

  it('keeps only cookies and addresses of a person who is at none of their tabs, and restores them', async () => {
    const started = await start({ sleepMs: 1000, freezeMs: 500 });
    const { worker, dataDir } = started;
    const kept = (): string[] =>
      existsSync(path.join(dataDir, 'cookies')) ? readdirSync(path.join(dataDir, 'cookies')) : [];
    const one = await open(started, 'one');
    const two = await open(started, 'two');
    await expect.poll(() => evaluate(one, 'scrollTo(0, 1234), scrollY'), WAIT).toBe(1234);
    await expect.poll(kept, WAIT).toHaveLength(1);
    for (const client of [one, two]) client.detach();
    await expect.poll(() => worker.counts(), WAIT).toMatchObject({ sessions: 0, surrogates: 0, cells: 0, asleep: 1 });
    expect(kept()).toHaveLength(1);
    await expect(comeBack(started, one, BEN)).rejects.toMatchObject({ code: 'session-not-found' });
    const again = await comeBack(started, one);
    expect(again.answer.cid).not.toBe(one.answer.cid);
    await again.tellsOf('ready', (frame) => frame['url'] === url('one'), WAIT.timeout);
    await expect.poll(() => evaluate(again, 'scrollY'), WAIT).toBe(1234);
    expect(cookies.at(-1)).toBe('kept=1');
    await expect(comeBack(started, one)).rejects.toMatchObject({ code: 'session-not-found' });
    const other = await comeBack(started, two);
    await other.tellsOf('ready', (frame) => frame['url'] === url('two'), WAIT.timeout);
    expect(worker.counts()).toMatchObject({ sessions: 1, tabs: 2, attached: 2 });
  });

  it('forgets a person who does not come back', async () => {
    const started = await start({ sleepMs: 500, keepMs: 2000 });
    const { worker, dataDir } = started;
    const client = await open(started, 'forgotten');
    await expect.poll(() => readdirSync(path.join(dataDir, 'cookies')), WAIT).toHaveLength(1);
    client.detach();
    await expect.poll(() => worker.counts(), WAIT).toMatchObject({ sessions: 0 });
    await expect.poll(() => worker.counts().asleep, WAIT).toBe(0);
    await expect.poll(() => readdirSync(path.join(dataDir, 'cookies')), WAIT).toEqual([]);
    await expect(comeBack(started, client)).rejects.toMatchObject({ code: 'session-not-found' });
  });
});
