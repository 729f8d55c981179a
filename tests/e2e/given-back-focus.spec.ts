import type { Page } from 'playwright/test';
import { loaded } from './support/loaded.ts';
import { answerable, expect, test } from './support/vitrine.ts';

/** Name of the element that has the focus in the view; elements are named by their ids. */
const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () => document.querySelector<HTMLIFrameElement>('[data-vitrine-frame="main"]')?.contentDocument?.activeElement?.id,
  );

test('gives the focus back to the element that had it before a dialog or a menu, and with it what is composed', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/page',
    `<!doctype html><input id="field" value="words" onkeydown="if (event.key === 'Enter') alert('Read this')">
     <button id="button" onclick="this.textContent = confirm('Sure?')">ask</button>`,
  );
  const frame = await open('/page');
  const overlay = page.frameLocator('#vitrine-page-frame');
  await frame.locator('#field').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await answerable(page);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('field');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await session.send('Input.insertText', { text: '日' });
  await expect(frame.locator('#field')).toHaveValue('words日');

  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('button');
  await page.keyboard.press('Enter');
  await answerable(page);
  await overlay.getByRole('button', { name: 'OK' }).click();
  await expect(frame.locator('#button')).toHaveText('true');
  await expect.poll(() => focused(page)).toBe('button');

  for (const [key, menu] of [
    ['Control+Shift+F10', 'tab-menu'],
    ['Shift+F10', 'context-menu'],
  ] as const) {
    await loaded(page, menu); // when the page is idle
    await page.keyboard.press(key);
    await expect(overlay.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), key).toBe('button');
  }
});

test('a button that leads the focus into an editor, and selects there, leaves it there', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/toolbar',
    `<!doctype html><button id="bold" onmousedown="event.preventDefault()" onclick="rich.focus(); getSelection().setBaseAndExtent(rich.firstChild, 2, rich.firstChild, 4)">B</button>
     <div id="rich" contenteditable>words</div>`,
  );
  const frame = await open('/toolbar');
  await frame.locator('#bold').click();
  await expect.poll(() => focused(page)).toBe('rich');
  await page.keyboard.type('!');
  await expect(frame.locator('#rich')).toHaveText('wo!s');
});
