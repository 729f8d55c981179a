import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants, isRunning, kill } from './support/processes.ts';
import { loaded } from './support/loaded.ts';
import { look } from './support/painted.ts';
import type { Answer } from './support/site.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** A page that shows the cookie of its request, and sets a session cookie. */
const cookiePage =
  (visits: string[]): Answer =>
  ({ headers: { cookie = 'none' } }, response) => {
    visits.push(cookie);
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'who=anna; HttpOnly' });
    response.end(`<!doctype html><title>Second</title><h1 id="cookie" style="margin: 0; height: 300px">${cookie}</h1>`);
  };

let host: RunningHost;
let data: string;
let visits: string[];
test.beforeEach(async ({ site, folder }) => {
  visits = [];
  data = mkdtempSync(path.join(folder, 'data-'));
  site.on('/first', '<!doctype html><title>First</title><a id="next" href="/second">next</a>');
  site.on('/second', cookiePage(visits));
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--warm-cells', '1'], data });
});
test.afterEach(() => host.stop());

/** Whether the host has kept the cookie, which the surrogate is asked for once the page is loaded. */
function isKept(): boolean {
  const folder = path.join(data, 'cookies');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return files.some((name) => readFileSync(path.join(folder, name), 'utf8').includes('anna'));
}

/** Opens the first page and follows its link to the second: that is where the tab must come back. */
async function browse(page: Page, site: string): Promise<void> {
  await page.goto(`${host.origin}/${site}/first`);
  await shown(page);
  await view(page).locator('#next').click();
  await expect(view(page).locator('#cookie')).toHaveText('none');
  await expect(page).toHaveURL(`${host.origin}/${site}/second`);
  await expect.poll(() => visits.length).toBe(1);
  await expect.poll(isKept).toBe(true);
}

const back = async (page: Page): Promise<void> => {
  await expect(view(page).locator('#cookie')).toHaveText('who=anna');
  const seen = { state: 'ready', title: 'Second', page: 'who=anna' };
  await expect.poll(() => page.evaluate(look)).toMatchObject(seen);
};
const told = (page: Page) => expect(page.locator('#vitrine-notice')).toContainText('text typed into it is lost');

const surrogates = (): number[] =>
  descendants(host.pid)
    .filter(({ command }) => command.includes('--remote-debugging-pipe') && !command.includes('--type='))
    .map(({ pid }) => pid);

test('comes back at its address when the renderer is killed', async ({ page, site }) => {
  await browse(page, site.origin);
  const renderers = descendants(host.pid).filter(
    ({ command }) => command.includes('--type=renderer') && !command.includes('--extension-process'),
  );
  expect(renderers.length).toBeGreaterThan(0);
  for (const { pid } of renderers) kill(pid);
  await told(page);
  await back(page);
  await expect(page).toHaveURL(`${host.origin}/${site.origin}/second`);
});

test(
  'comes back at its address, with its cookies, when the surrogate is killed',
  { tag: '@long' },
  async ({ page, site }) => {
    await browse(page, site.origin);
    process.kill(Math.min(...surrogates()), 'SIGKILL'); // theirs: the other is one that was launched in advance, in its place
    await told(page);
    await back(page);
    await expect(page).toHaveURL(`${host.origin}/${site.origin}/second`);
    // The history entries of the lost browser still work.
    await page.goBack();
    await expect(view(page).locator('#next')).toBeVisible();
    await page.goForward();
    await back(page);
  },
);

test('comes back with its cookies when the surrogate and the prelaunched one are killed', async ({ page, site }) => {
  await browse(page, site.origin);
  for (const pid of surrogates()) kill(pid);
  await told(page);
  await back(page);
  await expect(page).toHaveURL(`${host.origin}/${site.origin}/second`);
});

test('comes back automatically, with its cookies, when the host is killed and restarted', async ({ page, site }) => {
  await browse(page, site.origin);
  await loaded(page, 'reconnect'); // nothing can be fetched once the host is gone
  const left = descendants(host.pid);
  const port = Number(new URL(host.origin).port);
  await host.kill();
  await expect(page.locator('#vitrine-notice')).toContainText('Still trying to reach');
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], data, port });
  await told(page);
  await back(page);
  await expect(page).toHaveURL(`${host.origin}/${site.origin}/second`);
  // The history entries of the lost host still work.
  await page.goBack();
  await expect(view(page).locator('#next')).toBeVisible();
  await expect(page).toHaveURL(`${host.origin}/${site.origin}/first`);
  await page.goForward();
  await back(page);
  await expect.poll(() => left.filter(({ pid }) => isRunning(pid)).map(({ command }) => command)).toEqual([]);
});
