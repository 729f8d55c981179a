import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { clipboardText, copied, copiedText } from './support/person-clipboard.ts';
import { expect, test } from './support/vitrine.ts';

/** People copy nothing from localhost, and paste little into it; the pages around it are of 127.0.0.1. */
const RULES = { disable_copy: true, restrict_paste: true, char_len_limit_if_paste_restricted: 5 };
test.use({
  hostOptions: async ({ folder }, use) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    const sites = [{ match: 'localhost', policy: { copy_paste: RULES } }];
    writeFileSync(file, JSON.stringify({ tenants: { default: { sites } } }));
    await use(['--policy', file, '--allow-network', 'localhost']);
  },
});

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

const FRAME = `<!doctype html><p>words of the frame</p><textarea></textarea>
<button onclick="navigator.clipboard.writeText('by the frame')">copy</button>
<script>new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });</script>`;
/** Shows a frame of its own site, which goes on to another. */
const PAGE = `<!doctype html><p>words of the page</p><textarea></textarea>
<button onclick="navigator.clipboard.writeText('by the page')">copy</button>
<iframe src="/frame" width="400" height="200" allow="clipboard-write"></iframe>`;

const snackbar = (page: Page) => page.locator('#vitrine-overlay').getByRole('alert');
const hold = (page: Page, text: string): Promise<void> =>
  page.evaluate((given) => navigator.clipboard.writeText(given), text);

test('copies nothing from a frame of a site where copying is disabled, and from the page around it', async ({
  page,
  site,
  open,
}) => {
  const refused = `Your organisation does not let you copy from localhost:${site.port}.`;
  site.on('/page', PAGE);
  site.on('/frame', (_, response) => {
    response.writeHead(302, { location: `http://localhost:${site.port}/sealed` }).end();
  });
  site.on('/sealed', FRAME);
  const outer = await open('/page');
  const inner = outer.frameLocator('iframe');
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(inner.locator('body')).toHaveAttribute('data-painted');
  await hold(page, 'before');
  const copy = async (): Promise<void> => {
    await inner.locator('p').click({ clickCount: 3 });
    await page.keyboard.press('Control+c');
  };
  await copied(copy, () => snackbar(page).allTextContents(), [refused]);
  expect(await clipboardText(page)).toBe('before');
  await outer.locator('p').click({ clickCount: 3 });
  await page.keyboard.press('Control+c');
  await expect.poll(async () => (await clipboardText(page)).trim()).toBe('words of the page');
  await hold(page, 'before');
  await copiedText(page, () => outer.locator('button').click(), 'by the page');
  await expect(snackbar(page)).toBeHidden();
  // By a script, which the host alone hears of.
  await copied(
    () => inner.locator('button').click(),
    () => snackbar(page).allTextContents(),
    [refused],
  );
  expect(await clipboardText(page)).toBe('by the page');
});

test('pastes into a frame what its site may get, and all into the page and the frames around it', async ({
  page,
  site,
  open,
}) => {
  const restricted = `<iframe src="http://localhost:${site.port}/frame" id="restricted" width="400" height="200"></iframe>`;
  site.on('/page', PAGE + restricted);
  site.on('/frame', FRAME);
  const outer = await open('/page');
  const [free, inner] = [outer.frameLocator('iframe >> nth=0'), outer.frameLocator('#restricted')];
  await hold(page, 'much too long');
  for (const frame of [outer, free]) {
    await frame.locator('textarea').click();
    await page.keyboard.press('Control+v');
    await expect(frame.locator('textarea')).toHaveValue('much too long');
  }
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(inner.locator('body')).toHaveAttribute('data-painted');
  await inner.locator('textarea').click();
  await page.keyboard.press('Control+v');
  const limit = `Your organisation lets you paste plain text of up to 5 characters into localhost:${site.port}.`;
  await expect(snackbar(page)).toHaveText(limit);
  await hold(page, 'short');
  await page.keyboard.press('Control+v');
  await expect(inner.locator('textarea')).toHaveValue('short');
});
