import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, shown, test, view } from './support/vitrine.ts';

/** A plugin whose host half hangs when a page navigates to an address. */
function writePlugin(folder: string): void {
  mkdirSync(path.join(folder, 'host'));
  writeFileSync(
    path.join(folder, 'manifest.ts'),
    `export const manifest = { id: 'broken', version: '1.0.0', api: 1, description: 'Hangs', activation: 'boot' };`,
  );
  writeFileSync(
    path.join(folder, 'host/index.ts'),
    `export const activate = ({ hooks, tab }) => {
    hooks.tap(tab.hooks.navigated, ({ url }) => { while (url.endsWith('#hang')); });
  };`,
  );
}
const wordCount = path.resolve(import.meta.dirname, '../fixtures/word-count');
test.use({
  hostOptions: async ({ folder }, use) => {
    writePlugin(folder);
    await use(['--plugins', folder, '--plugins', wordCount]);
  },
});

const PAGE = `<!doctype html><title>Page</title><p id="count">0</p><button onclick="count.textContent = +count.textContent + 1">more</button>
  <a href="#hang">hang</a>`;

test('a host half that hangs is ended, and every session continues', async ({ page, site, open, vitrine, browser }) => {
  site.on('/', PAGE);
  const other = await browser.newPage();
  await other.goto(`${vitrine}/${site.origin}/`);
  await shown(other);
  const mine = await open('/');
  const theirs = view(other);
  const faults = async (): Promise<string> =>
    (await (await page.request.get(`${vitrine}/metrics`)).text())
      .split('\n')
      .filter((line) => /^vitrine_faults/.test(line))
      .join();
  await mine.getByRole('link', { name: 'hang' }).click();

  // While it hangs, and after it has been ended.
  for (const count of ['1', '2']) {
    for (const frame of [mine, theirs]) {
      await frame.getByRole('button', { name: 'more' }).click();
      await expect(frame.locator('#count')).toHaveText(count);
    }
    if (count === '1') await expect.poll(faults).toContain('from="plugin",code="plugin-hung"} 1');
  }
  // The other plugin of the same session works, too.
  const panel = page.locator('#vitrine-overlay').getByRole('region', { name: 'Words' });
  await panel.getByRole('button', { name: 'Recount' }).click();
  await expect(panel).toContainText('3 words');
  await other.close();
});
