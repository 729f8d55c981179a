import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { Page, Response } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants, kill } from './support/processes.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const running: RunningHost[] = [];
test.afterEach(async () => {
  await Promise.all(running.splice(0).map((host) => host.stop()));
});

/** A host on all addresses of this machine, and what it prints. */
async function exposed(folder: string, options: readonly string[], data = mkdtempSync(path.join(folder, 'data-'))) {
  const log = path.join(data, 'host.log');
  const host = await startHost({ allow: ['127.0.0.0/8'], options: ['--host', '0.0.0.0', ...options], data, log });
  running.push(host);
  const printed = (): Promise<string> => readFile(log, 'utf8');
  return { host, data, printed };
}

/** The link that a host has printed, at its address on loopback. */
async function linkOf({ host, printed }: Awaited<ReturnType<typeof exposed>>): Promise<string> {
  await expect.poll(printed).toMatch(/must be admitted: open http:\S+token=[\w-]{43} once/);
  const { pathname, search } = new URL(/open (\S+) once/.exec(await printed())?.[1] ?? '');
  return host.origin + pathname + search;
}

const isPaired = (response: Response): boolean => new URL(response.url()).pathname === '/r/pair';

async function isRefused(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'This browser is not admitted' })).toBeVisible();
}

test('[M4] [L8] a host beyond this machine serves the browsers that have opened its link, after a restart too, and logs nothing of it', async ({
  page,
  browser,
  site,
  folder,
}) => {
  site.on('/page', '<!doctype html><title>Page</title><h1>Here</h1>');
  const first = await exposed(folder, ['--log-level', 'debug', '--metrics', '127.0.0.1:0']);
  const { host, data, printed } = first;
  await isRefused(page, `${host.origin}/${site.origin}/page`);
  const link = await linkOf(first);

  await page.goto(link);
  expect(page.url()).toBe(`${host.origin}/`);
  const history = await page.evaluate(() => [
    document.referrer,
    ...performance.getEntriesByType('navigation').map(({ name }) => name),
  ]);
  expect(history.join(' ')).not.toContain('token');
  await page.goBack();
  expect(page.url()).not.toContain('token');

  const paired = page.waitForResponse(isPaired);
  await page.goto(`${host.origin}/${site.origin}/page`);
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Here');
  const ids = (await (await paired).json()) as Record<'cid' | 'tab_id' | 'safe_rid', string>;
  const stranger = await (await browser.newContext()).newPage();
  await isRefused(stranger, `${host.origin}/`);
  expect((await stranger.request.post(`${host.origin}/r/pair`, { data: {} })).status()).toBe(403);
  expect((await stranger.request.get(`${host.origin}/healthz`)).status()).toBe(200);

  expect((await page.request.get(`${host.origin}/metrics`)).status()).toBe(404);
  await expect.poll(printed).toMatch(/Metrics: \S+/);
  const metrics = /Metrics: (\S+)/.exec(await printed())?.[1] ?? '';
  await expect.poll(async () => (await fetch(metrics)).text()).toContain('vitrine_sessions 1');
  // Not for sites, whatever networks they may reach.
  await page.goto(`${host.origin}/${metrics}`);
  await expect(page.getByText('This is the isolation service itself')).toBeVisible();

  // A crash is what a host has much to say about.
  for (const { pid, command } of descendants(host.pid)) if (command.includes('--type=renderer')) kill(pid);
  await expect.poll(printed).toContain('page crashed');
  await host.stop();
  const said = (await printed()).replace(/Browsers must be admitted: .*/, '');
  expect(said).toContain('"cid":"#');
  for (const secret of [ids.cid, ids.tab_id, ids.safe_rid, new URL(link).search]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(said).not.toContain(secret);
  }

  const next = await exposed(folder, [], data);
  expect(new URL(await linkOf(next)).search).toBe(new URL(link).search);
  await page.goto(`${next.host.origin}/${site.origin}/page`);
  await expect(view(page).locator('h1')).toHaveText('Here');
});

test('[M4] a host beyond this machine that admits everybody says so', async ({ page, site, folder }) => {
  site.on('/page', '<!doctype html><h1>Here</h1>');
  const { host, printed } = await exposed(folder, ['--allow-anonymous']);
  await expect.poll(printed).toContain('Everybody who reaches this host may use it, because of --allow-anonymous.');
  expect(await printed()).not.toContain('token=');
  await page.goto(`${host.origin}/${site.origin}/page`);
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Here');
});

test('[L8] a host whose address for metrics is taken does not start', async ({ folder, shared }) => {
  const data = mkdtempSync(path.join(folder, 'data-'));
  const options = ['--metrics', `127.0.0.1:${shared.port}`];
  await expect(startHost({ allow: [], options, data })).rejects.toThrow(/ended with code 1.*EADDRINUSE/s);
});

test("[L11] the proxy of a person's browser takes nobody else's connections", async ({ page, site, folder }) => {
  site.on('/page', '<!doctype html><h1>Here</h1>');
  const host = await startHost({
    allow: [`127.0.0.1:${site.port}`],
    data: mkdtempSync(path.join(folder, 'data-')),
  });
  running.push(host);
  await page.goto(`${host.origin}/${site.origin}/page`);
  await shown(page);
  const flags = descendants(host.pid).map(
    ({ command }) => /--proxy-server=http:\/\/127\.0\.0\.1:(\d+)/.exec(command)?.[1],
  );
  const port = Number(flags.find((found) => found !== undefined));
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(`CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  // Without root the browser runs as the same user as this test: its connections are not told apart.
  expect(answer).toMatch(process.getuid?.() === 0 ? /^$/ : /^HTTP\/1\.1 200/);
});
