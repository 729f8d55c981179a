import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Download, Locator, Page } from 'playwright/test';
import { noise } from './support/noise.ts';
import { storedBytes } from './support/stored-bytes.ts';
import { expect, shown, test } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const POLICY = `tenants:
  default:
    policy:
      transfers:
        max_download_megabytes: 2
        quarantine_days: 1
        rules:
          - { types: [executables], sites: ['127.0.0.1/exe'], action: block, message: Programs come from the help desk. }
          - { over_megabytes: 1.75, types: [.iso], action: block, message: Images of disks are too large. }
          - { types: [application/pdf], sites: ['127.0.0.1/held'], action: quarantine, message: We look at it first. }
    sites: [{ match: localhost, policy: { transfers: { downloads: false } } }]
`;

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    await use(['--data', path.join(folder, 'data'), '--policy', policy, '--allow-network', 'localhost']);
  },
});

const PAGE = `<!doctype html><title>Files</title><h1>Files</h1><p id="host"></p>
<a id="plain" href="/invoice">Invoice</a>
<a id="named" href="/report" download="report &#x202e;fdp.exe">Report</a>
<a id="tab" href="/invoice" target="_blank">In a tab</a>
<a id="opener" href="/invoice" target="_blank" rel="opener">In a window</a>
<a id="data" href="data:text/plain,hello" download="hello.txt">Data</a>
<a id="changing" href="/changing">Changing</a><a id="resumed" href="/resumed">Resumed</a>
<a id="moved" href="/moved">Moved</a>
<a id="big" href="/big">Big</a><a id="cut" href="/cut">Cut</a><a id="slow" href="/slow">Slow</a>
<button id="blob">Blob</button><form method="post" action="/post"><button id="post">Post</button></form>
<script>document.getElementById('host').textContent = location.hostname;
document.getElementById('blob').onclick = () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['a blob'])); link.download = 'CON.txt'; link.click(); };</script>`;

const rows = (page: Page, state?: string): Locator =>
  page.locator(`[data-vitrine-transfer="down"]${state === undefined ? '' : `[data-state="${state}"]`}`);

async function bytesOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

