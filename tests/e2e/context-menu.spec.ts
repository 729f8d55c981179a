import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';

/** The menu of ours in the view: items, what they do, and when there is none. */

const SITES = [
  { match: '*/backend', policy: { session: { input_context_menu: 'backend' } } },
  { match: '*/off', policy: { session: { disable_all_context_menus: true } } },
  {
    match: '*/no-copy',
    policy: { session: { input_context_menu: 'backend' }, copy_paste: { disable_copy: true, restrict_paste: true } },
  },
];
test.use({
  hostOptions: async ({ folder }, use) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(file, JSON.stringify({ tenants: { default: { sites: SITES } } }));
    await use(['--policy', file]);
  },
});

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const DATA = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP8AACwAAAAAAQABAAACAkQBADs=';
const PICTURE = 'style="width:60px;height:40px;display:block"';
const PAGE = `<!doctype html><title>Menus</title><link rel=icon href="data:,">
  <p id=text>Some words to select</p>
  <p><a id=link href="/next?a=1">A link</a> <a id=script href="javascript:void 0">Script</a> <a id=mail href="mailto:anna@example.com">Mail</a></p>
  <img id=picture src="/picture.png" ${PICTURE}>
  <img id=inline src="${DATA}" ${PICTURE}>
  <a href="/next"><img id=both src="/picture.png" ${PICTURE}></a>
  <textarea id=field>words</textarea> <input id=secret type=password value=hidden> <input id=fixed readonly value=fixed>
  <div id=plain style="width:60px;height:40px"></div><div id=own style="width:60px;height:40px;background:#ccc"></div>
  <div id=host></div>
  <button id=press onclick="said.textContent += 'pressed '">Press</button><output id=said></output>
  <script>
    own.addEventListener('contextmenu', (event) => { event.preventDefault(); said.textContent += 'own '; });
    host.attachShadow({ mode: 'closed' }).innerHTML = '<a href="/inner" id=inner>Inner</a>';
  </script>`;

const FIELD = ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select all'];
const LINK = ['Open link in new tab', 'Open link in new window', 'Copy link address'];
const IMAGE = ['Open picture in new window', 'Copy picture address', 'Save picture'];
const DEFAULT = ['Back', 'Forward', 'Reload', 'Select all'];

const menu = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('menu');
const item = (page: Page, name: string): Locator => menu(page).getByRole('menuitem', { name, exact: true });
const clipboardText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Opens the menu of an element; the labels of its items. */
async function menuOf(page: Page, element: Locator): Promise<string[]> {
  await element.click({ button: 'right' });
  await expect(menu(page)).toBeVisible();
  return menu(page).locator('.vitrine-menu-label').allInnerTexts();
}

async function disabledOf(page: Page): Promise<string[]> {
  return menu(page).locator('[aria-disabled="true"] .vitrine-menu-label').allInnerTexts();
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
}

/** Whether the browser would show its own menu for the next press. */
async function isNative(page: Page, act: () => Promise<void>): Promise<boolean> {
  const heard = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentWindow;
        shown?.addEventListener('contextmenu', (event) => resolve(!event.defaultPrevented), { once: true });
      }),
  );
  await act();
  return heard;
}

/** Takes input to the page once all before has been handled: a menu that were to come would be there by then. */
async function pressed(frame: FrameLocator): Promise<void> {
  const before = (await frame.locator('#said').textContent()) ?? '';
  await frame.locator('#press').click();
  await expect(frame.locator('#said')).toHaveText(`${before}pressed `);
}

