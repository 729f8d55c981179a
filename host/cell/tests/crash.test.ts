import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kill } from '../../../tests/e2e/support/processes.ts';
import { PAGE_BUDGETS } from '../../base/page-budgets.ts';
import { ANNA, BEN, browse, pairRequest, serveSite, startWorker } from './harness.ts';
import type { TestClient } from './harness.ts';

describe('a surrogate that is lost', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  const loads: string[] = [];
  beforeAll(async () => {
    site = await serveSite((host, path) => {
      loads.push(path);
      return `<!doctype html><title>${host}${path}</title><p>hello`;
    });
    started = await startWorker();
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });
  const readies = (client: TestClient): unknown[] =>
    client.told.filter(({ what }) => what === 'ready').map(({ data }) => data);

  it('is reported, and the page is reloaded at the same address, when the renderer crashes', async () => {
    const { worker } = started;
    const crashes = worker.counts().crashes;
    const client = await browse(worker, site.url('one.test', '/first'));
    await client.tellsOf('ready');
    await client.ask(`cdp Page.navigate ${JSON.stringify({ url: site.url('one.test', '/second') })}`);
    await client.tellsOf('ready', ({ url }) => url === site.url('one.test', '/second'));
    const before = readies(client).length;
    await client.ask('cdp Page.navigate {"url":"chrome://crash"}').catch(() => undefined); // refused: a page cannot crash it that way
    expect(worker.counts().crashes).toBe(crashes);
    killRenderers(pidOf(started.log));
    expect(await client.hears('surrogate-lost')).toMatchObject({ restored: true });
    await client.until(() => readies(client).length > before, 'ready again');
    expect(readies(client).at(-1)).toMatchObject({ id: 1, url: site.url('one.test', '/second') });
    expect(await client.ask('hi')).toBe(`hi in ${site.url('one.test', '/second')}`);
    // Chromium may have begun the new page in one of the processes that were killed.
    expect(worker.counts().crashes).toBeGreaterThan(crashes);
    expect(worker.counts().tabs).toBe(1);
  });

  it('[H7] leaves a page that was ended alone: it is not opened again when the blank page in its place crashes', async () => {
    const budgets = { ...PAGE_BUDGETS, messages: { soft: 50_000, hard: 100_000 } };
    const { worker, log, stop } = await startWorker({ limits: { budgets } });
    let visits = 0;
    const script = `setInterval(() => console.log('x'.repeat(200_000) + Math.random()), 20)`;
    const hostile = await serveSite((_host, path) => {
      if (path === '/hostile') visits++;
      return `<!doctype html><script>${script}</script>`;
    });
    const failures = (): unknown[] => client.told.filter(({ what }) => what === 'failed').map(({ data }) => data);
    const client = await browse(worker, hostile.url('one.test', '/hostile'));
    await client.until(() => failures().length === 1, 'the end of the page');
    await expect
      .poll(() => client.ask('cdp Runtime.evaluate {"expression":"1"}').catch(() => ''))
      .toContain('"value":1'); // the blank page has a process
    killRenderers(pidOf(log));
    await client.until(() => failures().length > 1, 'the same again');
    expect(failures()[1]).toEqual(failures()[0]);
    expect(client.core.map(([name]) => name)).not.toContain('surrogate-lost');
    expect(visits).toBe(1);
    await stop();
    hostile.close();
  });

  it('stays at its host when it is opened again: other sites do not take that for the person’s own request', async () => {
    const asked: { path: string; from: unknown; cookie: unknown }[] = [];
    let leads = false;
    const server = http.createServer(({ url: path = '', headers }, response) => {
      asked.push({ path, from: headers['sec-fetch-site'], cookie: headers.cookie });
      const location = `http://localhost:${port}/bank`;
      if (path === '/page' && leads) response.writeHead(302, { location }).end();
      else {
        const cookies = ['strict=1; SameSite=Strict', 'lax=1; SameSite=Lax'];
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies }).end(`<!doctype html>${path}`);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const { worker, log, stop } = await startWorker();
    // Loopback: browsers tell secure sites alone where requests come from.
    const bank = await browse(worker, `http://localhost:${port}/login`);
    await bank.tellsOf('ready');
    await worker.unpair(ANNA, { safe_rid: bank.answer.safe_rid ?? '' });
    const client = await browse(worker, `http://127.0.0.1:${port}/page`);
    await client.tellsOf('ready');
    const again = async (path: string): Promise<unknown> => {
      asked.length = 0;
      const before = readies(client).length;
      killRenderers(pidOf(log));
      await client.until(() => asked.some((each) => each.path === path), path);
      await client.until(
        () =>
          readies(client)
            .slice(before)
            .some((each) => JSON.stringify(each).includes(path)),
        'ready',
      );
      return asked.filter((each) => each.path === path).at(-1);
    };
    expect(await again('/page')).toMatchObject({ from: 'none', cookie: 'strict=1; lax=1' });
    leads = true;
    expect(await again('/bank')).toMatchObject({ from: 'cross-site', cookie: 'lax=1' });
    // Chromium may have begun it in one of the processes that were killed: it is opened once more.
    for (const each of asked.filter(({ path }) => path === '/bank'))
      expect(each).toMatchObject({ from: 'cross-site', cookie: 'lax=1' });
    await stop();
    server.closeAllConnections();
    server.close();
  });

  it('is replaced by a page at the person’s destination when the old one is unreachable', async () => {
    const { worker, log, stop } = await startWorker();
    const busy = `<!doctype html><script>for (let i = 0, x = 0; i < 1e9; i++) x += i;</script><p>busy`;
    const busySite = await serveSite((_host, path) => {
      loads.push(path);
      return path === '/busy' ? busy : `<!doctype html><p>${path}`;
    });
    const client = await browse(worker, busySite.url('one.test', '/busy'));
    await client.tellsOf('ready');
    process.kill(await busiest(pidOf(log)), 'SIGSTOP');
    const { cid = '', safe_rid = '', tab_id = '' } = client.answer;
    const url = busySite.url('one.test', '/elsewhere');
    await worker.repair(ANNA, cid, { ...pairRequest(url), safe_rid, tab_id });
    expect(await client.hears('surrogate-lost')).toMatchObject({ restored: true });
    await client.tellsOf('ready', (frame) => frame['url'] === url);
    expect(loads.filter((path) => path === '/busy' || path === '/elsewhere')).toEqual(['/busy', '/elsewhere']);
    expect(worker.counts()).toMatchObject({ crashes: 1, tabs: 1 });
    await stop();
    busySite.close();
  });

  it('closes all tabs of its person and of no other: they continue in another one', async () => {
    const { worker, log } = started;
    const one = await browse(worker, site.url('one.test', '/a'));
    const two = await browse(worker, site.url('two.test', '/b'));
    await Promise.all([one.tellsOf('ready'), two.tellsOf('ready')]);
    const bens = await browse(worker, site.url('ben.test', '/c'), BEN);
    await bens.tellsOf('ready');
    const lostPid = pidOf(log);
    process.kill(lostPid, 'SIGKILL');
    for (const [client, path] of [
      [one, '/a'],
      [two, '/b'],
    ] as const) {
      expect(await client.hears('surrogate-lost')).toMatchObject({ restored: true });
      await client.until(() => readies(client).length === 2, 'ready again');
      expect(await client.ask('hi')).toContain(path);
    }
    const lost = await one.until(() => log.lines.find(([, message]) => message === 'surrogate lost'));
    expect(lost[2]).toMatchObject({ surrogatePid: lostPid, why: 'exited', signal: 'SIGKILL' });
    expect((lost[2] as { stderr: unknown }).stderr).toBeInstanceOf(Array);
    expect(bens.core.filter(([name]) => name === 'surrogate-lost')).toEqual([]);
    expect(await bens.ask('hi')).toBe(`hi in ${site.url('ben.test', '/c')}`);
    expect(worker.counts()).toMatchObject({ sessions: 2, tabs: 4 });
  });

  it('restores a detached tab when its client attaches', async () => {
    const { worker, log, stop } = await startWorker();
    const [left, kept] = [
      await browse(worker, site.url('left.test', '/left')),
      await browse(worker, site.url('kept.test', '/kept')),
    ];
    await Promise.all([left.tellsOf('ready'), kept.tellsOf('ready')]);
    left.detach();
    await left.until(() => worker.counts().attached === 1, 'detached');
    process.kill(pidOf(log), 'SIGKILL');
    await kept.until(() => readies(kept).length === 2, 'ready again');
    expect(loads.filter((path) => path === '/left')).toHaveLength(1);

    await left.attach();
    expect(await left.hears('surrogate-lost')).toMatchObject({ restored: true });
    await left.until(() => readies(left).length === 2, 'ready again');
    expect(await left.ask('hi')).toContain('/left');
    expect(loads.filter((path) => path === '/left')).toHaveLength(2);
    await stop();
  });
});