test('[M-030] [M-032] [M-036] [M-055] [M-069] [M-090] a download arrives byte for byte under its name, and can be saved again', async ({
  page,
  site,
  open,
}) => {
  const invoice = noise(1.5 * MIB + 7);
  site.on('/files', PAGE);
  site.on('/invoice', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="x.pdf"; filename*=UTF-8''Rechnung%20%E2%84%96%207%20%28100%20%25%29.pdf`,
      'content-length': invoice.length,
    });
    response.end(invoice);
  });
  const frame = await open('/files');
  const asked = page.waitForRequest('**/safeview-fileserv/tc_processing');
  const [download] = await Promise.all([page.waitForEvent('download'), frame.locator('#plain').click()]);
  expect((await asked).postDataJSON()).toEqual({ file_id: new URL(download.url()).pathname.split('/').at(-2) });
  expect(download.suggestedFilename()).toBe('Rechnung № 7 (100 %).pdf');
  expect(await bytesOf(download)).toEqual(invoice);
  await expect(rows(page, 'saved')).toContainText('Saved, 1.5 MB, not scanned');
  await expect(rows(page, 'saved').getByTitle(`${site.origin}/invoice`)).toHaveText('Rechnung № 7 (100 %).pdf');
  await expect(frame.locator('h1')).toHaveText('Files'); // the page has stayed

  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save Rechnung № 7 (100 %).pdf again' }).click(),
  ]);
  expect(await bytesOf(again)).toEqual(invoice);

  // The list is there after a reload; what is removed from it cannot be had any more.
  await page.reload();
  await shown(page);
  await expect(rows(page, 'saved')).toContainText('Rechnung № 7 (100 %).pdf');
  const address = again.url();
  await page.getByRole('button', { name: 'Remove Rechnung № 7 (100 %).pdf from the list' }).click();
  await expect(rows(page)).toHaveCount(0);
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(403);
});

test('a file that Chromium resumes by itself arrives whole, or fails where it is another by then', async ({
  folder,
  page,
  site,
  open,
}) => {
  const bytes = noise(1.75 * MIB);
  const others = Buffer.from(bytes).reverse();
  site.on('/files', PAGE);
  for (const [address, second] of [
    ['/resumed', bytes],
    ['/changing', others],
  ] as const) {
    let asked = 0;
    site.on(address, (request, response) => {
      const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const isSame = second === bytes;
      const headers = { 'content-disposition': 'attachment; filename="large.bin"', 'accept-ranges': 'bytes' };
      if (asked++ === 0) {
        const before = storedBytes(folder);
        response.writeHead(200, { ...headers, 'content-length': bytes.length, etag: '"a"' });
        response.write(bytes.subarray(0, 1.5 * MIB));
        // The host has the beginning: its store writes a MiB at a time.
        const begun = expect.poll(() => storedBytes(folder)).toBeGreaterThan(before);
        void begun.finally(() => response.destroy());
      } else
        setTimeout(() => {
          const part = isSame && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
          const body = isSame ? second.subarray(from) : second;
          const facts = { 'content-length': body.length, etag: isSame ? '"a"' : '"b"', ...part };
          response.writeHead(isSame && from > 0 ? 206 : 200, { ...headers, ...facts }).end(body);
        }, 1000);
    });
  }
  const frame = await open('/files');
  const saving = page.waitForEvent('download');
  await frame.locator('#resumed').click();
  expect((await bytesOf(await saving)).equals(bytes)).toBe(true);
  await expect(rows(page, 'saved')).toHaveCount(1);
  await frame.locator('#changing').click();
  await expect(rows(page, 'failed')).toContainText('large.bin');
  await expect(rows(page)).toHaveCount(2);
});

test('files of blobs, data addresses, forms and new windows arrive under names that any system holds', async ({
  page,
  site,
  open,
}) => {
  site.on('/files', PAGE);
  let isSeen: Promise<unknown> = Promise.resolve();
  for (const address of ['/invoice', '/report', '/post'])
    site.on(address, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-thing', 'content-disposition': 'attachment' });
      void isSeen.then(() => response.end(address));
    });
  const see = (isShown: boolean): Promise<void> =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, !isShown);
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
  // The window that it opens for this alone hides the page, and closes, whether or not it can reach its opener.
  for (const [id, count] of [
    ['#tab', 5],
    ['#opener', 6],
  ] as const) {
    isSeen = page
      .context()
      .waitForEvent('page')
      .then(() => see(false));
    expect((await saved(id))[1]).toBe('/invoice');
    await expect(rows(page, 'saved')).toHaveCount(count);
    await expect.poll(() => page.context().pages()).toEqual([page]);
    await see(true);
  }
});

test('[M-090] a file that a page writes by showSaveFilePicker is a download of the suggested name', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/save',
    `<button id="whole">Whole</button><button id="piped">Piped</button><button id="given-up">Given up</button>
    <button id="large">Large</button><pre id="out"></pre><script>
    const say = (...words) => { out.textContent += words.join(' ') + '; '; };
    const on = (id, run) => { document.getElementById(id).onclick = () => run().catch((error) => say(error.name)); };
    showSaveFilePicker().catch((error) => say(error.name));
    on('whole', async () => {
      const handle = await showSaveFilePicker({ suggestedName: 'Notiz.txt', types: [{ accept: { 'text/plain': ['.txt'] } }] });
      say(handle instanceof FileSystemFileHandle, handle.kind, handle.name, await handle.queryPermission({ mode: 'readwrite' }));
      const stream = await handle.createWritable();
      await stream.write('hello ');
      await stream.write(new TextEncoder().encode('wOrld').buffer);
      await stream.write({ type: 'write', position: 7, data: new Blob(['o']) });
      await stream.seek(20);
      await stream.write('!?');
      await stream.write({ type: 'truncate', size: 12 });
      say((await handle.getFile()).size);
      await stream.close();
      const file = await handle.getFile();
      say(file.name, JSON.stringify(await file.text()));
    });
    on('piped', async () => {
      const handle = await showSaveFilePicker({ types: [{ accept: { 'text/csv': ['.csv'] } }] });
      await new Blob(['1,2']).stream().pipeTo(await handle.createWritable());
    });
    on('given-up', async () => {
      const stream = await (await showSaveFilePicker({ suggestedName: 'never.txt' })).createWritable();
      await stream.write('x');
      await stream.abort();
      say('given up');
    });
    on('large', async () => {
      const stream = await (await showSaveFilePicker({ suggestedName: 'never.bin' })).createWritable();
      await stream.truncate(2 ** 40);
    });</script>`,
  );
  const frame = await open('/save');
  const out = frame.locator('#out');
  await expect(out).toHaveText('SecurityError;');
  const [whole] = await Promise.all([page.waitForEvent('download'), frame.locator('#whole').click()]);
  expect(whole.suggestedFilename()).toBe('Notiz.txt');
  expect(readFileSync(await whole.path(), 'utf8')).toBe('hello world\0');
  await expect(out).toHaveText('SecurityError; true file Notiz.txt granted; 0; Notiz.txt "hello world\\u0000";');
  const [piped] = await Promise.all([page.waitForEvent('download'), frame.locator('#piped').click()]);
  expect(piped.suggestedFilename()).toBe('Untitled.csv');
  expect(readFileSync(await piped.path(), 'utf8')).toBe('1,2');
  await frame.locator('#given-up').click();
  await expect(out).toContainText('given up;');
  await frame.locator('#large').click();
  await expect(out).toContainText('QuotaExceededError;');
  await expect(page.locator('[data-vitrine-transfer="down"]')).toHaveCount(2);
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
  for (const name of ['/cut', '/slow'])
    site.on(name, (_request, response) => {
      response.writeHead(200, { ...attached, 'content-length': MIB });
      response.write(Buffer.alloc(MIB / 2));
      if (name === '/cut') setTimeout(() => response.destroy(), 500);
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
  await expect(rows(page, 'receiving').getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  await page.getByRole('button', { name: 'Cancel a.zip' }).click();
  await expect(rows(page, 'failed')).toHaveCount(2);
  await expect(rows(page, 'failed').first()).toContainText('Canceled');

  // Another site, from which the policy allows none: a file of it, and its own page.
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  site.on('/moved', (_request, response) => {
    response.writeHead(302, { location: `http://localhost:${site.port}/slow` }).end();
  });
  await frame.locator('#moved').click();
  await expect(dialog).toContainText(`download a.zip from localhost:${site.port}`);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await page.goto(page.url().replace('127.0.0.1:' + String(site.port), `localhost:${site.port}`));
  await expect(frame.locator('#host')).toHaveText('localhost'); // the page before is still shown for a moment
  await frame.locator('#data').click();
  await expect(dialog).toContainText('Downloads are off');
  await expect(dialog).toContainText('hello.txt');
  expect(downloads).toBe(0);
});

