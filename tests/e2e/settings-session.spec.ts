import type { Page } from 'playwright/test';
import { Shaper } from '../faults/shaper.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { loaded } from './support/loaded.ts';
import { look } from './support/painted.ts';
import type { Seen } from './support/painted.ts';
import { PolicyFile } from './support/policy-file.ts';
import { descendants, kill } from './support/processes.ts';
import { ofPage, withText } from './support/far-page.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const PAGE = '<!doctype html><title>Page</title><style>h1 { margin: 0; height: 300px }</style><h1>page</h1>';
let policy: PolicyFile;
let host: RunningHost;
test.beforeEach(async ({ site, folder, page }) => {
  policy = new PolicyFile(folder);
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--policy', policy.path] });
  site.on('/page', PAGE);
  await page.goto(`${host.origin}/${site.origin}/page`);
  await shown(page);
});
test.afterEach(() => host.stop());

const paints = (tab: Page, seen: Readonly<Partial<Record<keyof Seen, unknown>>>) =>
  expect.poll(() => tab.evaluate(look).catch(() => undefined)).toMatchObject(seen);

test('client_capabilities.enable_reconnect_banner: a tab that has lost the host counts down, or only says that it is lost', async ({
  page,
  site,
  context,
}) => {
  await policy.decide(page, { client_capabilities: { enable_reconnect_banner: false } });
  const plain = await context.newPage();
  await plain.goto(`${host.origin}/${site.origin}/page`);
  await shown(plain);
  // Nothing can be fetched once the host has stopped.
  await loaded(page, 'reconnect.banner');
  await loaded(plain, 'reconnect');
  const failed: string[] = [];
  plain.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
  await host.stop();
  for (const tab of [page, plain]) {
    await paints(tab, { state: 'detached', page: 'page' });
    await expect(tab.locator('#vitrine-notice')).toContainText('connection is lost');
  }
  await page.bringToFront();
  await expect(page.locator('.vitrine-banner')).toContainText(/reload/i);
  await plain.bringToFront();
  // Its check fails, after which it would say so.
  await expect.poll(() => failed).toContainEqual(expect.stringContaining('traffic-check'));
  await expect(plain.locator('.vitrine-banner')).toHaveCount(0);
});

test('client_capabilities.disable_long_poll: without websockets a tab is served by polls, or says why it is not', async ({
  page,
  site,
  context,
}) => {
  const behind = await Shaper.start(Number(new URL(host.origin).port));
  behind.fateOf = (line) =>
    / \/r\/(websocket|wsecho)\?/.test(line)
      ? { answer: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' }
      : undefined;
  const tab = await context.newPage();
  await tab.goto(`${behind.origin}/${site.origin}/page`);
  await paints(tab, { state: 'ready', page: 'page' });
  await policy.decide(page, { client_capabilities: { disable_long_poll: true } });
  const polls: string[] = [];
  const other = await context.newPage();
  other.on('request', (request) => polls.push(new URL(request.url()).pathname));
  await other.goto(`${behind.origin}/${site.origin}/page`);
  await paints(other, { state: 'error', error: expect.stringContaining('cannot be shown') });
  expect(polls).not.toContain('/r/p');
  await behind.close();
});

test('client_capabilities.restore_tab: a tab whose browser is lost comes back, or says that it does not', async ({
  page,
}) => {
  const end = (): void => {
    for (const { pid, command } of descendants(host.pid))
      if (command.includes('--remote-debugging-pipe') && !command.includes('--type=')) kill(pid);
  };
  end();
  await expect(page.locator('#vitrine-notice')).toContainText('text typed into it is lost');
  await paints(page, { state: 'ready', page: 'page' });
  await policy.decide(page, { client_capabilities: { restore_tab: false } });
  end();
  await paints(page, { state: 'error', error: expect.stringContaining('isolated browser has stopped') });
});

test('client_capabilities.local_echo.enabled: the browser loads nothing that shows typing ahead, or does', async ({
  page,
  site,
  context,
}) => {
  site.on('/line', withText('<input>'));
  /** Has somebody type into a tab with these settings; the list of all that it asks for then and later. */
  const typedIn = async (settings: object): Promise<readonly string[]> => {
    await policy.decide(page, { client_capabilities: { local_echo: settings } });
    const tab = await context.newPage();
    const asked: string[] = []; // what has been asked for need not have come
    tab.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await tab.goto(`${host.origin}/${site.origin}/line`);
    await shown(tab);
    await loaded(tab, 'popups'); // as all others that load when the page is idle
    await view(tab).locator('input').click();
    await tab.keyboard.type('abc');
    await ofPage(view(tab), 'abc');
    return asked;
  };
  const ahead = (asked: readonly string[]): string[] => asked.filter((name) => name.includes('local-echo.start'));
  const [without, usual] = [await typedIn({ enabled: false }), await typedIn({})];
  await expect.poll(() => ahead(usual)).toHaveLength(1);
  expect(ahead(without)).toEqual([]);
});
