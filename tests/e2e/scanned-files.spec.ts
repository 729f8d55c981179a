import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { encryptedZip, zipOf } from '../../plugins/files/tests/judge/samples.ts';
import { installScanners, startClamd, startIcap } from '../../plugins/files/tests/judge/scanners.ts';
import type { RunningScanner } from '../../plugins/files/tests/judge/scanners.ts';
import { pdfOf, testFile } from '../../plugins/files/host/judge/scanners/wrappings.ts';
import { expect, test } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const POLICY = `tenants:
  default:
    policy: { transfers: { scan: required } }
    sites: [{ match: localhost, policy: { transfers: { scan_failure: allow, encrypted: block } } }]
`;

let clamd: RunningScanner;
let icap: RunningScanner;
test.beforeAll(async () => {
  expect(installScanners(), 'scanners that are missing and cannot be installed').toEqual([]);
  locked = await encryptedZip({ 'test.com': testFile(false) }, { password: 'secret' });
  clamd = (await startClamd())!;
  icap = (await startIcap(clamd))!;
});
test.afterAll(async () => {
  await icap.stop();
  await clamd.stop();
});

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    const scanners = [clamd.addresses[0]!, icap.addresses[1]!].flatMap((address) => ['--scanner', address]);
    await use(['--policy', policy, '--allow-network', 'localhost', ...scanners]);
  },
});

let locked: Buffer;
const FILES: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'eicar.txt': () => testFile(true),
  'twin.txt': () => testFile(false),
  'eicar.zip': () => zipOf([{ name: 'a/test.com', content: testFile(true) }]),
  'twin.zip': () => zipOf([{ name: 'a/test.com', content: testFile(false) }]),
  'twin.pdf': () => pdfOf('test.com', testFile(false)),
  'long.bin': () => Buffer.concat([Buffer.alloc(30 * MIB, 7), testFile(true)]),
  'locked-eicar.zip': () => encryptedZip({ 'test.com': testFile(true) }, { password: 'secret' }),
  'locked-twin.zip': () => locked,
};

const row = (page: Page, name: string): Locator => page.locator('[data-vitrine-transfer="down"]', { hasText: name });

test.beforeEach(({ site }) => {
  const links = Object.keys(FILES).map((name) => `<p><a id="${name}" href="/${name}">${name}</a>`);
  site.on('/files', `<h1>Files</h1>${links.join('')}`);
  for (const [name, content] of Object.entries(FILES))
    site.on(`/${name}`, async (_request, response) => {
      response.writeHead(200, { 'content-disposition': `attachment; filename="${name}"` });
      response.end(await content());
    });
});

test('a file in which a scanner finds something is deleted, and its twin is saved as scanned', async ({
  page,
  open,
}) => {
  const frame = await open('/files');
  const keys: string[] = [];
  page.on('request', (request) => {
    const { file_id: key } = (request.url().includes('tc_status') ? request.postDataJSON() : {}) as {
      file_id?: string;
    };
    if (key !== undefined && !keys.includes(key)) keys.push(key);
  });
  for (const name of ['eicar.txt', 'eicar.zip']) {
    await frame.locator(`[id="${name}"]`).click();
    await expect(row(page, name)).toHaveAttribute('data-state', 'blocked');
    await expect(row(page, name)).toContainText('found a virus');
    const address = `/safeview-fileserv/tc_download/${keys.at(-1)}/${name}`;
    expect((await page.request.get(new URL(address, page.url()).href)).status()).toBe(403);
  }
  for (const name of ['twin.txt', 'twin.zip']) {
    const [download] = await Promise.all([page.waitForEvent('download'), frame.locator(`[id="${name}"]`).click()]);
    expect(readFileSync(await download.path())).toEqual(await FILES[name]!());
    await expect(row(page, name)).toContainText('no virus found');
  }
  // One of the scanners does not read these, whatever it says.
  for (const name of ['twin.pdf', 'long.bin']) {
    await frame.locator(`[id="${name}"]`).click();
    await expect(row(page, name)).toHaveAttribute('data-state', 'blocked');
    await expect(row(page, name)).toContainText('could not be scanned');
  }
});