/** Events of downloads that the host has written. */
function recordedIn(folder: string): string {
  const file = path.join(folder, 'data/events/downloads.transfers.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

test('[M-037] a rule of the policy blocks by the bytes or by the size, and the person reads its text', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/files', '<h1>Files</h1><a id="exe" href="/exe">Exe</a> <a id="iso" href="/iso">Iso</a>');
  site.on('/exe', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename=invoice.pdf',
    });
    response.end(Buffer.concat([Buffer.from('MZ'), noise(1000)]));
  });
  site.on('/iso', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename=disk.iso',
      'content-length': 2 * MIB - 1,
    });
    response.write(noise(1000)); // the rest never comes
  });
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  const frame = await open('/files');
  await frame.locator('#exe').click();
  await expect(rows(page, 'blocked')).toContainText('Programs come from the help desk.');
  await frame.locator('#iso').click();
  await expect(rows(page, 'blocked').first()).toContainText('Images of disks are too large.');
  expect(downloads).toBe(0);
  await expect
    .poll(() => recordedIn(folder))
    .toMatch(/invoice\.pdf.*"rule":"tenant default: rules\[0\]"[^]*disk\.iso.*"rule":"tenant default: rules\[1\]"/);
});

test('a file in quarantine is the person’s once an administrator has released it', async ({
  page,
  site,
  open,
  folder,
}) => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(100_000)]);
  site.on('/files', '<h1>Files</h1><a id="pdf" href="/held">Pdf</a>');
  site.on('/held', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename=contract.pdf' });
    response.end(pdf);
  });
  const vitrine = (...args: string[]): string =>
    execFileSync(process.execPath, ['host/vitrine.mjs', 'files', ...args, '--data', path.join(folder, 'data')], {
      encoding: 'utf8',
    });
  const frame = await open('/files');
  await frame.locator('#pdf').click();
  await expect(rows(page, 'quarantined')).toContainText('We look at it first. This file is in quarantine.');
  const [id = ''] = vitrine('list').split('\t');
  const copy = path.join(folder, 'copy.pdf');
  expect(vitrine('release', id, '--to', copy)).toContain('contract.pdf');
  expect(readFileSync(copy)).toEqual(pdf);
  expect(vitrine('release', id)).toContain('is released');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save contract.pdf' }).click(),
  ]);
  expect(await bytesOf(download)).toEqual(pdf);
  vitrine('delete', id);
  expect(vitrine('list')).toBe('');
  expect((await page.request.get(download.url())).status()).toBe(404);
});
