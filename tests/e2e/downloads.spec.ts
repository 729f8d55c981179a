import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Download, Locator, Page } from 'playwright/test';
import { expect, shown, test } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const POLICY = `tenants:
  default:
    policy: { transfers: { max_download_megabytes: 2 } }
    sites: [{ match: localhost, policy: { transfers: { downloads: false } } }]
`;

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    await use(['--policy', policy, '--allow-network', 'localhost']);
  },
});

/** Bytes of which no part is like another. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 32) createHash('sha256').update(`${at}`).digest().copy(bytes, at);
  return bytes;
}

const PAGE = `<!doctype html><title>Files</title><h1>Files</h1>
<a id="plain" href="/invoice">Invoice</a>
<a id="named" href="/report" download="report &#x202e;fdp.exe">Report</a>
<a id="tab" href="/invoice" target="_blank">In a tab</a>
<a id="data" href="data:text/plain,hello" download="hello.txt">Data</a>
<a id="big" href="/big">Big</a><a id="cut" href="/cut">Cut</a><a id="slow" href="/slow">Slow</a>
<button id="blob">Blob</button><form method="post" action="/post"><button id="post">Post</button></form>
<script>document.getElementById('blob').onclick = () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['a blob'])); link.download = 'CON.txt'; link.click();
};</script>`;

const rows = (page: Page, state?: string): Locator =>
  page.locator(`[data-vitrine-transfer="down"]${state === undefined ? '' : `[data-state="${state}"]`}`);

async function bytesOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

test('[M-030] [M-036] [M-069] [M-090] a download arrives byte for byte under its name, and can be saved again', async ({
  page,
  site,
  open,
}) => {
  const invoice = noise(1.5 * MIB + 7);
  site.on('/files', PAGE);
  site.on('/invoice', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="x.pdf"; filename*=UTF-8''Rechnung%20%E2%84%96%207.pdf`,
      'content-length': invoice.length,
    });
    response.end(invoice);
  });
  const frame = await open('/files');
  const [download] = await Promise.all([page.waitForEvent('download'), frame.locator('#plain').click()]);
  expect(download.suggestedFilename()).toBe('Rechnung № 7.pdf');
  expect(await bytesOf(download)).toEqual(invoice);
  await expect(rows(page, 'saved')).toContainText('Saved, 1.5 MB, not scanned');
  await expect(frame.locator('h1')).toHaveText('Files'); // the page has stayed

  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save Rechnung № 7.pdf again' }).click(),
  ]);
  expect(await bytesOf(again)).toEqual(invoice);

  // The list is there after a reload; what is removed from it cannot be had any more.
  await page.reload();
  await shown(page);
  await expect(rows(page, 'saved')).toContainText('Rechnung № 7.pdf');
  const address = again.url();
  await page.getByRole('button', { name: 'Remove Rechnung № 7.pdf from the list' }).click();
  await expect(rows(page)).toHaveCount(0);
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(403);
});

test('files of blobs, data addresses, forms and new windows arrive under names that any system holds', async ({
  page,
  site,
  open,
}) => {
  site.on('/files', PAGE);
  for (const address of ['/invoice', '/report', '/post'])
    site.on(address, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-thing', 'content-disposition': 'attachment' });
      response.end(address);
    });
  const frame = await open('/files');
  const saved = async (id: string): Promise<readonly [string, string]> => {
    const [download] = await Promise.all([page.waitForEvent('download'), frame.locator(id).click()]);
    return [download.suggestedFilename(), String(await bytesOf(download))];
  };
  expect(await saved('#blob')).toEqual(['_CON.txt', 'a blob']);
  expect(await saved('#data')).toEqual(['hello.txt', 'hello']);
  const [name, text] = await saved('#named');
  expect(name).not.toContain('\u202e');
  expect(text).toBe('/report');
  expect((await saved('#post'))[1]).toBe('/post');
  await expect(rows(page, 'saved')).toHaveCount(4);
});

test('a page that downloads by itself fills the list, not the disk of the person', async ({ page, site, open }) => {
  site.on('/files', `${PAGE}<iframe src="/thing"></iframe>`);
  site.on('/thing', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/x-thing',
      'content-disposition': 'attachment; filename=t.bin',
    });
    response.end('thing');
  });
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await open('/files');
  await expect(rows(page, 'allowed')).toContainText('t.bin');
  await expect(rows(page)).toContainText('Ready');
  expect(downloads).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save t.bin' }).click(),
  ]);
  expect(String(await bytesOf(download))).toBe('thing');
});

test('an address that is a file is saved, and the tab says so', async ({ page, site, open }) => {
  site.on('/files', PAGE);
  site.on('/invoice', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/x-thing',
      'content-disposition': 'attachment; filename=i.bin',
    });
    response.end('thing');
  });
  await open('/files');
  await page.goto(page.url().replace('/files', '/invoice'));
  await expect(rows(page, 'allowed')).toContainText('i.bin');
});

test('[M-006] [M-040] what is too large, cut, canceled or not allowed is not saved, and the tray says why', async ({
  page,
  site,
  open,
}) => {
  site.on('/files', PAGE);
  const attached = { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=a.zip' };
  site.on('/big', (_request, response) => {
    response.writeHead(200, { ...attached, 'content-length': 3 * MIB });
    response.end(Buffer.alloc(3 * MIB));
  });
  site.on('/cut', (_request, response) => {
    response.writeHead(200, { ...attached, 'content-length': MIB });
    response.write(Buffer.alloc(MIB / 2));
    setTimeout(() => response.destroy(), 500);
  });
  site.on('/slow', (_request, response) => {
    response.writeHead(200, { ...attached, 'content-length': MIB });
    response.write(Buffer.alloc(MIB / 2));
  });
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  const frame = await open('/files');

  await frame.locator('#big').click();
  await expect(rows(page, 'blocked')).toContainText('up to 2 MB');
  await frame.locator('#cut').click();
  await expect(rows(page, 'failed')).toContainText('stopped sending');
  await frame.locator('#slow').click();
  await expect(rows(page, 'receiving')).toContainText('512.0 KB of 1.0 MB');
  await page.getByRole('button', { name: 'Cancel a.zip' }).click();
  await expect(rows(page, 'failed')).toHaveCount(2);
  await expect(rows(page, 'failed').first()).toContainText('Canceled');

  // Another site, from which the policy allows none.
  await page.goto(page.url().replace('127.0.0.1:' + String(site.port), `localhost:${site.port}`));
  await shown(page);
  await frame.locator('#data').click();
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  await expect(dialog).toContainText('Downloads are off');
  await expect(dialog).toContainText('hello.txt');
  expect(downloads).toBe(0);
});
