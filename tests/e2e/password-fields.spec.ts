import type { FrameLocator, Page } from 'playwright/test';
import { expect, test } from './support/vitrine.ts';

const PAGE = `<!doctype html><style>body{margin:8px;font:16px sans-serif}</style>
<input id="field" type="password"> <input id="other"> <button>show</button><output></output><script>
  const field = document.querySelector('#field'), out = document.querySelector('output');
  addEventListener('input', () => { out.textContent = field.value; });
  document.querySelector('button').onclick = () => { field.type = field.type === 'text' ? 'password' : 'text'; };
</script>`;

/** Waits until the page has a value, and the view only what stands for it: a bullet for each character, unless given. */
async function holds(frame: FrameLocator, value: string, bullets = '•'.repeat(value.length)): Promise<void> {
  await expect(frame.locator('output')).toHaveText(value);
  await expect(frame.locator('#field')).toHaveValue(bullets);
}

async function repeated(page: Page, key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await page.keyboard.press(key);
}

test('[C1] types, erases, selects and inserts in a password field, of which the view only has bullets', async ({
  page,
  site,
  open,
}) => {
  site.on('/secret', PAGE);
  const frame = await open('/secret');
  await expect(frame.locator('#field')).toHaveAttribute('aria-roledescription', 'password');
  await frame.locator('#field').click();
  await page.keyboard.type('hunter2 and more');
  await holds(frame, 'hunter2 and more');
  await repeated(page, 'ArrowLeft', 4);
  await page.keyboard.type('x');
  await holds(frame, 'hunter2 and xmore');
  await expect
    .poll(() => frame.locator('#field').evaluate((field: HTMLInputElement) => field.selectionStart))
    .toBe('hunter2 and x'.length);
  await page.keyboard.press('Backspace');
  await repeated(page, 'Shift+ArrowLeft', 4);
  await page.keyboard.type('or');
  await holds(frame, 'hunter2 ormore');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(frame.locator('output')).toHaveText('');
  await expect(frame.locator('#field')).toHaveValue('');
  await page.keyboard.type('😀ü');
  await holds(frame, '😀ü', '•\u2060•');
});

test('[C1] selects all of a password by a double click, does not copy it, and pastes into it', async ({
  page,
  site,
  open,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  site.on('/secret', PAGE);
  const frame = await open('/secret');
  await frame.locator('#field').click();
  await page.keyboard.type('not to be copied');
  await holds(frame, 'not to be copied');
  await page.evaluate(() => navigator.clipboard.writeText('from elsewhere'));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+x');
  await frame.locator('#other').click();
  await page.keyboard.press('Control+v');
  await expect(frame.locator('#other')).toHaveValue('from elsewhere');
  await holds(frame, 'not to be copied');
  await frame.locator('#field').dblclick();
  await page.keyboard.press('Control+v');
  await holds(frame, 'from elsewhere');
});

test('[C1] shows a password that the page reveals, and bullets again when it hides it', async ({
  page,
  site,
  open,
}) => {
  site.on('/secret', PAGE);
  const frame = await open('/secret');
  await frame.locator('#field').click();
  await page.keyboard.type('hunter2');
  await holds(frame, 'hunter2');
  await frame.locator('button').click();
  await expect(frame.locator('#field')).toHaveValue('hunter2');
  await frame.locator('#field').click();
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await expect(frame.locator('#field')).toHaveValue('hunter2!');
  await frame.locator('button').click();
  await holds(frame, 'hunter2!');
  await expect(frame.locator('#field')).toHaveJSProperty('type', 'text');
});