test('[M-006] [M-034] an encrypted file is scanned with its password, and goes on as it was', async ({
  page,
  open,
}) => {
  const frame = await open('/files');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  const say = async (password: string): Promise<void> => {
    await dialog.getByLabel('Password of the file').fill(password);
    await dialog.getByRole('button', { name: 'Scan' }).click();
  };
  await frame.locator('[id="locked-twin.zip"]').click();
  await expect(dialog).toContainText('locked-twin.zip');
  await expect(row(page, 'locked-twin.zip')).toHaveAttribute('data-state', 'locked');
  await say('wrong');
  await expect(dialog).toContainText('does not open the file');
  const [download] = await Promise.all([page.waitForEvent('download'), say('secret')]);
  expect(readFileSync(await download.path())).toEqual(locked);
  await expect(row(page, 'locked-twin.zip')).toContainText('no virus found');

  await frame.locator('[id="locked-eicar.zip"]').click();
  await say('secret');
  await expect(row(page, 'locked-eicar.zip')).toContainText('found a virus');
});

test('while a scanner is away the policy decides, and it is used again by itself', async ({ page, site, open }) => {
  const frame = await open('/files');
  await frame.locator('[id="eicar.txt"]').click();
  await expect(row(page, 'eicar.txt')).toContainText('found a virus');
  await clamd.kill();
  await frame.locator('[id="twin.txt"]').click();
  await expect(row(page, 'twin.txt')).toContainText('could not be scanned');

  await page.goto(page.url().replace(`127.0.0.1:${site.port}`, `localhost:${site.port}`));
  await expect(frame.locator('h1')).toHaveText('Files');
  const [download] = await Promise.all([page.waitForEvent('download'), frame.locator('[id="twin.txt"]').click()]);
  expect(download.suggestedFilename()).toBe('twin.txt');
  await expect(row(page, 'twin.txt').first()).toContainText('not scanned');
  await frame.locator('[id="locked-twin.zip"]').click();
  await expect(row(page, 'locked-twin.zip')).toContainText('lets no encrypted file through');

  await clamd.restart();
  await frame.locator('[id="eicar.zip"]').click();
  await expect(row(page, 'eicar.zip')).toContainText('found a virus');
});

test('[M-007] [M-097] an infected file goes to no page, and the person decides about the others', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on(
    '/choose',
    `<input id="many" type="file" multiple><pre id="out"></pre><script>
    many.onchange = async () => {
      const texts = await Promise.all([...many.files].map(async (file) => file.name + ' ' + (await file.text()).length));
      out.textContent = texts.join(', ');
    };</script>`,
  );
  const frame = await open('/choose');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  const row = page.locator('[data-vitrine-transfer="up"]').first();
  const choose = async (...names: string[]): Promise<void> => {
    const files: string[] = [];
    for (const name of names) {
      files.push(path.join(folder, name));
      writeFileSync(files.at(-1)!, await FILES[name]!());
    }
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), frame.locator('#many').click()]);
    await chooser.setFiles(files);
  };
  await choose('eicar.zip');
  await expect(dialog).toContainText('eicar.zip: a scanner has found a virus');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(row).toHaveAttribute('data-state', 'blocked');
  await expect(frame.locator('#out')).toHaveText('');

  await choose('twin.txt', 'eicar.txt');
  await expect(dialog).toContainText('eicar.txt: a scanner has found a virus');
  await dialog.getByRole('button', { name: 'Upload the others' }).click();
  await expect(frame.locator('#out')).toHaveText(`twin.txt ${testFile(false).length}`);
  await expect(row).toHaveAttribute('data-state', 'done');

  await choose('locked-twin.zip');
  await dialog.getByLabel('Password of the file').fill('secret');
  await dialog.getByRole('button', { name: 'Scan' }).click();
  await expect(frame.locator('#out')).toContainText('locked-twin.zip');
});
