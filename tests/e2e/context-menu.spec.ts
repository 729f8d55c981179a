import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright/test';
import {
  close,
  DEFAULT,
  disabledOf,
  FIELD,
  IMAGE,
  isNative,
  item,
  LINK,
  menu,
  menuOf,
  PAGE,
  serveMenus,
  SITES,
} from './support/context-menus.ts';
import { loaded } from './support/loaded.ts';
import { clipboardText } from './support/person-clipboard.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** The menu of ours in the view: items, what they do, and when there is none. */

test.use({
  hostOptions: async ({ folder }, use) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(file, JSON.stringify({ tenants: { default: { sites: SITES } } }));
    await use(['--policy', file]);
  },
});

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

/** Takes input to the page once all before has been handled: a menu that were to come would be there by then. */
async function pressed(frame: FrameLocator): Promise<void> {
  const before = (await frame.locator('#said').textContent()) ?? '';
  await frame.locator('#press').click();
  await expect(frame.locator('#said')).toHaveText(`${before}pressed `);
}

test.beforeEach(({ site }) => serveMenus(site));

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
  const opened: Page[] = [];
  page.context().on('page', (each) => opened.push(each));
  await menuOf(page, frame.locator('#link'));
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await menuOf(page, frame.locator('#link'));
  await page.mouse.click(600, 400);
  await expect(menu(page)).toBeHidden();
  await pressed(frame);
  await expect(page).toHaveURL(/\/menus$/);
  expect(opened).toEqual([]); // as an item of the menu would have
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

test('[S-102] [S-020] [S-023] [S-024] [S-130] edits in fields where the policy has our menu there', async ({
  page,
  open,
}) => {
  const frame = await open('/backend');
  const field = frame.locator('#field');
  await field.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('typed');
  await expect(field).toHaveValue('typed');
  expect(await menuOf(page, field)).toEqual(FIELD);
  const keys = ['Z', 'Shift+Z', 'X', 'C', 'V', 'A'].map((letter) => `Ctrl+${letter}`);
  expect(await menu(page).locator('kbd').allInnerTexts()).toEqual(keys);
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
  await page.evaluate(() => navigator.clipboard.writeText('before the cut'));
  await menuOf(page, field);
  await item(page, 'Cut').click();
  await expect(field).toHaveValue('');
  await expect.poll(() => clipboardText(page)).toBe('typed');
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
  await close(page);
  expect(await menuOf(page, frame.locator('#rich'))).toEqual(FIELD);
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
  site.on('/next', '<!doctype html><title>Next</title><h1>next page again</h1>');
  await menuOf(page, view(page).locator('h1'));
  await item(page, 'Reload').click();
  await expect(view(page).locator('h1')).toHaveText('next page again');
  await menuOf(page, view(page).locator('h1'));
  await item(page, 'Select all').click();
  expect(await menuOf(page, view(page).locator('h1'))).toEqual(['Copy']);
  await item(page, 'Copy').click();
  await expect.poll(() => clipboardText(page)).toBe('next page again');
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
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(inner.locator('body')).toHaveAttribute('data-painted');
  expect(await menuOf(page, inner.locator('#link'))).toEqual(LINK);
  const away = async (): Promise<number> => {
    const [at, link] = [await menu(page).boundingBox(), await inner.locator('#link').boundingBox()];
    return Math.abs((at?.x ?? 0) - ((link?.x ?? 0) + (link?.width ?? 0) / 2));
  };
  await expect.poll(away).toBeLessThan(3); // it may still move when it appears
  await item(page, 'Copy link address').click();
  await expect.poll(() => clipboardText(page)).toBe(`http://localhost:${site.port}/next?a=1`);
});

test('opens by the key of menus', async ({ page, open }) => {
  const frame = await open('/menus');
  await frame.locator('#text').click();
  await page.keyboard.press('Tab');
  await expect(frame.locator('#link')).toBeFocused();
  await loaded(page, 'context-menu');
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
  await menuOf(page, frame.locator('#plain')); // the code of the menu is there
  await close(page);
  await frame.locator('#link').click({ button: 'right' });
  await pressed(frame);
  await expect(menu(page)).toHaveCount(0);
});
