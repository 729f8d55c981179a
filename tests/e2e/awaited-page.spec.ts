import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';

const PAGE = `<!doctype html><title>Here</title><style>p { margin-top: 3000px }</style>
<a id="never" href="/never">Never</a> <a id="other" href="/other">Other</a>
<button id="count" onclick="this.textContent = Number(this.textContent) + 1">0</button> <input id="field" aria-label="Field" oninput="seen.textContent = this.value"> <output id="seen"></output>
<p>The end</p>`;

test('a page can be used while the next one does not come, and is left for a link or an address', async ({
  page,
  context,
  site,
  open,
  vitrine,
  hostLog,
}) => {
  site.on('/page', PAGE);
  site.on('/never', () => undefined);
  site.on('/other', '<h1>Other</h1>');
  site.on('/hangs', '<!doctype html><button onclick="for (;;);">hang</button>');
  const frame = await open('/page');
  const count = frame.locator('#count');
  const wait = async (): Promise<void> => {
    const before = site.requests.length;
    await frame.locator('#never').click();
    await expect.poll(() => site.requests.slice(before)).toContain('GET /never');
  };
  await wait();
  await count.click();
  await expect(count).toHaveText('1');
  await frame.locator('#field').click();
  await page.keyboard.type('still here');
  await expect(frame.locator('#field')).toHaveValue('still here');
  const method = await page.context().newCDPSession(page);
  for (const text of ['k', 'か'])
    await method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await method.send('Input.insertText', { text: 'か' });
  await page.keyboard.type('!');
  await expect(frame.locator('#seen')).toHaveText('still hereか!');
  // A page of another site that hangs from now on is reported: this one would have been before.
  const other = await context.newPage();
  await other.goto(`${vitrine}/http://localhost:${site.port}/hangs`);
  await shown(other);
  await view(other).getByRole('button').click();
  const report = (of: Page) => of.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  await expect(report(other)).toContainText('does not respond');
  await expect(report(page)).toHaveCount(0);
  await other.close();
  await count.click();
  await expect(count).toHaveText('2');
  await frame.locator('#other').click();
  await expect(view(page).locator('h1')).toHaveText('Other');

  await expect(page).toHaveURL(`${vitrine}/${site.origin}/other`);
  await page.goBack();
  await expect(count).toHaveText(/[02]/);
  await wait();
  await page.goto(`${vitrine}/${site.origin}/other`);
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Other');
  expect(readFileSync(hostLog, 'utf8')).not.toContain('crashed');
});

test('an address that is typed after a link was pressed is opened, however late the page handles the press', async ({
  page,
  site,
  open,
  vitrine,
  hostLog,
}) => {
  const busy = `fetch('/pressed'); const until = performance.now() + 1500; while (performance.now() < until);`;
  site.on('/page', `<!doctype html><a href="/never" onmousedown="${busy}">Never</a>`);
  site.on('/never', () => undefined);
  site.on('/other', '<h1>Other</h1>');
  site.on('/pressed', '');
  const frame = await open('/page');
  const before = readFileSync(hostLog, 'utf8').length; // of other tests, too
  await frame.locator('a').click();
  await expect.poll(() => site.requests).toContain('GET /pressed'); // a tab that is left before takes its press with it
  await page.goto(`${vitrine}/${site.origin}/other`, { waitUntil: 'commit' });
  await expect.poll(() => site.requests).toContain('GET /other');
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Other');
  expect(readFileSync(hostLog, 'utf8').slice(before)).not.toContain('crashed');
});