/** The browser of the first person: the first that was taken. */
function pidOf(log: Awaited<ReturnType<typeof startWorker>>['log']): number {
  const started = log.lines.find(([, message]) => message === 'surrogate started')?.[2] as { surrogatePid: number };
  return started.surrogatePid;
}

/** Kills the processes that show pages, like a crash. */
function killRenderers(browser: number): void {
  // All at once, before the browser can reuse one of them for the page that it opens again.
  for (const pid of renderersOf(browser)) kill(pid);
}

function renderersOf(browser: number): number[] {
  return descendants(browser).filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    const command = existsSync(file) ? readFileSync(file, 'utf8') : ''; // it may end meanwhile
    return command.includes('--type=renderer') && !command.includes('--extension-process');
  });
}

/** Processor time of a process, in ticks. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** The process that shows pages and has worked for longer than all others together. */
async function busiest(browser: number): Promise<number> {
  const byTicks = (): (readonly [pid: number, ticks: number])[] =>
    renderersOf(browser)
      .map((pid) => [pid, ticksOf(pid)] as const)
      .sort(([, one], [, other]) => other - one);
  const lead = (): number => byTicks().reduce((left, [, ticks], index) => (index === 0 ? ticks : left - ticks), 0);
  await expect.poll(lead).toBeGreaterThan(20);
  return byTicks()[0]?.[0] ?? 0;
}

function descendants(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return new RegExp(`^PPid:\\s${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false; // it has ended meanwhile
      }
    })
    .flatMap((pid) => [pid, ...descendants(pid)]);
}
