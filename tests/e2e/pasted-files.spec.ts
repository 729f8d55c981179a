import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright/test';
import { loaded } from './support/loaded.ts';
import { expect, test } from './support/vitrine.ts';

const POLICY = `tenants:
  default:
    policy:
      transfers:
        rules:
          - { on: upload, types: [archives], action: block, message: No archives leave us. }
    sites:
      - { match: '*/off', policy: { session: { backend_drag_drop: false } } }
      - { match: '*/restricted', policy: { copy_paste: { restrict_paste: true, char_len_limit_if_paste_restricted: 20 } } }
`;

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, POLICY);
    await use(['--policy', policy]);
  },
});

const PAGE = `<!doctype html><title>Paste</title><div id="rich" contenteditable style="min-height:40px;border:1px solid"></div>
<div id="deaf" contenteditable style="min-height:40px;border:1px solid"></div><p id="events"></p><pre id="out"></pre>
<script>
const hear = (event) => { events.textContent += event.type + ' ' + event.target.id + '; '; };
addEventListener('keydown', (event) => { if (event.key === 'v') hear(event); });
addEventListener('paste', hear);
rich.addEventListener('paste', async (event) => {
  const { files, types } = event.clipboardData;
  event.preventDefault();
  const found = [...files].map(async (file) => [file instanceof File, file.name, file.type, file.lastModified, await file.text()]);
  out.textContent = JSON.stringify([[...types], event.bubbles, event.cancelable, ...(await Promise.all(found))]);
});
</script>`;

const row = (page: Page): Locator => page.locator('[data-vitrine-transfer="up"]');
const dialogOf = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('dialog');

interface Held {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const NOTE = { name: 'Notiz № 1.txt', type: 'text/plain', text: 'hello' };
const TABLE = { name: 'a.csv', type: 'text/csv', text: '1,2' };
const ZIP = { name: 'a.zip', type: 'application/zip', text: 'PK\x05\x06' + '\0'.repeat(18) };

/** Pastes files as a browser does that finds them in the clipboard: no tool can put them there. */
async function paste(page: Page, at: Locator, files: readonly Held[], text?: string): Promise<void> {
  await loaded(page, 'uploads'); // it loads when the page is idle
  await at.click();
  await expect(at).toBeFocused();
  await page.evaluate(
    ([given, plain]) => {
      const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
      const clipboardData = new DataTransfer();
      for (const { name, type, text: content } of given)
        clipboardData.items.add(new File([content], name, { type, lastModified: 1_700_000_000_000 }));
      if (plain !== undefined) clipboardData.setData('text/plain', plain);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      view?.contentDocument?.activeElement?.dispatchEvent(event);
    },
    [files, text] as const,
  );
}

async function found(frame: FrameLocator): Promise<unknown> {
  await expect(frame.locator('#out')).not.toBeEmpty();
  return JSON.parse((await frame.locator('#out').textContent()) ?? '');
}

test('[S-090] files that are pasted reach the page at the element with the focus, and nothing else does', async ({
  page,
  site,
  open,
}) => {
  site.on('/paste', PAGE);
  const frame = await open('/paste');
  await paste(page, frame.locator('#rich'), [NOTE, TABLE], '/home/me/Notiz');
  await expect(row(page)).toHaveAttribute('data-state', 'done');
  const file = ({ name, type, text }: Held): unknown[] => [true, name, type, 1_700_000_000_000, text];
  expect(await found(frame)).toEqual([['Files'], true, true, file(NOTE), file(TABLE)]);
  await expect(frame.locator('#events')).toHaveText('keydown rich; paste rich;');

  // A page that does not handle them has nothing of it.
  await paste(page, frame.locator('#deaf'), [NOTE], 'words');
  await expect(frame.locator('#events')).toHaveText('keydown rich; paste rich; keydown deaf; paste deaf;');
  await expect(row(page)).toHaveCount(2);
  await expect(row(page).first()).toHaveAttribute('data-state', 'done');
  await expect(frame.locator('#deaf')).toBeEmpty();
});

test('files that are pasted into a frame reach it there', async ({ page, site, open }) => {
  site.on('/paste', PAGE);
  site.on('/around', '<h1>Around</h1><iframe src="/paste" width="500" height="300"></iframe>');
  const frame = (await open('/around')).frameLocator('iframe');
  await loaded(page, 'uploads');
  await frame.locator('#rich').click();
  await expect(frame.locator('#rich')).toBeFocused();
  await page.evaluate(() => {
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
    const inner = view?.contentDocument?.querySelector('iframe')?.contentDocument;
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    inner?.activeElement?.dispatchEvent(event);
  });
  await expect(frame.locator('#out')).toContainText('"x.txt"');
});

test('[M-097] files that are pasted are held to the rules, and the person decides about the others', async ({
  page,
  site,
  open,
}) => {
  site.on('/paste', PAGE);
  const frame = await open('/paste');
  await paste(page, frame.locator('#rich'), [ZIP, NOTE]);
  await expect(dialogOf(page)).toContainText('a.zip: No archives leave us.');
  await dialogOf(page).getByRole('button', { name: 'Upload the others' }).click();
  await expect(frame.locator('#out')).toContainText(NOTE.name);
  await expect(frame.locator('#out')).not.toContainText('a.zip');

  await paste(page, frame.locator('#rich'), [ZIP]);
  await expect(dialogOf(page)).toContainText('a.zip: No archives leave us.');
  await dialogOf(page).getByRole('button', { name: 'OK' }).click();
  await expect(row(page).first()).toHaveAttribute('data-state', 'blocked');
  await expect(frame.locator('#out')).not.toContainText('a.zip');
});

for (const address of ['/off', '/restricted'])
  test(`[S-090] [S-101] [R-064] no files are pasted where the policy does not let: ${address}`, async ({
    page,
    site,
    open,
  }) => {
    site.on(address, PAGE);
    const frame = await open(address);
    await paste(page, frame.locator('#rich'), [NOTE]);
    await expect(dialogOf(page)).toContainText('does not let you upload');
    await expect(frame.locator('#events')).toHaveText('keydown rich;');
    await expect(row(page)).toHaveCount(0);
  });
