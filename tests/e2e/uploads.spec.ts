import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { noise } from './support/noise.ts';
import { openPicker, pickFiles } from './support/file-picker.ts';
import { transferEvents } from './support/transfer-events.ts';
import { expect, shown, test } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const POLICY = `tenants:
  default:
    policy:
      transfers:
        max_upload_megabytes: 40
        max_files: 3
        rules:
          - { on: upload, types: [images], action: block, message: No pictures leave us. }
          - { on: upload, types: [.iso], over_megabytes: 1, action: block, message: No large disks. }
    sites: [{ match: localhost, policy: { transfers: { uploads: false } } }]
`;

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    await use(['--data', path.join(folder, 'data'), '--policy', policy, '--allow-network', 'localhost']);
  },
});

const PAGE = `<!doctype html><title>Upload</title>
<input id="one" type="file" accept=".txt"><input id="many" type="file" multiple><input id="folder" type="file" webkitdirectory>
<button id="late">Late</button><form id="form" method="post" action="/take" enctype="multipart/form-data"><input id="posted" name="doc" type="file"><button id="send">Send</button></form>
<pre id="out"></pre><p id="events"></p>
<script>
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
for (const input of document.querySelectorAll('input')) {
  input.addEventListener('input', (event) => { events.textContent += 'input ' + event.isTrusted + ' '; });
  input.addEventListener('change', async (event) => {
    events.textContent += 'change ' + event.isTrusted + ' ';
    const files = [];
    for (const file of input.files) {
      const sha256 = hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      files.push({ name: file.name, size: file.size, type: file.type, lastModified: file.lastModified, path: file.webkitRelativePath, sha256 });
    }
    out.textContent = JSON.stringify(files);
  });
}
late.onclick = () => setTimeout(() => one.click(), 100);
new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });
</script>`;

const row = (page: Page): Locator => page.locator('[data-vitrine-transfer="up"]');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('[M-019] [M-041] [M-080] [M-091] [S-120] files arrive byte for byte, with name, type and time', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/upload', PAGE);
  const frame = await open('/upload');
  const large = noise(35 * MIB + 3);
  const [text, big] = [path.join(folder, 'Notiz  №: 1.txt'), path.join(folder, 'big.bin')];
  writeFileSync(text, 'hello');
  writeFileSync(big, large);
  utimesSync(text, 1_700_000_000, 1_700_000_000.1235);

  await pickFiles(page, frame.locator('#one'), text);
  const one = [
    {
      name: 'Notiz  №: 1.txt',
      size: 5,
      type: 'text/plain',
      lastModified: 1_700_000_000_123,
      path: '',
      sha256: sha256(Buffer.from('hello')),
    },
  ];
  await expect
    .poll(async () => JSON.parse((await frame.locator('#out').textContent()) || 'null') as unknown)
    .toEqual(one);
  await expect(frame.locator('#events')).toHaveText('input true change true');
  await expect(row(page)).toHaveAttribute('data-state', 'done');

  // In parts, the second one of three bytes; with an empty file beside it.
  const empty = path.join(folder, 'empty');
  writeFileSync(empty, '');
  await pickFiles(page, frame.locator('#many'), [big, empty]);
  await expect(frame.locator('#out')).toContainText('"big.bin"');
  const [first, second] = JSON.parse((await frame.locator('#out').textContent()) ?? '') as {
    size: number;
    sha256: string;
  }[];
  expect(first).toMatchObject({ name: 'big.bin', size: large.length, sha256: sha256(large) });
  expect(second).toMatchObject({ name: 'empty', size: 0 });
  // The person's browser knows no type of files without an extension.
  await expect
    .poll(() => transferEvents(folder, 'uploads').map(({ name, declared }) => [name, declared]))
    .toEqual(
      expect.arrayContaining([
        ['Notiz №_ 1.txt', 'text/plain'],
        ['empty', 'n/a'],
      ]),
    );

  // A form sends it on.
  let posted = Buffer.alloc(0);
  site.on('/take', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posted = Buffer.concat(chunks);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>taken</h1>');
  });
  await pickFiles(page, frame.locator('#posted'), text);
  await expect(frame.locator('#out')).toContainText('Notiz');
  await frame.locator('#send').click();
  await expect(frame.locator('h1')).toHaveText('taken');
  expect(posted.toString()).toContain('hello');
});

test('a file field for a camera asks for the same one of the person', async ({ page, site, open }) => {
  site.on('/camera', '<!doctype html><input type="file" accept="image/*" capture="user">');
  const frame = await open('/camera');
  const wanted = await (await openPicker(page, frame.locator('input'))).element().evaluate((element) => {
    const input = element as HTMLInputElement; // a file picker belongs to one
    return { accept: input.accept, capture: input.getAttribute('capture') };
  });
  expect(wanted).toEqual({ accept: 'image/*', capture: 'user' });
});

