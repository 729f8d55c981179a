import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright/test';
import { OFFER_MS } from '../../plugins/tab-menu/client/gather.ts';
import { HOLD_MS } from '../../plugins/tab-menu/client/touch.ts';
import { startHost } from '../fidelity/host.ts';
import { neverFires } from './support/never-fires.ts';
import type { Site } from './support/site.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

type Host = Awaited<ReturnType<typeof startHost>>;

/** The menu of a tab: by its key, its button and two fingers; what its entries do, and when they are not there. */

const KEY = 'Control+Shift+F10';
const NAMES = ['Find in page', 'Print', 'Reload', 'Copy link', 'What protects this tab'];
let policy: string;
const write = (button: boolean): void =>
  writeFileSync(
    policy,
    JSON.stringify({
      tenants: {
        default: {
          policy: { session: { tab_menu_button: button } },
          sites: [
            {
              match: '*/forbidden',
              policy: { site_capabilities: { print_enabled: false }, copy_paste: { disable_copy: true } },
            },
            { match: '*/button', policy: { session: { tab_menu_button: true } } },
          ],
        },
      },
    }),
  );
/** A plugin from outside, whose client half is loaded when the menu is opened. */
function writePlugin(folder: string): string {
  const plugin = path.join(folder, 'outside');
  mkdirSync(path.join(plugin, 'client'), { recursive: true });
  writeFileSync(
    path.join(plugin, 'manifest.ts'),
    `export const manifest = { id: 'outside', version: '1.0.0', api: 1, description: 'An entry of the tab menu',
       activation: 'first-use', hooks: ['tabActions'] };`,
  );
  writeFileSync(
    path.join(plugin, 'client/index.ts'),
    `import { hooksToken } from 'vitrine/core';
     export const activate = ({ hooks, services }) => {
       hooks.tap(services.get(hooksToken).tabActions, ({ offer }) => offer([{
         id: 'outside.mark', label: 'Mark', group: 'tab', order: 30,
         act: () => { document.documentElement.dataset.marked = String(navigator.userActivation.isActive); },
       }]));
     };`,
  );
  return plugin;
}

test.use({
  hasTouch: true,
  hostOptions: async ({ folder }, use) => {
    policy = path.join(folder, 'vitrine.policy.yaml');
    write(false);
    await use(['--policy', policy, '--plugins', writePlugin(folder)]);
  },
});

const PAGE = `<!doctype html><title>Tab</title><link rel=icon href="data:,"><h1 id=title>A needle</h1>
  <input id=field><p id=keys></p><p id=said></p><a href="/other">Other</a><script>
    addEventListener('keydown', (event) => { keys.textContent += event.key + ' '; }, true);
    addEventListener('contextmenu', () => { said.textContent += 'menu '; });
    for (const type of ['beforeprint', 'afterprint']) addEventListener(type, () => { said.textContent += type + ' '; });
  </script>`;

const pageFrame = (page: Page): FrameLocator => page.frameLocator('#vitrine-page-frame');
const menu = (page: Page): Locator => pageFrame(page).getByRole('menu', { name: 'Tab menu' });
const item = (page: Page, name: string): Locator => menu(page).getByRole('menuitem', { name, exact: true });
const labels = (page: Page): Promise<string[]> => menu(page).locator('.vitrine-menu-label').allInnerTexts();
const button = (page: Page): Locator => page.getByRole('button', { name: 'Tab menu' });

/** Waits until the client half hears the key: its module has run, and the loader has gone on after that. */
async function active(page: Page, part = 'tab-menu-'): Promise<void> {
  const addressOf = (name: string) =>
    performance.getEntriesByType('resource').find(({ name: address }) => new URL(address).pathname.includes(`/${name}`))
      ?.name;
  const found = await page.waitForFunction(addressOf, part);
  const idle = 'new Promise((over) => requestIdleCallback(() => over()))';
  await page.evaluate(`import('${await found.jsonValue()}').then(() => ${idle})`);
}

