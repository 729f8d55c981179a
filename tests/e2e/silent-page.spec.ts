import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, shown, test, view } from './support/vitrine.ts';

/** A plugin whose page half delays the start of a page for as many ms as its address says. */
function writePlugin(folder: string): void {
  mkdirSync(path.join(folder, 'page'));
  writeFileSync(
    path.join(folder, 'manifest.ts'),
    `export const manifest = { id: 'silent', version: '1.0.0', api: 1, description: 'Hangs', activation: 'boot' };`,
  );
  writeFileSync(
    path.join(folder, 'page/index.ts'),
    `export const activate = () => {
    const until = performance.now() + Number(new URL(location.href).searchParams.get('hang'));
    while (performance.now() < until);
  };`,
  );
}
test.use({
  hostOptions: async ({ folder }, use) => {
    writePlugin(folder);
    await use(['--plugins', folder]);
  },
});

const NOTICE = 'The page has loaded but shows nothing yet.';

test('a page half that hangs at the start: the person is notified, and sees the page later', async ({
  page,
  site,
  vitrine,
}) => {
  site.on('/', (request, response) => {
    const body = `<!doctype html><title>Page</title><p>here ${request.url}</p><a href="/?hang=60000">on</a>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  await page.goto(`${vitrine}/${site.origin}/?hang=12000`);
  const notice = page.locator('#vitrine-notice');
  await expect(notice).toContainText(NOTICE);
  await expect(view(page).locator('p')).toHaveCount(0);
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('here /?hang=12000');
  await expect(notice).toHaveCount(0);

  // The person can leave it meanwhile.
  await view(page).locator('a').click();
  await expect(notice).toContainText(NOTICE);
  await page.goto(`${vitrine}/${site.origin}/`);
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('here /');
  await expect(notice).toHaveCount(0);
});
