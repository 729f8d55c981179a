import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerable } from './support/vitrine.ts';
import { expect, test } from './support/vitrine.ts';

const POLICY = `tenants:
  default:
    policy: {}
    sites:
      - { match: localhost, policy: { transfers: { downloads: false } } }
      - { match: 127.0.0.1/kept, policy: { transfers: { downloads: false } } }
`;

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    await use(['--data', path.join(folder, 'data'), '--policy', policy, '--allow-network', 'localhost']);
  },
});

/** Number of downloads that were refused, as the host has written. */
function refusedIn(folder: string): number {
  const file = path.join(folder, 'data/events/downloads.transfers.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.includes('"outcome":"refused"')).length;
}

test('a site that may give no files gives none by redirects either, the first of them or a later one', async ({
  page,
  site,
  open,
  folder,
}) => {
  const forbidden = `http://localhost:${site.port}`;
  const lead = (address: string, to: string): void =>
    site.on(address, (_request, response) => void response.writeHead(302, { location: to }).end());
  lead('/kept', '/file');
  lead('/leads', `${forbidden}/around`);
  lead('/around', `${site.origin}/file`);
  site.on('/file', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="a.zip"' }).end('a file');
  });
  const links = [
    `<a id="first" href="${forbidden}/around">First</a>`,
    `<a id="tab" href="${forbidden}/around" target="_blank">Tab</a>`,
    '<a id="later" href="/leads">Later</a>',
    '<a id="named" href="/leads" download>Named</a>',
    '<a id="path" href="/kept" download>Path</a>', // no document is asked for, unless the redirect is to another origin
    '<a id="direct" href="/file">Direct</a>',
  ];
  site.on('/page', links.join(' '));
  const frame = await open('/page');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  for (const id of ['first', 'later', 'named', 'path', 'tab']) {
    await frame.locator(`#${id}`).click();
    await expect(dialog, id).toContainText(
      `download a.zip from ${id === 'path' ? '127.0.0.1' : 'localhost'}:${site.port}`,
    );
    if (id === 'tab') await expect.poll(() => page.context().pages()).toEqual([page]); // its window has closed
    await page.bringToFront();
    await answerable(page);
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect(dialog, id).toBeHidden();
  }
  await expect.poll(() => refusedIn(folder)).toBe(5);
  const [download] = await Promise.all([page.waitForEvent('download'), frame.locator('#direct').click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe('a file');
});

test('a tab that was opened for a refused file closes, also where it is ended before its client has been paired', async ({
  page,
  site,
  open,
  vitrine,
}) => {
  site.on('/around', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="a.zip"' }).end('a file');
  });
  site.on('/page', `<a id="tab" href="http://localhost:${site.port}/around" target="_blank">Tab</a>`);
  const frame = await open('/page');
  const tabs = async (): Promise<string | undefined> => {
    const metrics = await (await page.request.get(`${vitrine}/metrics`)).text();
    return /^vitrine_tabs (\d+)$/m.exec(metrics)?.[1];
  };
  await expect.poll(tabs).toBe('1');
  const answered = Promise.withResolvers<void>();
  await page.context().route('**/r/pair*', async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await expect.poll(tabs).toBe('1'); // it has ended
    await route.fulfill({ response });
  });
  const opened = page.context().waitForEvent('page');
  await frame.locator('#tab').click();
  await opened;
  await answered.promise;
  await expect.poll(() => page.context().pages()).toEqual([page]);
});
