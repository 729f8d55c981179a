import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { metric } from '../bench/host-metrics.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants } from './support/processes.ts';
import { expect, shown, test, view } from './support/vitrine.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** Times of the host, in seconds. */
const LEAVE = 6;
const SLOW = { timeout: PATIENCE_MS };

let host: RunningHost;
test.beforeEach(async ({ site, folder }) => {
  site.on(
    '/page',
    '<!doctype html><title>Page</title><h1>Page</h1><script>setInterval(() => fetch("/tick"), 200)</script>',
  );
  site.on(
    '/form',
    '<!doctype html><title>Form</title><input aria-label="text"><script>setInterval(() => fetch("/tock"), 200)</script>',
  );
  const options = ['--max-cells', '2', '--leave-time', String(LEAVE), '--freeze-time', '2', '--make-room-time', '60'];
  const data = mkdtempSync(path.join(folder, 'data-'));
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options, data });
});
test.afterEach(() => host.stop());

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${host.origin}/${address}`);
  await shown(page);
};
const processes = (): number => descendants(host.pid).filter(({ command }) => command.includes('cell.mjs')).length;

test('[S-058] a person who has to wait reads why, in the language of the browser, and is let in once there is room', async ({
  browser,
  site,
}) => {
  const people = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()));
  for (const page of people) await open(page, `${site.origin}/page`);
  const waiting = await (await browser.newContext({ locale: 'de-DE' })).newPage();
  const answer = await waiting.goto(`${host.origin}/${site.origin}/page#part`);
  expect(answer?.status()).toBe(503);
  await expect(waiting.getByRole('heading')).toHaveText('Warten auf einen freien Platz');
  await expect(waiting.getByRole('status')).toHaveText('Ihr Platz in der Warteschlange: 1');
  const second = await (await browser.newContext({ locale: 'ar' })).newPage();
  await second.goto(`${host.origin}/${site.origin}/page`);
  await expect(second.getByRole('status')).toHaveText('ترتيبك في قائمة الانتظار: 2');
  await expect(second.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await metric(host.origin, 'vitrine_people_waiting')).toBe(2);
  await second.close();

  await people[0]?.close(); // gone for good: its tab ends after the grace
  await expect(waiting.locator('html[data-vitrine-state="ready"]')).toBeAttached(SLOW);
  await expect(view(waiting).locator('h1')).toHaveText('Page');
  expect(new URL(waiting.url()).hash).toBe('#part');
  expect(await metric(host.origin, 'vitrine_cells')).toBeLessThanOrEqual(2);
});

test('[S-115] back from another site finds the page as it was left; who stays away leaves nothing running', async ({
  browser,
  site,
}) => {
  const page = await (await browser.newContext()).newPage();
  await open(page, `${site.origin}/form`);
  await view(page).getByLabel('text').fill('typed');
  await page.goto(`${site.origin}/page`); // without the service
  await expect.poll(() => metric(host.origin, 'vitrine_tabs_left'), SLOW).toBe(1);
  await expect.poll(() => metric(host.origin, 'vitrine_tabs_frozen'), SLOW).toBe(1);
  expect(await metric(host.origin, 'vitrine_unattended_bytes')).toBeGreaterThan(10_000_000);
  await page.goBack();
  await shown(page);
  await expect(view(page).getByLabel('text')).toHaveValue('typed');
  await page.close();
  await expect.poll(processes, SLOW).toBe(0);
  expect(await metric(host.origin, 'vitrine_sessions')).toBe(0);
  expect(await metric(host.origin, 'vitrine_unattended_bytes')).toBe(0);
});

test('a hidden page with text that would be lost goes on, another is frozen', async ({ browser, site }) => {
  const context = await browser.newContext();
  const [plain, edited] = [await context.newPage(), await context.newPage()];
  await open(plain, `${site.origin}/page`);
  await open(edited, `${site.origin}/form`);
  await view(edited).getByLabel('text').click();
  await edited.keyboard.type('unsaved');
  await expect(view(edited).getByLabel('text')).toHaveValue('unsaved');
  for (const page of [plain, edited])
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
  await expect.poll(() => metric(host.origin, 'vitrine_tabs_frozen'), SLOW).toBe(1);
  const ticks = (path: string): number => site.requests.filter((request) => request === `GET ${path}`).length;
  const [frozenAt, goesAt] = [ticks('/tick'), ticks('/tock')];
  await expect.poll(() => ticks('/tock'), SLOW).toBeGreaterThan(goesAt + 4);
  expect(ticks('/tick') - frozenAt).toBeLessThan(2);
  expect(await metric(host.origin, 'vitrine_tabs_frozen')).toBe(1);
});
