import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Locator, Page } from 'playwright/test';
import { loaded } from './support/loaded.ts';
import { expect, test } from './support/vitrine.ts';

const POLICY = `tenants:
  default:
    policy:
      transfers:
        max_files: 3
        rules:
          - { on: upload, types: [images], action: block, message: No pictures leave us. }
    sites: [{ match: localhost, policy: { transfers: { uploads: false } } }]
`;

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    await use(['--policy', policy, '--allow-network', 'localhost']);
  },
});

const PAGE = `<!doctype html><title>Drop</title><style>div{height:120px;width:300px;background:#eee}.over{background:#cfc}</style>
<h1></h1><div id="zone">Drop files here</div><div id="other">Not here</div><p id="events"></p><pre id="out"></pre>
<script>
document.querySelector('h1').textContent = location.hostname;
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const log = (event) => {
  const { types, items } = event.dataTransfer;
  if (events.dataset.last === event.type) return;
  events.dataset.last = event.type;
  events.textContent += event.type + ' ' + event.isTrusted + ' ' + [...types] + ' ' + [...items].map((item) => item.type) + '; ';
};
for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) zone.addEventListener(type, (event) => {
  log(event);
  zone.className = type === 'dragenter' || type === 'dragover' ? 'over' : '';
  if (type !== 'dragleave') event.preventDefault();
});
const walk = async (entry) => {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    const sha256 = hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    return [{ path: entry.fullPath, size: file.size, type: file.type, lastModified: file.lastModified, sha256 }];
  }
  const entries = await new Promise((resolve, reject) => entry.createReader().readEntries(resolve, reject));
  return (await Promise.all(entries.map(walk))).flat();
};
zone.addEventListener('drop', async (event) => {
  const all = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
  const found = (await Promise.all(all.map(walk))).flat();
  out.textContent = JSON.stringify(found.sort((a, b) => (a.path < b.path ? -1 : 1)));
});
</script>`;

const dialogOf = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('dialog');
const row = (page: Page): Locator => page.locator('[data-vitrine-transfer="up"]');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

type DragType = 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel';

/** Drags files of the person's machine over their browser, as their desktop does. */
class Desktop {
  readonly #cdp: CDPSession;
  readonly #files: string[];

  private constructor(cdp: CDPSession, files: string[]) {
    this.#cdp = cdp;
    this.#files = files;
  }

  static async drag(page: Page, ...files: string[]): Promise<Desktop> {
    return new Desktop(await page.context().newCDPSession(page), files);
  }

  /** `modifiers`: those of CDP, Shift is 8. */
  async send(type: DragType, over: Locator, modifiers = 0): Promise<void> {
    const box = await over.boundingBox();
    if (!box) throw new Error('it is not there');
    const data = { items: [], files: this.#files, dragOperationsMask: 1 };
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await this.#cdp.send('Input.dispatchDragEvent', { type, ...place, data, modifiers });
  }

  /** Rests over an element, as a desktop says again and again, until the result is as expected. */
  async rest(over: Locator, result: () => Promise<unknown>, expected: unknown): Promise<void> {
    const look = async (): Promise<unknown> => {
      await this.send('dragOver', over);
      return result();
    };
    await expect.poll(look).toEqual(expected);
  }
}

/** Watches which effect the cursor promises over the view. */
async function watchEffect(page: Page): Promise<() => Promise<unknown>> {
  const effects = await page.evaluateHandle(() => {
    const found: string[] = [];
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
    view?.contentDocument?.addEventListener('dragover', ({ dataTransfer }) => {
      found.push(dataTransfer?.dropEffect ?? '');
    });
    return found;
  });
  return async () => (await effects.jsonValue()).at(-1);
}

test('[R-095] files are dragged and dropped where the person has them, with the keys that they hold', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on(
    '/held',
    `<!doctype html><style>body{margin:0}</style><div style="width:300px;height:120px">Drop here</div><p></p><script>
      for (const type of ['dragover', 'drop']) document.querySelector('div').addEventListener(type, (event) => {
        event.preventDefault();
        const said = [event.type, event.clientX, event.clientY, event.shiftKey, event.ctrlKey, event.altKey].join();
        document.querySelector('p').textContent = said;
      });
    </script>`,
  );
  const frame = await open('/held');
  const text = path.join(folder, 'held.txt');
  writeFileSync(text, 'held');
  const [zone, said] = [frame.locator('div'), (): Promise<unknown> => frame.locator('p').textContent()];
  const desktop = await Desktop.drag(page, text);
  await loaded(page, 'uploads');
  const shift = 8;
  await desktop.send('dragEnter', zone, shift);
  await expect
    .poll(async () => {
      await desktop.send('dragOver', zone, shift);
      return said();
    })
    .toBe('dragover,150,60,true,false,false');
  await desktop.send('drop', zone, shift);
  await expect.poll(said).toBe('drop,150,60,true,false,false');
});

