import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Download, Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants } from './support/processes.ts';
import { expect, shown, test, view } from './support/vitrine.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** More than all buffers between the file store and a browser that does not read. */
const FILE = randomBytes(48 * 1024 * 1024);

let host: RunningHost;
test.beforeEach(async ({ site }) => {
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--leave-time', '1'] });
  site.on('/page', '<a id="file" href="/file">File</a>');
  site.on('/file', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="a.bin"' }).end(FILE);
  });
});
test.afterEach(() => host.stop());

/** Begins to save it once more, as the browser does, and reads nothing of it. */
async function saving(page: Page, download: Download): Promise<IncomingMessage> {
  const cookies = await page.context().cookies(host.origin);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const [response] = (await once(http.get(download.url(), { headers: { cookie } }), 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

test('a file that the person is saving arrives whole, though their session ends meanwhile', async ({ page, site }) => {
  await page.goto(`${host.origin}/${site.origin}/page`);
  await shown(page);
  const [download] = await Promise.all([page.waitForEvent('download'), view(page).locator('#file').click()]);
  await download.path();
  const response = await saving(page, download);
  await page.goto('about:blank');
  // The session is over once its cell has ended: the file service is left.
  const programs = (): number => descendants(host.pid).filter(({ command }) => command.includes('cell.mjs')).length;
  await expect.poll(programs, { timeout: PATIENCE_MS }).toBe(1);
  const again = await page.request.get(download.url(), { headers: { range: 'bytes=0-0' } });
  expect(again.status()).toBe(404);
  expect((await buffer(response)).equals(FILE)).toBe(true);
});
