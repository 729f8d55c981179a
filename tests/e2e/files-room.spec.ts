import { truncateSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import type { FrameLocator, Locator, Page } from 'playwright/test';
import { pickFiles } from './support/file-picker.ts';
import { transferEvents } from './support/transfer-events.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const PROFILE_MIB = 64;
/** Files of pages may have so much, and so may downloads that run; at a profile more the browser is ended. */
const ROOM_MIB = 3 * PROFILE_MIB;

test.use({
  hostOptions: [
    async ({ folder }, use) => {
      await chmod(folder, 0o755); // surrogates have users of their own, and keep their profiles here
      await use(['--profile-size', String(PROFILE_MIB), '--data', path.join(folder, 'data')]);
    },
    { scope: 'worker' },
  ],
  samePerson: false,
});

const rows = (page: Page, way: 'up' | 'down', state: string): Locator =>
  page.locator(`[data-vitrine-transfer="${way}"][data-state="${state}"]`);

const COUNTER = '<button id="count">0</button><script>count.onclick = () => { count.textContent -= -1; };</script>';

/** Opens a page in another tab of the person, and presses its button. */
async function openOther(page: Page): Promise<FrameLocator> {
  const other = await page.context().newPage();
  await other.goto(page.url().replace(/[^/]+$/, 'other'));
  await shown(other);
  await view(other).locator('#count').click();
  await expect(view(other).locator('#count')).toHaveText('1');
  return view(other);
}

/** The documents are those that they were before: their browser has not been ended. */
async function goOn(...frames: readonly FrameLocator[]): Promise<void> {
  for (const frame of frames) {
    const before = Number(await frame.locator('#count').textContent());
    await frame.locator('#count').click();
    await expect(frame.locator('#count')).toHaveText(String(before + 1));
  }
}

test('a file that has no room beside those that pages have is refused, until a page is left', async ({
  page,
  site,
  open,
  folder,
}) => {
  site.on('/other', COUNTER);
  site.on(
    '/page',
    `${COUNTER}<input type="file" multiple><p></p><script>
      document.querySelector('input').onchange = ({ target: { files } }) => { document.querySelector('p').textContent = files[0].name; };
    </script>`,
  );
  for (const name of ['first', 'second', 'small']) {
    writeFileSync(path.join(folder, name), '');
    truncateSync(path.join(folder, name), name === 'small' ? MIB : (ROOM_MIB / 2 + 1) * MIB);
  }
  const frame = await open('/page');
  const other = await openOther(page);
  await page.bringToFront();
  await frame.locator('#count').click();
  await expect(frame.locator('#count')).toHaveText('1');
  const choose = (name: string): Promise<void> => pickFiles(page, frame.locator('input'), path.join(folder, name));

  await choose('first');
  await expect(frame.locator('p')).toHaveText('first');
  let posted = 0;
  page.on('request', (request) => (posted += Number(request.url().includes('/r/upload'))));
  await choose('second');
  await expect(rows(page, 'up', 'failed')).toContainText(`Pages may have ${ROOM_MIB} MB of files from you in all.`);
  expect(posted).toBe(0);
  await expect
    .poll(() => transferEvents(folder, 'uploads').filter(({ name }) => name === 'second'))
    .toMatchObject([{ outcome: 'no-room', size: (ROOM_MIB / 2 + 1) * MIB }]);
  await choose('small'); // there is room for this one
  await expect(frame.locator('p')).toHaveText('small');
  await goOn(frame, other);

  await page.reload();
  await shown(page);
  await expect(frame.locator('#count')).toHaveText('0'); // another document
  await choose('second');
  await expect(frame.locator('p')).toHaveText('second');
  await goOn(other);
});

test('a download that has no room beside others is canceled, and nothing else', async ({
  page,
  site,
  open,
  folder,
}) => {
  const slow: ServerResponse[] = [];
  let sent = 0;
  const attached = (name: string) => ({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename=${name}.bin`,
  });
  site.on('/other', COUNTER);
  site.on(
    '/page',
    `${COUNTER}<a id="slow" href="/slow">S</a> <a id="endless" href="/endless">E</a> <a id="huge" href="/huge">H</a>`,
  );
  site.on('/slow', (_request, response) => {
    slow.push(response.writeHead(200, attached('slow')));
    response.write(Buffer.alloc(8 * MIB, 1));
  });
  site.on('/endless', (_request, response) => {
    response.writeHead(200, attached('endless'));
    const piece = Buffer.alloc(2 * MIB, 2);
    const more = (): void => {
      if (response.destroyed) return;
      sent += piece.length;
      response.write(piece, () => setTimeout(more, 20));
    };
    more();
  });
  site.on('/huge', (_request, response) => {
    response.writeHead(200, { ...attached('huge'), 'content-length': (ROOM_MIB + 1) * MIB });
    response.write('a beginning');
  });
  const frame = await open('/page');
  const other = await openOther(page);
  await page.bringToFront();
  await frame.locator('#slow').click();
  await expect(rows(page, 'down', 'receiving')).toContainText('slow.bin');

  await frame.locator('#huge').click();
  const canceled = rows(page, 'down', 'failed');
  const reason = `Files that are downloaded at the same time may have ${ROOM_MIB} MB in all.`;
  await expect(canceled.filter({ hasText: 'huge.bin' })).toContainText(reason);
  await frame.locator('#endless').click();
  await expect(canceled.filter({ hasText: 'endless.bin' })).toContainText(reason);
  expect(sent).toBeGreaterThan((ROOM_MIB / 2) * MIB);
  await goOn(frame, other);
  await expect(rows(page, 'down', 'receiving')).toContainText('slow.bin');
  const saved = page.waitForEvent('download');
  slow[0]?.end('the end');
  expect((await saved).suggestedFilename()).toBe('slow.bin');
  const ends = (): unknown[] => transferEvents(folder, 'downloads').map(({ name, outcome }) => [name, outcome]);
  await expect.poll(ends).toEqual([
    ['huge.bin', 'no-room'],
    ['endless.bin', 'no-room'],
    ['slow.bin', 'finished'],
  ]);
});
