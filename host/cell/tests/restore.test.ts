import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keptCookies } from '../../base/kept-cookies.ts';
import { ANNA, BEN, browse, policyOf, startWorker } from './harness.ts';
import type { TestClient } from './harness.ts';

/** A site that sets cookies of all kinds, and reports those that it receives. */
async function cookieSite() {
  const got: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/page') got.push(request.headers.cookie ?? '');
    const cookies = [
      'session=1; HttpOnly',
      'kept=2; Max-Age=3600; SameSite=Strict',
      'all=3; Domain=shop.test; Path=/page',
    ];
    response.writeHead(200, { 'content-type': 'text/html', ...(!request.headers.cookie && { 'set-cookie': cookies }) });
    response.end(`<!doctype html><title>${request.url}</title>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    got,
    url: (host: string) => `http://${host}:${port}/page`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Started = Awaited<ReturnType<typeof startWorker>>;
const ready = (client: TestClient, times = 1): Promise<unknown> =>
  client.until(() => client.told.filter(({ what }) => what === 'ready').length >= times, 'ready', WAIT.timeout);
const files = (dataDir: string): string[] => {
  const folder = path.join(dataDir, 'cookies');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const WAIT = { timeout: 90_000, interval: 100 };
/** Cookies of nobody, as a cell writes them. */
const NONE = Buffer.from('[]');
const ALL = ['all=3', 'kept=2', 'session=1'];
const sorted = (cookies: string | undefined): string[] => (cookies ?? '').split('; ').sort();

describe('the cookies of a person', { timeout: 300_000 }, () => {
  let site: Awaited<ReturnType<typeof cookieSite>>;
  const running: Started[] = [];
  beforeAll(async () => {
    site = await cookieSite();
  });
  afterAll(() => site.close());
  afterEach(async () => {
    site.got.length = 0;
    for (const each of running.splice(0)) await each.stop();
  });
  const start = async (...options: Parameters<typeof startWorker>): Promise<Started> => {
    const started = await startWorker(...options);
    running.push(started);
    return started;
  };
  const surrogatePid = ({ log }: Started): number =>
    (log.lines.find(([, message]) => message === 'surrogate started')?.[2] as { surrogatePid: number }).surrogatePid;
  const cookiesIn = async (dataDir: string): Promise<unknown[]> =>
    JSON.parse(String((await keptCookies(dataDir).find(ANNA.subject)) ?? '[]')) as unknown[];
  const allKept = ({ dataDir }: Started): Promise<void> =>
    expect.poll(async () => (await cookiesIn(dataDir)).length, WAIT).toBe(ALL.length);

  it('are restored with the tabs when a surrogate is killed, for that person only', async () => {
    const started = await start();
    const { worker } = started;
    const client = await browse(worker, site.url('www.shop.test'));
    await ready(client);
    await allKept(started);
    process.kill(surrogatePid(started), 'SIGKILL');
    expect(await client.hears('surrogate-lost')).toMatchObject({ restored: true });
    await ready(client, 2);
    expect(site.got.map(sorted)).toEqual([[''], ALL]);
    // A host-only cookie is not sent to the hosts below it.
    await browse(worker, site.url('a.www.shop.test')).then((other) => ready(other));
    expect(sorted(site.got.at(-1))).toEqual(['all=3']);
    await browse(worker, site.url('www.shop.test'), BEN).then((bens) => ready(bens));
    expect(site.got.at(-1)).toBe('');
  });

  it('outlive a killed host, for their own person and as long as an idle tab', async () => {
    const dead = await start();
    await browse(dead.worker, site.url('www.shop.test')).then((client) => ready(client));
    await allKept(dead);
    const kept = keptCookies(dead.dataDir);
    const cookies = await kept.find(ANNA.subject);
    expect(statSync(path.join(dead.dataDir, 'cookies')).mode & 0o077).toBe(0);

    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-kept-'));
    const next = keptCookies(dataDir);
    await next.keep(ANNA.subject, cookies ?? NONE);
    await next.keep(BEN.subject, NONE);
    for (const name of files(dataDir)) utimesSync(path.join(dataDir, 'cookies', name), 0, (Date.now() - 60_000) / 1000);
    const { worker } = await start({ dataDir });
    await browse(worker, site.url('www.shop.test')).then((client) => ready(client));
    expect(sorted(site.got.at(-1))).toEqual(ALL);
    await browse(worker, site.url('www.shop.test'), BEN).then((client) => ready(client));
    expect(site.got.at(-1)).toBe('');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('are deleted when the session ends normally, and when the person does not return', async () => {
    const started = await start();
    await browse(started.worker, site.url('www.shop.test')).then((client) => ready(client));
    await allKept(started);
    await started.worker.drain('test');
    expect(files(started.dataDir)).toEqual([]);

    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-kept-'));
    await keptCookies(dataDir).keep('carl', NONE);
    await start({ dataDir, limits: { idleMs: 300 } });
    await expect.poll(() => files(dataDir), WAIT).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('are not kept, and tabs are not restored, where policy does not allow restore_tab', async () => {
    const policy = await policyOf(`
tenants:
  default:
    policy:
      client_capabilities:
        restore_tab: false
`);
    const started = await start({ policy });
    const client = await browse(started.worker, site.url('www.shop.test'));
    await ready(client);
    process.kill(surrogatePid(started), 'SIGKILL');
    expect(await client.hears('surrogate-lost')).toMatchObject({ restored: false });
    expect(files(started.dataDir)).toEqual([]);
    expect(started.worker.counts().tabs).toBe(0);
    await browse(started.worker, site.url('www.shop.test')).then((next) => ready(next));
    expect(site.got).toEqual(['', '']);
  });
});