test.beforeEach(({ site }) => {
  for (const address of ['/menus', '/backend', '/off', '/no-copy']) site.on(address, PAGE);
  for (const address of ['/next', '/inner']) site.on(address, '<!doctype html><title>Next</title><h1>next page</h1>');
  site.on('/picture.png', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
});

test('[S-021] [S-022] [S-020] lists the items of what is under the pointer', async ({ page, open }) => {
  const frame = await open('/menus');
  expect(await menuOf(page, frame.locator('#link'))).toEqual(LINK);
  await close(page);
  expect(await menuOf(page, frame.locator('#picture'))).toEqual(IMAGE);
  await close(page);
  expect(await menuOf(page, frame.locator('#both'))).toEqual([...IMAGE, ...LINK]);
  await close(page);
  expect(await menuOf(page, frame.locator('#inner'))).toEqual(LINK); // in a closed shadow root
  await close(page);
  expect(await menuOf(page, frame.locator('#plain'))).toEqual(DEFAULT);
  await close(page);
  await frame.locator('#text').dblclick();
  expect(await menuOf(page, frame.locator('#text'))).toEqual(['Copy']);
  await close(page);
  // The surrogate is held up by no menu of its own.
  await pressed(frame);
});

test('[S-019] Escape and a press outside of it dismiss the menu', async ({ page, open }) => {
  const frame = await open('/menus');
  await menuOf(page, frame.locator('#link'));
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await menuOf(page, frame.locator('#link'));
  await page.mouse.click(600, 400);
  await expect(menu(page)).toBeHidden();
  await pressed(frame);
  await expect(page).toHaveURL(/\/menus$/);
});

test('[S-023] disables what does not apply', async ({ page, open }) => {
  const frame = await open('/menus');
  await menuOf(page, frame.locator('#inline'));
  expect(await disabledOf(page)).toEqual(IMAGE);
  await close(page);
  await menuOf(page, frame.locator('#script'));
  expect(await disabledOf(page)).toEqual(LINK);
  await close(page);
  await menuOf(page, frame.locator('#mail'));
  expect(await disabledOf(page)).toEqual(LINK.slice(0, 2));
  await item(page, 'Copy link address').click();
  await expect.poll(() => clipboardText(page)).toBe('mailto:anna@example.com');
  await menuOf(page, frame.locator('#plain'));
  expect(await disabledOf(page)).toContain('Forward');
});

test('[S-102] [S-020] [S-023] [S-130] edits in fields where the policy has our menu there', async ({ page, open }) => {
  const frame = await open('/backend');
  const field = frame.locator('#field');
  await field.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('typed');
  await expect(field).toHaveValue('typed');
  expect(await menuOf(page, field)).toEqual(FIELD);
  await item(page, 'Undo').click();
  await expect(field).toHaveValue('words');
  await menuOf(page, field);
  await item(page, 'Redo').click();
  await expect(field).toHaveValue('typed');
  await menuOf(page, field);
  await item(page, 'Select all').click();
  await menuOf(page, field);
  await item(page, 'Copy').click();
  await expect.poll(() => clipboardText(page)).toBe('typed');
  await menuOf(page, field);
  await item(page, 'Cut').click();
  await expect(field).toHaveValue('');
  await page.evaluate(() => navigator.clipboard.writeText('from elsewhere'));
  await menuOf(page, field);
  expect(await disabledOf(page)).toEqual(expect.arrayContaining(['Cut', 'Copy']));
  await item(page, 'Paste').click();
  await expect(field).toHaveValue('from elsewhere');
  await frame.locator('#secret').dblclick();
  await menuOf(page, frame.locator('#secret'));
  expect(await disabledOf(page)).toEqual(expect.arrayContaining(['Cut', 'Copy']));
  await close(page);
  await menuOf(page, frame.locator('#fixed'));
  expect(await disabledOf(page)).toEqual(expect.arrayContaining(['Undo', 'Redo', 'Cut', 'Paste']));
});

test('shows the keys where the browser does not let us read the clipboard', async ({ page, context, open }) => {
  await context.clearPermissions();
  const frame = await open('/backend');
  await page.evaluate(() => {
    navigator.clipboard.read = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await menuOf(page, frame.locator('#field'));
  await item(page, 'Paste').click();
  await expect(page.frameLocator('#vitrine-page-frame').locator('.clipboard-keys')).toBeVisible();
});

test('[S-021] opens links and pictures, copies addresses, and saves pictures', async ({ page, site, open }) => {
  test.setTimeout(120_000);
  const frame = await open('/menus');
  await page.evaluate(() => {
    const { open: before } = window;
    window.open = (url, name, wanted) => {
      document.documentElement.dataset['features'] = wanted ?? '';
      return before.call(window, url, name, wanted);
    };
  });
  const features = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset['features']);
  const opened = async (element: Locator, name: string): Promise<Page> => {
    await menuOf(page, element);
    const [tab] = await Promise.all([page.context().waitForEvent('page'), item(page, name).click()]);
    await shown(tab);
    return tab;
  };
  const tab = await opened(frame.locator('#link'), 'Open link in new tab');
  await expect(view(tab).locator('h1')).toHaveText('next page');
  expect(await features()).toBe('noopener');
  await tab.close();
  const other = await opened(frame.locator('#link'), 'Open link in new window');
  await expect(view(other).locator('h1')).toHaveText('next page');
  expect(await features()).toMatch(/noopener.*width=1024,height=768/);
  await other.close();
  const picture = await opened(frame.locator('#both'), 'Open picture in new window');
  await expect(view(picture).locator('img')).toBeVisible();
  await picture.close();
  await menuOf(page, frame.locator('#link'));
  await item(page, 'Copy link address').click();
  await expect.poll(() => clipboardText(page)).toBe(`${site.origin}/next?a=1`);
  await menuOf(page, frame.locator('#both'));
  await item(page, 'Copy picture address').click();
  await expect.poll(() => clipboardText(page)).toBe(`${site.origin}/picture.png`);
  await menuOf(page, frame.locator('#picture'));
  const [download] = await Promise.all([page.waitForEvent('download'), item(page, 'Save picture').click()]);
  expect(download.suggestedFilename()).toBe('picture.png');
});

test('[S-022] goes back and forward, reloads, and selects all', async ({ page, site, open }) => {
  const frame = await open('/menus');
  await frame.locator('#link').click();
  await expect(view(page).locator('h1')).toHaveText('next page');
  await menuOf(page, view(page).locator('h1'));
  await item(page, 'Back').click();
  await expect(frame.locator('#text')).toBeVisible();
  await menuOf(page, frame.locator('#plain'));
  await item(page, 'Forward').click();
  await expect(view(page).locator('h1')).toHaveText('next page');
  const visits = (): number => site.requests.filter((line) => line === 'GET /next?a=1').length;
  const before = visits();
  await menuOf(page, view(page).locator('h1'));
  await item(page, 'Reload').click();
  await expect.poll(visits).toBeGreaterThan(before);
  await shown(page);
  await menuOf(page, view(page).locator('h1'));
  await item(page, 'Select all').click();
  expect(await menuOf(page, view(page).locator('h1'))).toEqual(['Copy']);
  await item(page, 'Copy').click();
  await expect.poll(() => clipboardText(page)).toBe('next page');
});

test('leaves a page its own menu, and the browser its own with Shift and in fields', async ({ page, open }) => {
  const frame = await open('/menus');
  await frame.locator('#own').click({ button: 'right' });
  await expect(frame.locator('#said')).toHaveText('own ');
  await pressed(frame);
  await expect(menu(page)).toHaveCount(0);
  expect(await isNative(page, () => frame.locator('#link').click({ button: 'right', modifiers: ['Shift'] }))).toBe(
    true,
  );
  await pressed(frame);
  await expect(menu(page)).toHaveCount(0);
  expect(await isNative(page, () => frame.locator('#link').click({ button: 'right' }))).toBe(false);
  await close(page);
});

test('[S-102] leaves fields the browser’s menu by default, and shows none at all where all are off', async ({
  page,
  open,
}) => {
  let frame = await open('/menus');
  expect(await isNative(page, () => frame.locator('#field').click({ button: 'right' }))).toBe(true);
  frame = await open('/off');
  expect(await isNative(page, () => frame.locator('#link').click({ button: 'right' }))).toBe(false);
  await pressed(frame);
  await expect(menu(page)).toHaveCount(0);
});

test('[S-023] offers no copying and pasting where the policy lets none', async ({ page, open }) => {
  const frame = await open('/no-copy');
  await frame.locator('#field').click();
  await page.keyboard.press('Control+a');
  await menuOf(page, frame.locator('#field'));
  expect(await disabledOf(page)).toEqual(expect.arrayContaining(['Cut', 'Copy', 'Paste']));
  await close(page);
  await menuOf(page, frame.locator('#both'));
  expect(await disabledOf(page)).toEqual(['Copy picture address', 'Copy link address']);
});

test('[S-021] [S-020] works in frames of other sites', async ({ page, site, open }) => {
  site.on('/outer', `<!doctype html><title>Outer</title><iframe src="http://localhost:${site.port}/menus"></iframe>`);
  await open('/outer');
  const inner = view(page).frameLocator('iframe');
  expect(await menuOf(page, inner.locator('#link'))).toEqual(LINK);
  const at = await menu(page).boundingBox();
  const link = await inner.locator('#link').boundingBox();
  expect(Math.abs((at?.x ?? 0) - ((link?.x ?? 0) + (link?.width ?? 0) / 2))).toBeLessThan(3);
  await item(page, 'Copy link address').click();
  await expect.poll(() => clipboardText(page)).toBe(`http://localhost:${site.port}/next?a=1`);
});

test('opens by the key of menus', async ({ page, open }) => {
  const frame = await open('/menus');
  await frame.locator('#text').click();
  await page.keyboard.press('Tab');
  await expect(frame.locator('#link')).toBeFocused();
  await page.keyboard.press('ContextMenu');
  await expect(menu(page)).toBeVisible();
  expect(await menu(page).locator('.vitrine-menu-label').allInnerTexts()).toEqual(LINK);
});

test('shows no menu of a page that hangs, and none later', async ({ page, site, open }) => {
  site.on(
    '/hangs',
    `${PAGE}<script>link.addEventListener('mousedown', () => { const end = Date.now() + 2500; while (Date.now() < end); });</script>`,
  );
  const frame = await open('/hangs');
  await frame.locator('#link').click({ button: 'right' });
  await pressed(frame);
  await expect(menu(page)).toHaveCount(0);
});
