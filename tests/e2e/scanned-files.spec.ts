import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { encryptedZip, zipOf } from '../../plugins/files/tests/judge/samples.ts';
import { installScanners, startClamd, startIcap } from '../../plugins/files/tests/judge/scanners.ts';
import type { RunningScanner } from '../../plugins/files/tests/judge/scanners.ts';
import { pdfOf, testFile } from '../../plugins/files/host/judge/scanners/wrappings.ts';
import { startHost } from '../fidelity/host.ts';
import { pickFiles } from './support/file-picker.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const POLICY = `tenants:
  default:
    policy: { transfers: { scan: required } }
    sites:
      - { match: localhost, policy: { transfers: { scan_failure: allow, encrypted: block } } }
      - { match: '127.0.0.1/kept', policy: { transfers: { quarantine_days: 1 } } }
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

/** A document of Word with an object in it. */
function docxOf(content: Buffer): Buffer {
  const of = (kind: string): string => `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;
  const [office, packages] = ['officeDocument', 'package'].map(
    (each) => `http://schemas.openxmlformats.org/${each}/2006`,
  );
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/relationships/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/><Override PartName="/word/document.xml" ContentType="${of('document.main')}"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'word/document.xml'),
    'word/document.xml':
      '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p/></w:body></w:document>',
    'word/_rels/document.xml.rels': relation('oleObject', 'embeddings/oleObject1.bin'),
  };
  const texts = Object.entries(parts).map(([name, text]) => ({
    name,
    content: Buffer.from(`<?xml version="1.0"?>${text}`),
  }));
  return zipOf([...texts, { name: 'word/embeddings/oleObject1.bin', content }]);
}

let locked: Buffer;
const FILES: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'eicar.txt': () => testFile(true),
  'twin.txt': () => testFile(false),
  'eicar.zip': () => zipOf([{ name: 'a/test.com', content: testFile(true) }]),
  'twin.zip': () => zipOf([{ name: 'a/test.com', content: testFile(false) }]),
  'eicar.docx': () => docxOf(testFile(true)),
  'twin.docx': () => docxOf(testFile(false)),
  'eicar.pdf': () => pdfOf('test.com', testFile(true)),
  'twin.pdf': () => pdfOf('test.com', testFile(false)),
  'long.bin': () => Buffer.concat([Buffer.alloc(30 * MIB, 7), testFile(true)]),
  'locked-eicar.zip': () => encryptedZip({ 'test.com': testFile(true) }, { password: 'secret' }),
  'locked-twin.zip': () => locked,
};

const row = (page: Page, name: string): Locator => page.locator('[data-vitrine-transfer="down"]', { hasText: name });

test.beforeEach(({ site }) => {
  const links = Object.keys(FILES).map((name) => `<p><a id="${name}" href="/${name}">${name}</a>`);
  site.on('/files', ({ headers: { host } }, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Files of ${host}</h1>${links.join('')}`),
  );
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
    const { file_id: key } = (request.url().includes('tc_processing') ? request.postDataJSON() : {}) as {
      file_id?: string;
    };
    if (key !== undefined && !keys.includes(key)) keys.push(key);
  });
  for (const name of ['eicar.txt', 'eicar.zip', 'eicar.docx', 'eicar.pdf']) {
    await frame.locator(`[id="${name}"]`).click();
    await expect(row(page, name)).toHaveAttribute('data-state', 'blocked');
    await expect(row(page, name)).toContainText('found a virus');
    const address = `/safeview-fileserv/tc_download/${keys.at(-1)}/${name}`;
    expect((await page.request.get(new URL(address, page.url()).href)).status()).toBe(403);
  }
  for (const name of ['twin.txt', 'twin.zip', 'twin.docx']) {
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

test('a PDF passes where the scanner reads it, and one with a virus in it does not', async ({ page, site, folder }) => {
  const policy = path.join(folder, 'p.yaml');
  const options = ['--policy', policy, '--scanner', clamd.addresses[0]!];
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`], options });
  await page.goto(`${host.origin}/${site.origin}/files`);
  await shown(page);
  const frame = view(page);
  await frame.locator('[id="eicar.pdf"]').click();
  await expect(row(page, 'eicar.pdf')).toContainText('found a virus');
  const [download] = await Promise.all([page.waitForEvent('download'), frame.locator('[id="twin.pdf"]').click()]);
  expect(readFileSync(await download.path())).toEqual(await FILES['twin.pdf']!());
  await expect(row(page, 'twin.pdf')).toContainText('no virus found');
  await host.stop();
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
  // The page before is still shown for a moment.
  await expect(frame.locator('h1')).toHaveText(`Files of localhost:${site.port}`);
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
    await pickFiles(page, frame.locator('#many'), files);
  };
  await choose('eicar.zip');
  await expect(dialog).toContainText('eicar.zip: a scanner has found a virus');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(row).toHaveAttribute('data-state', 'blocked');
  await expect(frame.locator('#out')).toHaveText('');

  for (const name of ['eicar.docx', 'eicar.pdf']) {
    await choose(name);
    await expect(dialog).toContainText(`${name}: a scanner has found a virus`);
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect(frame.locator('#out')).toHaveText('');
  }

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

test('where files are kept for administrators, an infected one goes into quarantine and to nobody', async ({
  page,
  site,
  open,
}) => {
  site.on('/kept', '<h1>Files</h1><a id="eicar" href="/eicar.zip">eicar.zip</a>');
  const frame = await open('/kept');
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().includes('tc_processing')),
    frame.locator('#eicar').click(),
  ]);
  await expect(row(page, 'eicar.zip')).toHaveAttribute('data-state', 'quarantined');
  await expect(row(page, 'eicar.zip')).toContainText('in quarantine');
  const { file_id: key } = request.postDataJSON() as { readonly file_id: string };
  const address = new URL(`/safeview-fileserv/tc_download/${key}/eicar.zip`, page.url()).href;
  expect((await page.request.get(address)).status()).toBe(403);
  expect(downloads).toBe(0);
});
