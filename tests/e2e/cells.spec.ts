import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants, isRunning } from './support/processes.ts';
import { expect, shown, test, view } from './support/vitrine.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

let host: RunningHost;
/** Data folder of the host. */
let data: string;
test.beforeEach(async ({ site, folder }) => {
  site.on('/page', ({ headers: { cookie = 'none' } }, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'who=anna; HttpOnly' });
    response.end(`<!doctype html><title>Page</title><p id="cookie">${cookie}</p><input aria-label="text">`);
  });
  data = mkdtempSync(path.join(folder, 'data-'));
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--warm-cells', '1'], data });
});
test.afterEach(() => host.stop());

/** Process ids of the cells, the oldest first. */
const cells = (): number[] =>
  descendants(host.pid)
    .filter(({ command }) => command.includes('cell.mjs'))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);

/** The cookies of all people that the host has written down. */
function keptCookies(): string {
  const cookies = path.join(data, 'cookies');
  const files = existsSync(cookies) ? readdirSync(cookies).filter((name) => name.endsWith('.json')) : [];
  return files.map((name) => readFileSync(path.join(cookies, name), 'utf8')).join();
}

async function open(page: Page, site: string): Promise<void> {
  await page.goto(`${host.origin}/${site}/page`);
  await shown(page);
  await expect(view(page).locator('#cookie')).toHaveText('none');
}

/** Types into another person's page: the characters must come through the whole path. */
async function types(page: Page, text: string): Promise<void> {
  const field = view(page).getByLabel('text');
  await field.click();
  await page.keyboard.type(text);
  await expect(field).toHaveValue(new RegExp(`${text}$`));
}

/** Has a cell allocate until it is ended, by Node's inspector, which a signal opens. */
async function fillMemory(pid: number): Promise<void> {
  process.kill(pid, 'SIGUSR1');
  let address = '';
  const find = async (): Promise<string> => {
    const targets = (await (await fetch('http://127.0.0.1:9229/json')).json()) as { webSocketDebuggerUrl: string }[];
    return (address = targets[0]?.webSocketDebuggerUrl ?? '');
  };
  await expect.poll(() => find().catch(() => '')).not.toBe('');
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const expression = 'globalThis.kept = []; setInterval(() => kept.push(Buffer.alloc(5e7, 1)), 50); 1';
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
}

for (const [how, harm] of [
  ['is killed', (pid: number) => process.kill(pid, 'SIGKILL')],
  ['freezes', (pid: number) => process.kill(pid, 'SIGSTOP')],
  ['fills its memory', fillMemory],
] as const) {
  test(`a cell that ${how} is replaced: its person is told and comes back, others are not affected`, async ({
    page,
    browser,
    site,
  }) => {
    let first = NaN; // never 0, which names a whole group
    await expect
      .poll(() => {
        const found = cells();
        [first = NaN] = found;
        return found.length;
      })
      .toBe(1);
    await open(page, site.origin);
    await expect.poll(keptCookies).toContain('"who"'); // what the next cell begins with
    const other = await (await browser.newContext()).newPage();
    await open(other, site.origin);

    const told = expect(page.locator('#vitrine-notice')).toContainText('text typed into it is lost', {
      timeout: PATIENCE_MS,
    });
    await harm(first);
    await Promise.all([types(other, 'meanwhile'), told]);
    await expect(view(page).locator('#cookie')).toHaveText('who=anna');
    await expect(page.locator('html')).toHaveAttribute('data-vitrine-state', 'ready');
    await expect(page).toHaveURL(`${host.origin}/${site.origin}/page`);
    await types(page, 'again');
    await types(other, 'later');
    await expect.poll(() => isRunning(first)).toBe(false);
    await other.context().close();
  });
}

test('a host that is killed leaves no cell, no browser and no launcher', async ({ page, site }) => {
  await open(page, site.origin);
  const left = descendants(host.pid);
  expect(left.some(({ command }) => command.includes('cell.mjs'))).toBe(true);
  expect(left.some(({ command }) => command.includes('--remote-debugging-pipe'))).toBe(true);
  await host.kill();
  await expect.poll(() => left.filter(({ pid }) => isRunning(pid)).map(({ command }) => command)).toEqual([]);
});
