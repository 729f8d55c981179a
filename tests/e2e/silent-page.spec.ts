import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, shown, test, view } from './support/vitrine.ts';

/** A plugin whose page half keeps a page from starting until its site has answered another request, or for a minute. */
function writePlugin(folder: string): void {
  mkdirSync(path.join(folder, 'page'));
  writeFileSync(
    path.join(folder, 'manifest.ts'),
    `export const manifest = { id: 'silent', version: '1.0.0', api: 1, description: 'Hangs', activation: 'boot' };`,
  );
  writeFileSync(
    path.join(folder, 'page/index.ts'),
    `export const activate = () => {
    const until = new URL(location.href).searchParams.get('until');
    const end = performance.now() + 60_000;
    if (until === 'never') while (performance.now() < end);
    if (until !== 'answered') return;
    const request = new XMLHttpRequest();
    request.open('GET', '/answered', false);
    request.send();
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
  const isNoticed = Promise.withResolvers<void>();
  site.on('/answered', (_request, response) => void isNoticed.promise.then(() => response.end()));
  site.on('/', (request, response) => {
    const body = `<!doctype html><title>Page</title><p>here ${request.url}</p><a href="/?until=never">on</a>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  await page.goto(`${vitrine}/${site.origin}/?until=answered`);
  const notice = page.locator('#vitrine-notice');
  await expect(notice).toContainText(NOTICE);
  await expect(view(page).locator('p')).toHaveCount(0);
  isNoticed.resolve();
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('here /?until=answered');
  await expect(notice).toHaveCount(0);

  // The person can leave it meanwhile.
  await view(page).locator('a').click();
  await expect(notice).toContainText(NOTICE);
  await page.goto(`${vitrine}/${site.origin}/`);
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('here /');
  await expect(notice).toHaveCount(0);
});