/** Opens the menu, by one press of its key. */
async function openMenu(page: Page, entries: readonly string[] = [...NAMES, 'Mark']): Promise<void> {
  await page.keyboard.press(KEY);
  await expect(menu(page)).toBeVisible();
  expect(await labels(page)).toEqual(expect.arrayContaining([...entries]));
}

/** Watches for menus: the times at which one came, by the clock of the page. */
async function openings(page: Page): Promise<() => Promise<readonly number[]>> {
  const times = await page.evaluateHandle(() => {
    const found: number[] = [];
    const frame = document.querySelector<HTMLIFrameElement>('#vitrine-page-frame')!; // that of a menu before
    new MutationObserver((changes) => {
      if (changes.some(({ oldValue }) => oldValue !== null) && !frame.hidden) found.push(performance.now());
    }).observe(frame, { attributeFilter: ['hidden'], attributeOldValue: true });
    return found;
  });
  return () => times.jsonValue();
}

test.beforeEach(async ({ site, context, page }) => {
  for (const address of ['/tab', '/forbidden', '/button']) site.on(address, PAGE);
  site.on('/other', '<!doctype html><title>Other</title><h1>other page</h1>');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await neverFires(page, [OFFER_MS]); // the menu goes on without no entry whose code comes late
});

test('opens by its key, which the page does not get, and gives the focus back to where it was', async ({
  page,
  open,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(path.basename(new URL(request.url()).pathname)));
  const frame = await open('/tab');
  await active(page);
  await frame.locator('#field').click();
  await page.keyboard.type('ab');
  await expect(frame.locator('#field')).toHaveValue('ab');
  await page.keyboard.press('ArrowLeft');
  const loaded = (): string[] =>
    scripts.filter((name) => /^(tab-menu\.|find|print|outside|navigation\.(?!loading))/.test(name));
  expect(loaded()).toEqual([]);
  await openMenu(page);
  expect(loaded()).not.toEqual([]);
  await expect.poll(() => labels(page)).toEqual([...NAMES.slice(0, 4), 'Mark', ...NAMES.slice(4)]);
  await expect(item(page, 'Print')).toHaveAttribute('aria-keyshortcuts', 'Control+P');

  const focused = pageFrame(page).locator(':focus .vitrine-menu-label');
  for (const [key, label] of [
    ['ArrowDown', NAMES[0]],
    ['End', NAMES[4]],
    ['ArrowDown', NAMES[0]],
    ['c', 'Copy link'],
    ['Home', NAMES[0]],
    ['ArrowUp', NAMES[4]],
  ] as const) {
    await page.keyboard.press(key);
    await expect(focused).toHaveText(label ?? '');
  }
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await page.keyboard.type('-');
  await expect(frame.locator('#field')).toHaveValue('a-b');
  await expect(frame.locator('#keys')).toHaveText(/-/);
  expect(await frame.locator('#keys').textContent()).not.toMatch(/F10|Escape|Home/);
  await expect(frame.locator('#said')).toHaveText(''); // no press for a context menu either
});

