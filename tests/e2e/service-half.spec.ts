import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants, isRunning } from './support/processes.ts';
import { expect, shown, test } from './support/vitrine.ts';

/** The bytes of the fixture's host half. */
const DIGEST = createHash('sha256')
  .update(Buffer.concat(Array.from({ length: 6 }, (_, at) => Buffer.alloc(100_000, at))))
  .digest('hex')
  .slice(0, 8);

/** Data folder of a test’s host. */
const dataOf = (folder: string): string => path.join(folder, test.info().testId);

let host: RunningHost;
test.beforeEach(async ({ site, folder }) => {
  site.on('/page', '<!doctype html><title>Page</title><p>text');
  const plugin = path.resolve(import.meta.dirname, '../fixtures/shared-digest');
  const options = ['--plugins', plugin];
  const env = { VITRINE_SHARED_DIGEST_KEY: 'secret' };
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options, env, data: dataOf(folder) });
});
test.afterEach(() => host.stop());

/** Process ids of cells and service halves, which run the same program. */
const programs = (): number[] =>
  descendants(host.pid)
    .filter(({ command }) => command.includes('cell.mjs'))
    .map(({ pid }) => pid);

const uidOf = (pid: number): string => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

async function open(page: Page, site: string): Promise<ReturnType<Page['locator']>> {
  await page.goto(`${host.origin}/${site}/page`);
  await shown(page);
  return page.locator('#vitrine-overlay').getByRole('region', { name: 'Digest' });
}

async function ask(panel: ReturnType<Page['locator']>, answer: string | RegExp): Promise<void> {
  await panel.getByRole('button', { name: 'Make' }).click();
  await expect(panel.locator('output')).toHaveText(answer);
}

/** Waits until a service half that has ended is there again. */
async function servesAgain(page: Page): Promise<void> {
  const metrics = async (): Promise<string> => (await page.request.get(`${host.origin}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^vitrine_faults_total\{from="plugin",code="service-ended"\} 1$/m);
  await expect.poll(metrics).toMatch(/^vitrine_services 1$/m);
}

test('a service half of a plugin from outside runs once per host, and again when it has ended', async ({
  page,
  browser,
  site,
}) => {
  const anna = await open(page, site.origin);
  const other = await (await browser.newContext()).newPage();
  const ben = await open(other, site.origin);
  await expect.poll(() => programs().length).toBe(2);
  const cells = programs();

  await ask(anna, `${DIGEST}, 600000 bytes back, 1 calls of 1 people`);
  await ask(ben, `${DIGEST}, 600000 bytes back, 2 calls of 2 people`);
  const services = programs().filter((pid) => !cells.includes(pid));
  expect(services).toHaveLength(1);
  const [service = NaN] = services; // never 0, which names a whole group
  if (process.getuid?.() === 0) {
    expect(uidOf(service)).not.toBe('0');
    expect(cells.map(uidOf)).not.toContain(uidOf(service));
  } else expect(cells.map(uidOf)).toContain(uidOf(service));
  expect(await (await page.request.get(`${host.origin}/metrics`)).text()).toMatch(/^vitrine_services 1$/m);

  process.kill(service, 'SIGKILL');
  await expect.poll(() => isRunning(service)).toBe(false);
  await servesAgain(page);
  await ask(anna, `${DIGEST}, 600000 bytes back, 1 calls of 1 people`);
  expect(programs()).toEqual(expect.arrayContaining(cells));

  const all = programs();
  await host.stop();
  await expect.poll(() => all.filter(isRunning)).toEqual([]);
  await other.context().close();
});

test(
  'a service half that freezes is replaced; nobody is kept waiting for it longer than the deadline',
  { tag: '@long' },
  async ({ page, site }) => {
    const panel = await open(page, site.origin);
    await expect.poll(() => programs().length).toBe(1);
    const cells = programs();
    await ask(panel, /1 calls of 1 people$/);
    const [service = NaN] = programs().filter((pid) => !cells.includes(pid));
    process.kill(service, 'SIGSTOP');
    await ask(panel, /^service-(gone|timeout)$/);
    await expect.poll(() => isRunning(service)).toBe(false);
    await servesAgain(page);
    await ask(panel, /1 calls of 1 people$/);
  },
);

test('a service half has its options, and its last records are not lost', async ({ page, site, folder }) => {
  const panel = await open(page, site.origin);
  await ask(panel, /1 calls of 1 people/);
  const metrics = async (): Promise<string> => (await page.request.get(`${host.origin}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^vitrine_plugin_shared_digest_digests_total 1$/m);
  await ask(panel, /2 calls of 1 people/);
  await host.stop(); // at once: what it has not sent yet is sent before it ends
  const lines = readFileSync(path.join(dataOf(folder), 'events/shared-digest.digests.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const line = { at: expect.any(String) as unknown, event: { bytes: 600_000, hasKey: true } };
  expect(lines.map((each) => JSON.parse(each) as unknown)).toEqual([line, line]);
});
