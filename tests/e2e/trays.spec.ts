import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { pickFiles } from './support/file-picker.ts';
import { expect, shown, test } from './support/vitrine.ts';

/** The lists of transfers: how far they are, what is done where the connection fails, where the focus goes. */

const MIB = 1024 * 1024;
const PAGE = `<!doctype html><title>Files</title><a id="file" href="/file">File</a><input id="one" type="file"><input id="many" type="file" multiple><p id="out"></p>
<script>many.onchange = () => { out.textContent = [...many.files].map(({ name, size }) => name + ' ' + size).join(', '); };
one.onchange = async () => {
  const bytes = await one.files[0].arrayBuffer();
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  out.textContent = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};</script>`;
test.beforeEach(({ site }) => {
  site.on('/files', PAGE);
});

const rows = (page: Page, way: 'up' | 'down'): Locator => page.locator(`[data-vitrine-transfer="${way}"]`);
/** Title of the row that has the focus. */
const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.closest('li')?.querySelector('.vitrine-row-title')?.textContent);

test('[M-039] a download says its speed, and is checked again by the person once the connection has failed', async ({
  page,
  site,
  open,
}) => {
  const rest = Promise.withResolvers<undefined>();
  const part = Buffer.alloc(MIB / 128, 'part');
  site.on('/file', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename=two.bin', 'content-length': 2 * MIB });
    let left = 2 * MIB;
    const timer = setInterval(() => {
      if (left <= part.length) return;
      response.write(part);
      left -= part.length;
    }, 250);
    void rest.promise.then(() => {
      clearInterval(timer);
      response.end(Buffer.alloc(left, 'rest'));
    });
  });
  const frame = await open('/files');
  await frame.locator('#file').click();
  const row = rows(page, 'down');
  await expect(row).toContainText(/^two\.bin\s*[\d.]+ [KM]B of 2\.0 MB, [\d.]*[1-9][\d.]* KB\/s, \d+ (sec|min) left/);
  // The connection fails while its check is under way.
  await page.route('**/safeview-fileserv/tc_processing', (route) => route.fulfill({ json: { action: 'pending' } }));
  await page.route('**/safeview-fileserv/tc_status', (route) => route.abort());
  rest.resolve(undefined);
  await expect(row).toHaveAttribute('data-state', 'failed');
  await expect(row).toContainText('The connection was lost.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try two.bin again' }).focus();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(readFileSync(await download.path()).length).toBe(2 * MIB);
  await expect(row).toHaveAttribute('data-state', 'saved');
  // The button that had the focus is gone, its row is not.
  await expect.poll(() => focused(page)).toBe('two.bin');
});

test('an upload goes on by the person once the connection has failed, and its row outlasts the document', async ({
  page,
  open,
  folder,
}) => {
  const file = path.join(folder, 'one.bin');
  const bytes = Buffer.alloc(3 * MIB, 'upload ');
  writeFileSync(file, bytes);
  const frame = await open('/files');
  await page.route('**/r/upload?**', (route) => route.abort());
  await pickFiles(page, frame.locator('#one'), file);
  const row = rows(page, 'up');
  await expect(row).toHaveAttribute('data-state', 'paused');
  await expect(row).toContainText('The connection was lost.');
  await page.unroute('**/r/upload?**');
  await page.getByRole('button', { name: 'Try one.bin again' }).click();
  await expect(row).toHaveAttribute('data-state', 'done');
  await expect(frame.locator('#out')).toHaveText(createHash('sha256').update(bytes).digest('hex'));

  await page.route('**/r/upload?**', () => undefined); // no answer ever
  await pickFiles(page, frame.locator('#one'), file);
  await expect(row).toHaveCount(2);
  await page.reload();
  await shown(page);
  await expect(row.nth(0)).toHaveAttribute('data-state', 'failed');
  await expect(row.nth(0)).toContainText('The page was loaded anew.');
  await expect(row.nth(1)).toHaveAttribute('data-state', 'done');
  // The focus goes on to the row that is left, and to the page after the last one.
  await row.nth(0).getByRole('button').press('Enter');
  await expect(row).toHaveCount(1);
  await expect.poll(() => focused(page)).toBe('one.bin');
  await page.keyboard.press('Enter'); // as a key that is held down would: nothing more goes
  await expect(row).toHaveCount(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('iframe');
});

test('an upload ends with the page that has asked for it, and its row says so', async ({
  page,
  site,
  open,
  folder,
}) => {
  const file = path.join(folder, 'one.bin');
  writeFileSync(file, Buffer.alloc(MIB, 'upload '));
  site.on(
    '/asks',
    `${PAGE.replace('<a ', '<h1>Asks</h1><a ')}<script>onkeydown = () => { location.href = '/files'; };</script>`,
  );
  const frame = await open('/asks');
  await page.route('**/r/upload?**', () => undefined); // no answer ever
  await pickFiles(page, frame.locator('#one'), file);
  await expect(rows(page, 'up')).toHaveCount(1);
  await frame.locator('h1').click();
  await page.keyboard.press('n');
  await expect(rows(page, 'up')).toHaveAttribute('data-state', 'failed');
  await expect(rows(page, 'up')).toContainText('The page that asked for it has gone.');
});

test('of several files those that are still to be sent have rows, and each can be left out', async ({
  page,
  open,
  folder,
}) => {
  const bytes = Buffer.alloc(MIB, 'upload ');
  const files = ['a.bin', 'b.bin', 'c.bin', 'd.bin'].map((name) => path.join(folder, name));
  for (const file of files) writeFileSync(file, bytes);
  const frame = await open('/files');
  // The first one does not arrive, nor does what is sent after it, until the person has left it out.
  await page.route(/\/r\/upload\?.*file_id=0/, () => undefined);
  const isOpen = Promise.withResolvers<undefined>();
  await page.route(/\/r\/upload\?.*file_id=[13]/, async (route) => {
    await isOpen.promise;
    await route.continue();
  });
  await pickFiles(page, frame.locator('#many'), files);
  const next = page.locator('[data-vitrine-transfer="up-file"]');
  await expect(next.locator('.vitrine-row-title')).toHaveText(['a.bin', 'b.bin', 'c.bin', 'd.bin']);
  await expect(rows(page, 'up')).toContainText('a.bin and 3 more');
  await page.getByRole('button', { name: 'Upload without c.bin' }).click();
  await expect(next.locator('.vitrine-row-title')).toHaveText(['a.bin', 'b.bin', 'd.bin']);
  await page.getByRole('button', { name: 'Upload without a.bin' }).press('Enter');
  await expect(next.locator('.vitrine-row-title')).toHaveText(['b.bin', 'd.bin']);
  await expect(rows(page, 'up')).toContainText('b.bin and 1 more');
  await expect.poll(() => focused(page)).toBe('b.bin');
  isOpen.resolve(undefined);
  await expect(rows(page, 'up')).toHaveAttribute('data-state', 'done');
  await expect(next).toHaveCount(0);
  await expect(frame.locator('#out')).toHaveText('b.bin 1048576, d.bin 1048576');
});