test('each entry does what it says', async ({ page, site, open }) => {
  const frame = await open('/tab');
  await active(page);
  await frame.locator('#field').click();

  await openMenu(page);
  await item(page, 'Find in page').click();
  const field = page.getByRole('search', { name: 'Find in page' }).getByRole('textbox');
  await expect(field).toBeFocused();
  await field.fill('needle');
  await expect(page.getByRole('search').locator('output')).toHaveText('1/1');
  await field.press('Escape');

  await openMenu(page);
  await item(page, 'Print').click();
  const dialog = pageFrame(page).getByRole('dialog');
  await expect(dialog.getByLabel('Layout')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await openMenu(page);
  await item(page, 'Copy link').click();
  await expect(page.getByText('The link was copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  expect(page.url()).toContain(`/${site.origin}/tab`);

  await openMenu(page);
  await item(page, 'Mark').click();
  await expect(page.locator('html')).toHaveAttribute('data-marked', 'true');

  await openMenu(page);
  const [tab] = await Promise.all([page.context().waitForEvent('page'), item(page, 'What protects this tab').click()]);
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Protection');
  expect(new URL(tab.url()).searchParams.get('page')).toBe(`${site.origin}/tab`);
  expect(await tab.evaluate(() => window.opener === null)).toBe(true);
  await tab.close();

  site.on('/tab', PAGE.replace('A needle', 'Another needle'));
  await openMenu(page);
  await item(page, 'Reload').click();
  await expect(frame.locator('h1')).toHaveText('Another needle'); // a menu of the page before would go with it
  await shown(page);
  await active(page);
  await openMenu(page);
});

test('[M-022] what the policy forbids is disabled', async ({ page, open }) => {
  const frame = await open('/forbidden');
  await active(page);
  await frame.locator('#field').click();
  await openMenu(page);
  const disabled = menu(page).locator('[aria-disabled="true"] .vitrine-menu-label');
  await expect(disabled).toHaveText(['Print', 'Copy link']);
  await item(page, 'Print').click({ force: true }); // it is not enabled
  await page.keyboard.press('Home');
  await expect(pageFrame(page).locator(':focus .vitrine-menu-label')).toHaveText('Find in page');
  await expect(menu(page)).toBeVisible();
  await expect(pageFrame(page).getByRole('dialog')).toHaveCount(0);
});

test('the button is there where the policy has it, and opens the menu without taking the focus', async ({
  page,
  open,
}) => {
  const frame = await open('/tab');
  await active(page);
  await expect(button(page)).toHaveCount(0);
  await open('/button');
  await expect(button(page)).toBeVisible();
  await frame.locator('#field').click();
  await page.keyboard.type('a');
  await button(page).click();
  await expect(menu(page)).toBeVisible();
  const width = page.viewportSize()?.width ?? 0;
  /** Whether it is within the view, and below the button: it may still move when it appears. */
  const isBelow = async (): Promise<boolean> => {
    const [at, from] = [await menu(page).boundingBox(), await button(page).boundingBox()];
    return !!at && !!from && at.x + at.width <= width && Math.abs(at.y - from.y - from.height) < 3;
  };
  await expect.poll(isBelow).toBe(true);
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await page.keyboard.type('b');
  await expect(frame.locator('#field')).toHaveValue('ab');

  await button(page).press('Enter');
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page)).toBeFocused();

  await open('/tab');
  await expect(button(page)).toHaveCount(0);
  write(true); // while the page stays open
  await expect(button(page)).toBeVisible();
  write(false);
  await expect(button(page)).toHaveCount(0);
});

test('two fingers that rest open it, and one that rests, or two that zoom, do not', async ({ page, open }) => {
  const frame = await open('/tab');
  await active(page);
  await openMenu(page); // its code is there
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]): Promise<unknown> =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  /** Holds what is held for longer than the menu takes, by the clock of the page. */
  const rest = (): Promise<void> => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)));
  const one: [number, number] = [200, 300];
  const two: [number, number] = [320, 300];

  const opened = await openings(page);
  await touch('touchStart', one, two);
  await expect(menu(page)).toBeVisible();
  expect(await opened()).toHaveLength(1);
  expect(await labels(page)).toContain('Reload');
  await touch('touchEnd');
  await item(page, 'Find in page').tap();
  await expect(page.getByRole('search', { name: 'Find in page' }).getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search', { name: 'Find in page' })).toHaveCount(0);

  await touch('touchStart', one);
  await rest();
  await touch('touchEnd');
  // At once: fingers that rest in between for as long as this process is kept waiting open it.
  await Promise.all([touch('touchStart', one, two), touch('touchMove', one, [400, 300])]);
  await rest();
  await touch('touchEnd');
  await Promise.all([touch('touchStart', one, two), touch('touchEnd')]);
  // The next two open it, no sooner than they have rested: none of the others did.
  const from = await page.evaluate(() => performance.now());
  await touch('touchStart', one, two);
  await expect(menu(page)).toBeVisible();
  await touch('touchEnd');
  const [, second, ...more] = await opened();
  expect(second).toBeGreaterThanOrEqual(from + HOLD_MS);
  expect(more).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await frame.locator('#field').click();
  await page.keyboard.type('x');
  await expect(frame.locator('#field')).toHaveValue('x');
});

