import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Download, Locator, Page } from 'playwright/test';
import { startSite } from './support/site.ts';
import type { Site } from './support/site.ts';
import { expect, test, view } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const WHOLE = Buffer.concat(Array.from({ length: MIB / 32 }, (_, at) => createHash('sha256').update(`${at}`).digest()));

test.use({ hostOptions: ['--allow-network', 'localhost'] });

const rows = (page: Page, state?: string): Locator =>
  page.locator(`[data-vitrine-transfer="down"]${state === undefined ? '' : `[data-state="${state}"]`}`);
const retry = (page: Page): Locator => page.getByRole('button', { name: 'Try a.bin again' });

/**
 * Serves a file that is cut until the site is well, and an address `/leads` that leads to it: the headers of requests for that are returned.
 * Chromium asks for the file itself several times.
 */
function cutFile(site: Site) {
  const asked: IncomingMessage['headers'][] = [];
  const state = { isWell: false };
  const file = (_request: IncomingMessage, response: ServerResponse): void => {
    const name = { 'content-disposition': 'attachment; filename="a.bin"' };
    response.writeHead(200, { ...name, 'content-length': MIB, 'cache-control': 'no-store' });
    if (state.isWell) response.end(WHOLE);
    else response.write(WHOLE.subarray(0, MIB / 2), () => setTimeout(() => response.destroy(), 100));
  };
  site.on('/file', file);
  site.on('/posted', file);
  site.on('/leads', (request, response) => {
    asked.push(request.headers);
    response.writeHead(302, { location: '/file' }).end();
  });
  return { asked, state };
}

async function save(page: Page): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), retry(page).click()]);
  return download;
}

test('a download that was cut is begun again by its page: with its cookies, its referrer, from its first address', async ({
  page,
  site,
  open,
}) => {
  const { asked, state } = cutFile(site);
  site.on('/page', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'own=1; SameSite=Strict' });
    response.end('<h1>Here</h1><a id="file" href="/leads">File</a>');
  });
  const frame = await open('/page?from');
  await frame.locator('#file').click();
  await expect(rows(page, 'failed')).toContainText('The site has stopped sending the file.');
  await retry(page).click();
  await expect.poll(() => asked.length).toBe(2);
  await expect(rows(page, 'failed')).toHaveCount(1); // it is cut once more: one row

  state.isWell = true;
  // The list is there after a reload, and so is what can be done.
  await page.reload();
  await expect(rows(page, 'failed')).toHaveCount(1);
  const download = await save(page);
  expect(download.suggestedFilename()).toBe('a.bin');
  expect(readFileSync(await download.path()).equals(WHOLE)).toBe(true);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page, 'saved')).toHaveCount(1);
  const isOwn = { cookie: 'own=1', referer: `${site.origin}/page?from` };
  expect(asked).toMatchObject([isOwn, isOwn, isOwn]);
  await expect(view(page).locator('h1')).toHaveText('Here');
});

test('a file of another site is begun again in a window of its own, so that a page that comes instead leaves this one alone', async ({
  page,
  site,
  open,
}) => {
  const other = await startSite();
  try {
    const { asked, state } = cutFile(other);
    const address = `http://localhost:${other.port}/leads`;
    site.on('/page', `<h1>Here</h1><a id="file" href="${address}">File</a>`);
    const frame = await open('/page');
    await frame.locator('#file').click();
    await expect(rows(page, 'failed')).toHaveCount(1);
    state.isWell = true;
    const download = await save(page);
    expect(readFileSync(await download.path()).equals(WHOLE)).toBe(true);
    await expect(rows(page)).toHaveCount(1);
    await expect.poll(() => page.context().pages()).toEqual([page]);
    expect(asked.map(({ referer }) => referer)).toEqual([`${site.origin}/`, `${site.origin}/`]);

    state.isWell = false;
    await page.getByRole('button', { name: 'Remove a.bin' }).click();
    await frame.locator('#file').click();
    await expect(rows(page, 'failed')).toHaveCount(1);
    other.on('/leads', '<h1>Sign in</h1>');
    const [opened] = await Promise.all([page.context().waitForEvent('page'), retry(page).click()]);
    await expect(view(opened).locator('h1')).toHaveText('Sign in');
    await expect(frame.locator('h1')).toHaveText('Here');
    await expect(rows(page, 'waiting')).toHaveCount(1);
    await page.bringToFront();
    await page.getByRole('button', { name: 'Cancel a.bin' }).click();
    await expect(rows(page, 'failed')).toContainText('Canceled');
  } finally {
    await other.close();
  }
});

test('a file for which a form was posted is not asked for again; one that a form leads to is', async ({
  page,
  site,
  open,
}) => {
  const { state } = cutFile(site);
  site.on('/form', (_request, response) => {
    response.writeHead(303, { location: '/file' }).end();
  });
  site.on(
    '/page',
    '<form method="post" action="/posted"><button id="posted">1</button></form><form method="post" action="/form"><button id="led">2</button></form>',
  );
  const frame = await open('/page');
  await frame.locator('#posted').click();
  await expect(rows(page, 'failed')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Remove a.bin' })).toBeVisible();
  await expect(retry(page)).toHaveCount(0);
  expect(site.requests.filter((each) => each === 'POST /posted')).toHaveLength(1);
  await page.getByRole('button', { name: 'Remove a.bin' }).click();

  await frame.locator('#led').click();
  await expect(rows(page, 'failed')).toHaveCount(1);
  state.isWell = true;
  expect(readFileSync(await (await save(page)).path()).equals(WHOLE)).toBe(true);
  expect(site.requests.filter((each) => each === 'POST /form')).toHaveLength(1);
});
