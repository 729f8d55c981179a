import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright/test';
import type { Site } from './support/site.ts';
import { expect, test, view } from './support/vitrine.ts';
import { tagged } from '../../core/testing/tier.ts';

const HANGS = `<!doctype html><title>Busy</title><button onclick="for (;;);">hang</button>
  <a href="/next">next</a><p>0</p><button onclick="document.querySelector('p').textContent++">count</button>`;

test('offers to stop a page that hangs, which then continues', async ({ page, site, open }) => {
  site.on('/busy', HANGS);
  const frame = await open('/busy');
  await frame.locator('button').first().click();
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  await expect(dialog).toContainText('does not respond');
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
  await frame.locator('button').last().click();
  await expect(frame.locator('p')).toHaveText('1');
});

test('leaves a page that hangs when the person navigates', async ({ page, site, open }) => {
  site.on('/first', '<!doctype html><title>First</title><a href="/busy">busy</a>');
  const asks = `const request = new XMLHttpRequest(); request.open('GET', '/asked', false); request.send(); navigator.sendBeacon('/hangs'); for (;;);`;
  site.on('/busy', HANGS.replace('for (;;);', asks));
  for (const address of ['/asked', '/hangs']) site.on(address, '');
  const frame = await open('/first');
  await frame.locator('a').click();
  await frame.locator('button').first().click();
  await expect.poll(() => site.requests).toContain('POST /hangs');
  await expect(page).toHaveURL(/\/busy$/);
  await page.goBack();
  await expect(page).toHaveTitle('First');
  await expect(frame.locator('a')).toHaveText('busy');
});

test('does not stop a page that computes while it requests a download', async ({ page, site, open }) => {
  site.on('/nothing', (_request, response) => response.writeHead(204).end());
  site.on(
    '/computes',
    `<!doctype html><title>Computes</title><button onclick="location.href = '/nothing'; setTimeout(compute, 100)">go</button><p>0</p>
    <script>function compute() {
      for (const end = Date.now() + 3000; Date.now() < end; );
      document.querySelector('p').textContent = 'computed';
    }</script>`,
  );
  const frame = await open('/computes');
  await frame.locator('button').click();
  await expect(frame.locator('p')).toHaveText('computed');
  await expect(page).toHaveTitle('Computes');
});

interface Way {
  readonly leave: (page: Page, next: string) => Promise<unknown>;
  readonly to: string;
  readonly entries: number;
  readonly before: string;
}
const WAYS: Readonly<Record<string, Way>> = {
  'goes back': { leave: (page) => page.goBack(), to: 'first', entries: 0, before: 'start' },
  'loads it again': { leave: (page) => page.reload(), to: 'busy', entries: 0, before: 'first' },
  'follows a link': { leave: (page) => view(page).locator('a').click(), to: 'next', entries: 1, before: 'busy' },
  'types an address': { leave: (page, next) => page.goto(next), to: 'next', entries: 1, before: 'busy' },
};

/** The browser's value: a document gets it later, or counts the initial blank page of the tab. */
async function historyLength(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  await session.detach();
  return entries.length;
}

for (const [way, { leave, to, entries, before }] of Object.entries(WAYS)) {
  test(
    `leaves a page that begins to hang while the person ${way}`,
    tagged(way !== 'follows a link'),
    async ({ page, site, vitrine, open }) => {
      hangsWhileLeft(site, to);
      const frame = await open('/start');
      await frame.locator('a').click();
      await expect(page).toHaveTitle('first');
      await frame.locator('a').click();
      await expect(page).toHaveTitle('busy');
      await expect.poll(() => site.requests).toContain('GET /cue');
      await expect(page).toHaveURL(/\/busy$/);
      const length = await historyLength(page);
      const asked = site.requests.length;
      await leave(page, `${vitrine}/${site.origin}/next`);
      await expect.poll(() => site.requests.slice(asked)).toContain(`GET /${to}`);
      await expect(frame.locator('p')).toHaveText(`${to} again`);
      await expect.poll(() => historyLength(page)).toBe(length + entries);
      await page.goBack();
      await expect(page).toHaveTitle(before);
      await expect(frame.locator('h1')).toHaveText(before);
    },
  );
}

/** Pages that link to one another; the busy one hangs from the request for `to` until it is answered. */
function hangsWhileLeft(site: Site, to: string): void {
  let cue: ServerResponse | undefined;
  site.on('/cue', (_request, response) => (cue ??= response));
  const serve = (name: string, link: string, script = ''): void =>
    site.on(`/${name}`, (_request, response) => {
      const isLeft = cue !== undefined && name === to;
      if (isLeft) cue?.end();
      const html = `<!doctype html><title>${name}</title><h1>${name}</h1><a href="/${link}">${link}</a>
        <p>${isLeft ? `${name} again` : ''}</p>${isLeft ? '' : script}`;
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(html),
        isLeft ? 300 : 0,
      );
    });
  serve('start', 'first');
  serve('first', 'busy');
  serve('busy', 'next', `<script>fetch('/cue').then(() => { for (;;); })</script>`);
  serve('next', 'first');
}