test('a hostile page neither opens it, nor reads or covers it, nor is asked when it hangs', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/hostile',
    `<!doctype html><title>Hostile</title><dialog id=over style="position:fixed;inset:0;width:100vw;height:100vh;max-width:none;max-height:none;z-index:2147483647">over all</dialog>
    <p id=said></p><script>
      const keys = { key: 'F10', code: 'F10', ctrlKey: true, shiftKey: true, bubbles: true, composed: true };
      for (const target of [window, document, document.body, document.documentElement]) target?.dispatchEvent(new KeyboardEvent('keydown', keys));
      addEventListener('keydown', (event) => { event.preventDefault(); event.stopImmediatePropagation(); said.textContent += event.key + ' '; const end = Date.now() + 4000; while (event.key === 'h' && Date.now() < end); }, true);
      addEventListener('blur', () => { said.textContent += 'blur '; });
      over.show();
    </script>`,
  );
  const frame = await open('/hostile');
  await active(page);
  await page.mouse.click(300, 300);
  await openMenu(page);
  const isOnTop = await page.evaluate(() => document.elementFromPoint(300, 300)?.id);
  expect(isOnTop).toBe('vitrine-page-frame');
  await page.keyboard.press('Escape');
  expect(await frame.locator('#said').textContent()).not.toMatch(/F10|Find|Reload/);

  await frame.locator('#said').evaluate((element) => {
    const view = element.ownerDocument.defaultView;
    const keys = { key: 'F10', ctrlKey: true, shiftKey: true, bubbles: true };
    element.dispatchEvent(new KeyboardEvent('keydown', keys));
    view?.dispatchEvent(new KeyboardEvent('keydown', keys));
  });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(menu(page)).toHaveCount(0);

  await page.keyboard.press('h'); // hangs
  await openMenu(page);
  expect(await labels(page)).toContain('Reload');
});

/** Opens the page on a host where some capabilities are off. */
async function openWithout(page: Page, site: Site, folder: string, off: readonly string[]): Promise<Host> {
  const file = path.join(folder, 'off.policy.yaml');
  const capabilities = Object.fromEntries(off.map((name) => [name, false]));
  writeFileSync(file, JSON.stringify({ tenants: { default: { policy: { capabilities } } } }));
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--policy', file] });
  await page.goto(`${host.origin}/${site.origin}/tab`);
  await shown(page);
  return host;
}

test('people without the capability have no menu, and load nothing of it', async ({ page, site, folder }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const host = await openWithout(page, site, folder, ['tab_menu']);
  try {
    await active(page, 'popups-'); // as all others that load when the page is idle
    await view(page).locator('#field').click();
    await page.keyboard.press(KEY);
    await page.keyboard.type('k');
    await expect(view(page).locator('#field')).toHaveValue('k');
    await expect(view(page).locator('#keys')).toHaveText(/F10.* k/); // the page's, then
    expect(requests.filter((address) => address.includes('/tab-menu'))).toEqual([]);
  } finally {
    await host.stop();
  }
});

test('an entry of a plugin that is off is not there', async ({ page, site, folder }) => {
  const host = await openWithout(page, site, folder, ['find', 'print']);
  try {
    await active(page);
    await view(page).locator('#field').click();
    const left = ['Reload', 'Copy link', 'What protects this tab'];
    await openMenu(page, left);
    expect(await labels(page)).toEqual(left);
  } finally {
    await host.stop();
  }
});
