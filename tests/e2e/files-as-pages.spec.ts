import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright/test';
import { expect, test, view } from './support/vitrine.ts';

const PDF = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`);

// A tab that has shown no page yet.
test.use({ samePerson: false });

const rows = (page: Page): Locator => page.locator('[data-vitrine-transfer="down"]');

test.beforeEach(({ site }) => {
  site.on('/invoice.pdf', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': PDF.length }).end(PDF);
  });
});

test('a first address that is a file has a row over the notice that there is no page', async ({
  page,
  site,
  vitrine,
}) => {
  await page.goto(`${vitrine}/${site.origin}/invoice.pdf`);
  await expect(page.getByRole('heading')).toHaveText(['There is no page here', 'Downloads']);
  await expect(rows(page)).toContainText('Ready');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save invoice.pdf' }).click(),
  ]);
  expect(readFileSync(await download.path()).equals(PDF)).toBe(true);
});

test('a PDF file that a link leads to, or that a frame has, is a download', async ({ page, site, open }) => {
  site.on('/page', '<h1>Here</h1><a id="pdf" href="/invoice.pdf">Pdf</a><iframe src="/invoice.pdf"></iframe>');
  const frame = await open('/page');
  const [linked] = await Promise.all([page.waitForEvent('download'), frame.locator('#pdf').click()]);
  expect(readFileSync(await linked.path()).equals(PDF)).toBe(true);
  await expect(view(page).locator('h1')).toHaveText('Here'); // the page has stayed
  const [framed] = await Promise.all([
    page.waitForEvent('download'),
    frame.frameLocator('iframe').getByText('Open').click(),
  ]);
  expect(readFileSync(await framed.path()).equals(PDF)).toBe(true);
  await expect.poll(() => page.context().pages()).toEqual([page]);
});
