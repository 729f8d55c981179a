import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { loaded } from './support/loaded.ts';
import { descendants, kill } from './support/processes.ts';
import { iconWidth, look } from './support/painted.ts';
import type { Seen } from './support/painted.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const textOf = (name: string): string =>
  `<!doctype html><title>Title of ${name}</title><link rel=icon href="/${name}.svg"><style>body { margin: 0 } h1 { margin: 0; height: 300px }</style>
  <h1>${name}</h1><a href="/half">half</a> <a href="/mute">mute</a>`;
/** Widths of the pages' icons, in px. */
const ICONS = { whole: 11, half: 12, late: 13 };
const svg = (width: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="16"><rect width="9" height="9"/></svg>`;

let host: RunningHost;
let data: string;
let isWhole: boolean;
test.beforeEach(async ({ site, folder }) => {
  isWhole = false;
  data = mkdtempSync(path.join(folder, 'data-'));
  site.on('/whole', textOf('whole'));
  for (const [name, width] of Object.entries(ICONS))
    site.on(`/${name}.svg`, (_, response) =>
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg(width)),
    );
  site.on('/mute', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<h1 style="height:300px">mute</h1>'.padEnd(5000));
    if (isWhole) response.end('<title>No more</title>');
  });
  site.on('/half', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write(textOf('half').padEnd(5000));
    if (isWhole) response.end();
  });
  site.on('/late', (_request, response) => {
    if (isWhole) response.writeHead(200, { 'content-type': 'text/html' }).end(textOf('late'));
  });
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--warm-cells', '1'], data });
});
test.afterEach(() => host.stop());

/** Ends the host in good order, and starts another in its place. */
async function restart(port: number): Promise<void> {
  await host.stop();
  host = await startHost({ allow: [`127.0.0.1:${port}`], data, port: Number(new URL(host.origin).port) });
}

const paints = (page: Page, seen: Readonly<Partial<Record<keyof Seen, unknown>>>) =>
  expect.poll(() => page.evaluate(look).catch(() => undefined)).toMatchObject(seen);
const hasIcon = (page: Page, width: number) => expect.poll(() => page.evaluate(iconWidth).catch(() => -1)).toBe(width);
/** Title of a page whose content is not shown. */
const named = (site: string) => ({ title: new URL(site).host, icon: 'data:,' });

test('a host that ends leaves what is painted, of a page that is loading, too, and it comes back', async ({
  page,
  site,
}) => {
  await page.goto(`${host.origin}/${site.origin}/whole`);
  await shown(page);
  await paints(page, { state: 'ready', page: 'whole', title: 'Title of whole' });
  const other = await page.context().newPage();
  await other.goto(`${host.origin}/${site.origin}/whole`);
  await shown(other);
  await view(other).getByRole('link', { name: 'half' }).click();
  // Title and address come by another way than the content.
  await paints(other, { state: 'loading', page: 'half', title: 'Title of half', address: `${site.origin}/half` });
  await hasIcon(page, ICONS.whole);
  await hasIcon(other, ICONS.half);
  for (const tab of [page, other]) await loaded(tab, 'reconnect'); // nothing can be fetched once the host has stopped
  const icons = { whole: (await page.evaluate(look)).icon, half: (await other.evaluate(look)).icon };

  await host.stop();
  for (const [tab, name] of [
    [page, 'whole'],
    [other, 'half'],
  ] as const) {
    await paints(tab, { state: 'detached', page: name, title: `Title of ${name}`, icon: icons[name] });
    await expect(tab.locator('#vitrine-notice')).toContainText('connection is lost');
  }
  isWhole = true;
  await restart(site.port);
  for (const [tab, name] of [
    [page, 'whole'],
    [other, 'half'],
  ] as const) {
    await paints(tab, { state: 'ready', page: name, title: `Title of ${name}` });
    await hasIcon(tab, ICONS[name]);
    await expect(tab.locator('#vitrine-notice')).not.toBeVisible();
  }
});

test('a page that does not say its title has neither that of the page before it nor its icon', async ({
  page,
  site,
}) => {
  await page.goto(`${host.origin}/${site.origin}/whole`);
  await paints(page, { state: 'ready', title: 'Title of whole' });
  await hasIcon(page, ICONS.whole);
  await view(page).getByRole('link', { name: 'mute' }).click();
  const mute = { page: 'mute', address: `${site.origin}/mute` };
  await paints(page, { ...mute, ...named(site.origin), state: 'loading' });
  isWhole = true;
  await page.reload();
  await paints(page, { ...mute, state: 'ready', title: 'No more', icon: 'data:,' });
});

test('a host that ends before anything is shown leaves the reason, and a way to try again', async ({ page, site }) => {
  await page.goto(`${host.origin}/${site.origin}/late`);
  await expect.poll(() => site.requests).toContain('GET /late');
  await paints(page, { state: 'loading' });
  await host.stop();
  const ended = { state: 'error', ...named(site.origin), error: expect.stringContaining('cannot be shown') };
  await paints(page, ended);
  isWhole = true;
  await restart(site.port);
  await page.getByRole('button', { name: 'Try again' }).click();
  await paints(page, { state: 'ready', page: 'late', title: 'Title of late' });
});

test('a page whose process ends again and again leaves the reason, and a way to try again', async ({ page, site }) => {
  site.on('/first', textOf('first').replace('/half', '/whole'));
  await page.goto(`${host.origin}/${site.origin}/first`);
  await view(page).getByRole('link', { name: 'half' }).click();
  await paints(page, { state: 'ready', page: 'whole' });
  const isOver = (): Promise<boolean> =>
    page.evaluate(() => document.documentElement.dataset['vitrineState'] === 'error');
  const visits = (): number => site.requests.filter((request) => request === 'GET /whole').length;
  for (let times = 0; times < 8 && !(await isOver()); times++) {
    const before = visits();
    for (const { pid, command } of descendants(host.pid))
      if (command.includes('--type=renderer') && !command.includes('--extension-process')) kill(pid);
    await expect.poll(async () => (await isOver()) || visits() > before).toBe(true);
    if (!(await isOver())) await paints(page, { state: 'ready', page: 'whole' });
  }
  await paints(page, {
    state: 'error',
    ...named(site.origin),
    error: expect.stringContaining('isolated browser has stopped'),
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await paints(page, { state: 'ready', page: 'whole', title: 'Title of whole' });
  await page.goBack();
  await paints(page, { state: 'ready', page: 'first', title: 'Title of first', address: `${site.origin}/first` });
});