test('a folder keeps its paths, and a chooser that opens late asks first', async ({ page, site, open, folder }) => {
  site.on('/upload', PAGE);
  const frame = await open('/upload');
  const chosen = path.join(folder, 'photos');
  mkdirSync(path.join(chosen, 'trip'), { recursive: true });
  writeFileSync(path.join(chosen, 'a.txt'), 'a');
  writeFileSync(path.join(chosen, 'trip', 'a.txt'), 'b');
  await pickFiles(page, frame.locator('#folder'), chosen);
  await expect(frame.locator('#out')).toContainText('photos/trip/a.txt');
  const files = JSON.parse((await frame.locator('#out').textContent()) ?? '') as { path: string }[];
  expect(files.map(({ path: each }) => each).sort()).toEqual(['photos/a.txt', 'photos/trip/a.txt']);

  await pickFiles(page, frame.locator('#late'), path.join(chosen, 'a.txt'));
  await expect(frame.locator('#out')).toContainText('"a.txt"');
  await pickFiles(page, frame.locator('#one'), []);
  await expect(row(page)).toHaveCount(2);
});

test('[M-097] too many, too large and refused ones are not uploaded, and the person reads why', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/upload', PAGE);
  const frame = await open('/upload');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  const [large, small] = [path.join(folder, 'large.bin'), path.join(folder, 'small.txt')];
  writeFileSync(large, Buffer.alloc(41 * MIB));
  writeFileSync(small, 'small');
  await pickFiles(page, frame.locator('#many'), [large, small]);
  await expect(dialog).toContainText('up to 40 MB');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await pickFiles(
    page,
    frame.locator('#many'),
    [small, large, small, small].map((each, at) => {
      const file = path.join(folder, `${at}.txt`);
      writeFileSync(file, path.basename(each));
      return file;
    }),
  );
  await expect(dialog).toContainText('at most 3 files');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(frame.locator('#out')).toHaveText('');

  // A site that may have none, in a frame and as a page.
  const refused = `http://localhost:${site.port}/upload`;
  site.on('/framed', `<iframe src="${refused}" width="600" height="300"></iframe>`);
  await open('/framed');
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(frame.frameLocator('iframe').locator('body')).toHaveAttribute('data-painted');
  await frame.frameLocator('iframe').locator('#one').click();
  await expect(dialog).toContainText('upload files to localhost');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await page.goto(`${new URL(page.url()).origin}/${refused}`);
  await shown(page);
  await frame.locator('#one').click();
  await expect(dialog).toContainText('Uploads are off');
});

test('a rule of the policy keeps files from the page by their bytes, and the person decides about the others', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/upload', PAGE);
  const frame = await open('/upload');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  const [hidden, fine, disk] = [
    path.join(folder, 'notes.txt'),
    path.join(folder, 'fine.txt'),
    path.join(folder, 'd.iso'),
  ];
  writeFileSync(hidden, Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'));
  writeFileSync(fine, 'fine');
  writeFileSync(disk, Buffer.alloc(MIB + 1));
  await pickFiles(page, frame.locator('#many'), [hidden, fine]);
  await expect(dialog).toContainText('notes.txt: No pictures leave us.');
  await dialog.getByRole('button', { name: 'Upload the others' }).click();
  await expect(frame.locator('#out')).toContainText('fine.txt');
  await expect(frame.locator('#out')).not.toContainText('notes.txt');

  await pickFiles(page, frame.locator('#one'), disk);
  await expect(dialog).toContainText('d.iso: No large disks.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(row(page).first()).toContainText('No large disks.');
  await expect(frame.locator('#out')).not.toContainText('d.iso');
});

test('[M-052] an element hears that its chooser was closed, or that its upload is refused as a whole', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on(
    '/wait',
    `<input id="one" type="file"><p id="out"></p><script>
    const seen = [];
    for (const type of ['blur', 'focus']) addEventListener(type, () => seen.push(type));
    addEventListener('cancel', ({ target, bubbles, cancelable }) => {
      out.textContent += [target.id, bubbles, cancelable, one.files.length] + '; ';
      out.title = seen.splice(0).slice(-2); // as around a dialog of a browser
    });</script>`,
  );
  const frame = await open('/wait');
  const close = async (): Promise<void> => {
    await openPicker(page, frame.locator('#one'));
    // The person's browser closes its picker without a choice.
    await page.evaluate(() =>
      document.querySelector('body > input[type=file]')?.dispatchEvent(new Event('cancel', { bubbles: true })),
    );
  };
  await close();
  await expect(frame.locator('#out')).toHaveText('one,true,false,0;');
  await expect(frame.locator('#out')).toHaveAttribute('title', 'blur,focus');

  // The files that it has stay.
  const [text, picture] = [path.join(folder, 'kept.txt'), path.join(folder, 'no.png')];
  writeFileSync(text, 'kept');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'));
  await pickFiles(page, frame.locator('#one'), text);
  await expect(row(page)).toHaveAttribute('data-state', 'done');
  await close();
  await expect(frame.locator('#out')).toHaveText('one,true,false,0; one,true,false,1;');

  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  await pickFiles(page, frame.locator('#one'), picture);
  await expect(dialog).toContainText('No pictures leave us.');
  await expect(frame.locator('#out')).toHaveText('one,true,false,0; one,true,false,1; one,true,false,1;');
});

test('pages do not see pickers that cannot be answered', async ({ site, open }) => {
  site.on(
    '/upload',
    '<p id="out"></p><script>out.textContent = ["showOpenFilePicker" in window, "showDirectoryPicker" in window]</script>',
  );
  const frame = await open('/upload');
  await expect(frame.locator('#out')).toHaveText('false,false');
});