test('[R-095] files that are dragged over the page are shown to it, and dropped are its files', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/drop', PAGE);
  const frame = await open('/drop');
  const [zone, other] = [frame.locator('#zone'), frame.locator('#other')];
  const text = path.join(folder, 'Notiz № 1.txt');
  const photos = path.join(folder, 'photos');
  mkdirSync(path.join(photos, 'deep'), { recursive: true });
  writeFileSync(text, 'hello');
  writeFileSync(path.join(photos, 'deep', 'a.csv'), '1,2');

  const desktop = await Desktop.drag(page, text, photos);
  await loaded(page, 'uploads');
  await desktop.send('dragEnter', zone);
  await desktop.rest(zone, () => zone.getAttribute('class'), 'over');
  await expect(frame.locator('#events')).toHaveText(
    'dragenter true Files text/plain,; dragover true Files text/plain,;',
  );
  await expect(row(page)).toHaveCount(0);

  await desktop.send('drop', zone);
  await expect(row(page)).toHaveAttribute('data-state', 'done');
  await expect(frame.locator('#out')).not.toBeEmpty();
  const found: unknown = JSON.parse((await frame.locator('#out').textContent()) ?? '');
  expect(found).toMatchObject([
    { path: '/Notiz № 1.txt', size: 5, type: 'text/plain', sha256: sha256('hello') },
    { path: '/photos/deep/a.csv', size: 3, type: 'text/csv', sha256: sha256('1,2') },
  ]);
  await expect(frame.locator('#events')).toContainText('drop true Files');

  // Where the page takes none nothing is sent, and nothing is opened in its place.
  const effect = await watchEffect(page);
  const again = await Desktop.drag(page, text);
  await again.send('dragEnter', other);
  await again.rest(other, effect, 'none');
  await again.send('drop', other);
  const last = await Desktop.drag(page, text);
  await last.send('dragEnter', zone);
  await last.rest(zone, () => zone.getAttribute('class'), 'over'); // what the drop has led to was before that
  await expect(row(page)).toHaveCount(1);
  expect((await frame.locator('#events').textContent())?.match(/drop true Files/g)).toHaveLength(1);
});

test('[M-097] drops are held to the policy, as choosers are', async ({ page, site, open, folder }) => {
  site.on('/drop', PAGE);
  const zone = (await open('/drop')).locator('#zone');
  const picture = path.join(folder, 'a.png');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const files = ['1.txt', '2.txt', '3.txt', '4.txt'].map((name) => path.join(folder, name));
  for (const file of files) writeFileSync(file, 'x');

  await loaded(page, 'uploads');
  for (const [before, [dropped, reason]] of (
    [
      [[picture], 'No pictures leave us.'],
      [files, 'at most 3 files'],
    ] as const
  ).entries()) {
    const desktop = await Desktop.drag(page, ...dropped);
    await desktop.send('dragEnter', zone);
    await desktop.send('drop', zone);
    await expect(dialogOf(page)).toContainText(reason);
    await dialogOf(page).getByRole('button', { name: 'OK' }).click();
    await expect(row(page)).toHaveCount(before + 1);
    await expect(row(page).first()).toHaveAttribute('data-state', 'blocked');
  }
});

test('what is dropped at once where the page takes nothing goes to no page, and the person reads so', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/drop', PAGE);
  const frame = await open('/drop');
  const file = path.join(folder, 'a.txt');
  writeFileSync(file, 'x');
  await loaded(page, 'uploads');
  const desktop = await Desktop.drag(page, file);
  await desktop.send('dragEnter', frame.locator('#other'));
  await desktop.send('drop', frame.locator('#other'));
  await expect(row(page)).toHaveAttribute('data-state', 'failed');
  await expect(row(page)).toContainText('The page does not take files there.');
  await expect(frame.locator('#events')).toBeEmpty();
});

test('an element for files takes what is dropped on it by itself, a disabled one does not', async ({
  page,
  site,
  open,
  folder,
}) => {
  const input = '<input type="file" multiple style="display:block;height:60px;width:300px;opacity:0.5"';
  site.on(
    '/inputs',
    `<!doctype html><title>Inputs</title>${input} id="one">${input} id="off" disabled><p id="out"></p>
    <script>for (const type of ['input', 'change']) one.addEventListener(type, async ({ isTrusted }) => {
      const files = await Promise.all([...one.files].map(async (file) => file.name + ' ' + (await file.text())));
      out.textContent += type + ' ' + isTrusted + ' ' + files + '; ';
    });</script>`,
  );
  const frame = await open('/inputs');
  const files = ['1.txt', '2.txt'].map((name) => path.join(folder, name));
  for (const file of files) writeFileSync(file, 'x');
  await loaded(page, 'uploads');
  const effect = await watchEffect(page);
  const refused = await Desktop.drag(page, ...files);
  await refused.send('dragEnter', frame.locator('#off'));
  await refused.rest(frame.locator('#off'), effect, 'none');
  await refused.send('drop', frame.locator('#off'));
  const desktop = await Desktop.drag(page, ...files);
  await desktop.send('dragEnter', frame.locator('#one'));
  await desktop.rest(frame.locator('#one'), effect, 'copy');
  await desktop.send('drop', frame.locator('#one'));
  await expect(frame.locator('#out')).toHaveText('input true 1.txt x,2.txt x; change true 1.txt x,2.txt x;');
  await expect(row(page)).toHaveAttribute('data-state', 'done');
});

test('[R-064] nothing is dropped where uploads are off, which a drop at once is told too', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/drop', PAGE);
  const frame = await open('/drop');
  await page.goto(page.url().replace(`127.0.0.1:${site.port}`, `localhost:${site.port}`));
  await expect(frame.locator('h1')).toHaveText('localhost'); // the page before is still shown for a moment
  const file = path.join(folder, 'a.txt');
  writeFileSync(file, 'x');
  const desktop = await Desktop.drag(page, file);
  const zone = frame.locator('#zone');
  await loaded(page, 'uploads');
  const { promise: dropped, resolve } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await dropped; // the script that takes drops comes late
    await route.continue();
  });
  await desktop.send('dragEnter', zone);
  await desktop.send('drop', zone);
  resolve();
  await expect(dialogOf(page)).toContainText('does not let you upload');
  await expect(frame.locator('#events')).toBeEmpty();
});
