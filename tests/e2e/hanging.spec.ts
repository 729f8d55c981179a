import { expect, test } from './support/vitrine.ts';

const HANGS = `<!doctype html><title>Busy</title><button onclick="for (;;);">hang</button>
  <a href="/next">next</a><p>0</p><button onclick="document.querySelector('p').textContent++">count</button>`;

test('offers to stop a page that hangs, which goes on then', async ({ page, site, open }) => {
  site.on('/busy', HANGS);
  const frame = await open('/busy');
  await frame.locator('button').first().click();
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  await expect(dialog).toContainText('does not respond', { timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
  await frame.locator('button').last().click();
  await expect(frame.locator('p')).toHaveText('1');
});

test('leaves a page that hangs, where the person goes elsewhere', async ({ page, site, open }) => {
  site.on('/first', '<!doctype html><title>First</title><a href="/busy">busy</a>');
  const asks = `const request = new XMLHttpRequest(); request.open('GET', '/hangs', false); request.send(); for (;;);`;
  site.on('/busy', HANGS.replace('for (;;);', asks));
  site.on('/hangs', '');
  const frame = await open('/first');
  await frame.locator('a').click();
  await frame.locator('button').first().click();
  await expect.poll(() => site.requests).toContain('GET /hangs');
  await page.waitForTimeout(500); // the answer has come by then, and it hangs
  await page.goBack();
  await expect(page).toHaveTitle('First');
  await expect(frame.locator('a')).toHaveText('busy');
});
