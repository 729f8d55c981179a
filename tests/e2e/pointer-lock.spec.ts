import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright/test';
import { answerable, expect, shown, test, view } from './support/vitrine.ts';

test.use({
  personBrowser: 'whole', // the headless shell adds moves of its own to a lock
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'pointer-lock.yaml');
    writeFileSync(
      policy,
      'tenants: { default: { sites: [{ match: localhost, policy: { permissions: { pointer_lock: false } } }] } }',
    );
    await use(['--policy', policy, '--allow-network', 'localhost']);
  },
});

/** Writes down what it hears of the pointer; `#ask` asks for a lock on a click, `#hold` while a button is down. */
const GAME = `<!doctype html><title>Game</title><style>body{margin:0}div{width:300px;height:120px;background:#dfd}</style>
<div id=ask>click</div><div id=hold>hold</div><output id=out></output><output id=sum></output><output id=log></output><output id=late></output>
<script>
const sums = [0, 0, 0];
const put = (text) => { log.textContent += text + '; '; };
const state = () => document.pointerLockElement?.id ?? 'none';
const lock = (element, options) => element.requestPointerLock(options).then(() => put('resolved'), ({ name }) => put('rejected ' + name));
ask.onclick = (event) => { if (!document.pointerLockElement) lock(ask, event.shiftKey ? { unadjustedMovement: true } : undefined); };
hold.onmousedown = () => lock(hold);
hold.onmouseup = () => document.exitPointerLock();
for (const type of ['pointerlockchange', 'pointerlockerror'])
  document.addEventListener(type, () => { put(type + ' ' + state()); out.textContent = state(); });
document.addEventListener('mousemove', ({ movementX, movementY, buttons }) => {
  if (!document.pointerLockElement) { late.textContent = movementX + ' ' + movementY; return; }
  sums[0] += movementX; sums[1] += movementY; sums[2] = Math.max(sums[2], Math.abs(movementX), Math.abs(movementY));
  sum.textContent = sums[0] + ' ' + sums[1] + (buttons ? ' held ' + buttons : '');
  sum.dataset.largest = String(sums[2]);
});
for (const type of ['mousedown', 'mouseup'])
  document.addEventListener(type, ({ button }) => { if (document.pointerLockElement) put(type + ' ' + button); });
document.addEventListener('wheel', ({ deltaY }) => { if (document.pointerLockElement) put('wheel ' + deltaY); });
onkeydown = ({ key }) => {
  if (key === 'q') document.exitPointerLock();
  if (key === 'r') document.getElementById(state()).remove();
  if (key === 'a') { put('alerts'); setTimeout(() => alert('Stop')); }
  if (key === 'g') location.href = '/other';
  if (key === 'd') parent.postMessage('drop', '*');
  if (key === 'k') put('key');
};
new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });
</script>`;

const isLocked = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.pointerLockElement === document.documentElement);

/** Locks the pointer by a click in the middle of the first box. */
async function lockByClick(page: Page, frame: FrameLocator): Promise<void> {
  await frame.locator('#ask').click({ position: { x: 100, y: 60 } });
  await expect(frame.locator('#out')).toHaveText('ask');
  expect(await isLocked(page)).toBe(true);
}

/** Moves the pointer from where it is, in steps. */
async function moveBy(page: Page, from: { x: number; y: number }, steps: readonly (readonly [number, number])[]) {
  const at = { ...from };
  for (const [x, y] of steps) await page.mouse.move((at.x += x), (at.y += y));
  return at;
}

test('a click locks the pointer of page and person, and movement arrives as the person makes it', async ({
  page,
  site,
  open,
}) => {
  site.on('/game', GAME);
  const frame = await open('/game');
  await lockByClick(page, frame);
  await expect(frame.locator('#log')).toHaveText('resolved; pointerlockchange ask;');
  const start = { x: 100, y: 60 };
  const far = await moveBy(page, start, [
    [7, 3],
    [-20, 11],
    [300, -40],
    [400, 500],
  ]);
  await expect(frame.locator('#sum')).toHaveText('687 474');
  await moveBy(page, far, [[-687, -474]]);
  await expect(frame.locator('#sum')).toHaveText('0 0');
  // No movement of the host's own reaches the page; steps that come together may be one movement, of 300 and 400 at most.
  expect(Number(await frame.locator('#sum').getAttribute('data-largest'))).toBeLessThanOrEqual(700);
});

test('buttons, wheel and keys reach the page under the lock', async ({ page, site, open }) => {
  site.on('/game', GAME);
  const frame = await open('/game');
  await lockByClick(page, frame);
  await page.mouse.down({ button: 'right' });
  await moveBy(page, { x: 100, y: 60 }, [[5, 0]]);
  await expect(frame.locator('#sum')).toHaveText('5 0 held 2');
  await page.mouse.up({ button: 'right' });
  await page.mouse.wheel(0, 120);
  await expect(frame.locator('#log')).toContainText('mousedown 2; mouseup 2; wheel 120;');
  await page.keyboard.press('k');
  await expect(frame.locator('#log')).toContainText('wheel 120; key;');
});

test('a lock that a press begins lasts until its release', async ({ page, site, open }) => {
  site.on('/game', GAME);
  const frame = await open('/game');
  const box = (await frame.locator('#hold').boundingBox()) ?? { x: 0, y: 0 };
  const at = { x: box.x + 50, y: box.y + 50 };
  for (const turn of [1, 2]) {
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await expect(frame.locator('#out')).toHaveText('hold');
    await moveBy(page, at, [
      [30, 0],
      [-10, 5],
    ]);
    await expect(frame.locator('#sum')).toHaveText(`${20 * turn} ${5 * turn} held 1`);
    await page.mouse.up();
    await expect(frame.locator('#out')).toHaveText('none');
    await expect.poll(() => isLocked(page)).toBe(false);
  }
  await expect(frame.locator('#sum')).toHaveText('40 10 held 1');
});

test('the person who leaves ends the page’s lock, and the mouse goes on from where it was', async ({
  page,
  site,
  open,
}) => {
  site.on('/game', GAME);
  const frame = await open('/game');
  await lockByClick(page, frame);
  await moveBy(page, { x: 100, y: 60 }, [[500, 400]]);
  await expect(frame.locator('#sum')).toHaveText('500 400');
  await page.evaluate(() => document.exitPointerLock()); // as Escape does in a browser with a window
  await expect(frame.locator('#out')).toHaveText('none');
  await expect(frame.locator('#log')).toHaveText('resolved; pointerlockchange ask; pointerlockchange none;');
  await page.mouse.move(107, 55);
  await expect(frame.locator('#late')).toHaveText('7 -5');
  await lockByClick(page, frame);
});

test('the page ends the lock of the person: by a call, with its element, with its document', async ({
  page,
  site,
  open,
}) => {
  site.on('/game', GAME);
  site.on('/other', '<!doctype html><title>Other</title>');
  const frame = await open('/game');
  await lockByClick(page, frame);
  await page.keyboard.press('q');
  await expect(frame.locator('#out')).toHaveText('none');
  await expect.poll(() => isLocked(page)).toBe(false);

  await lockByClick(page, frame);
  await page.keyboard.press('r');
  await expect(frame.locator('#out')).toHaveText('none');
  await expect.poll(() => isLocked(page)).toBe(false);

  const again = await open('/game');
  await lockByClick(page, again);
  await page.keyboard.press('g');
  await expect(page).toHaveTitle('Other');
  await expect.poll(() => isLocked(page)).toBe(false);
});

test('a dialog of the page ends the lock: the person can answer it', async ({ page, site, open }) => {
  site.on('/game', GAME);
  const frame = await open('/game');
  await lockByClick(page, frame);
  await page.keyboard.press('a');
  const dialog = page.frameLocator('#vitrine-page-frame').locator('.vitrine-dialog');
  await expect(dialog).toContainText('Stop');
  await expect.poll(() => isLocked(page)).toBe(false);
  await answerable(page);
  await dialog.getByRole('button').click();
  await expect(frame.locator('#out')).toHaveText('none');
});

test('a client that is reloaded has no lock, and the page neither', async ({ page, site, open }) => {
  let loads = 0;
  site.on('/game', (_request, response) => {
    loads += 1;
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(`${GAME}<i>${loads}</i>`);
  });
  const frame = await open('/game');
  await lockByClick(page, frame);
  await page.reload();
  await shown(page);
  const again = view(page);
  expect(await isLocked(page)).toBe(false);
  await expect(again.locator('i')).toHaveText('2'); // the page is reloaded, too
  await again.locator('#hold').hover();
  await lockByClick(page, again);
});

test('a page gets no lock without a gesture, and none that it takes without the person', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/pushy',
    `<!doctype html><div id=box style="width:200px;height:100px">box</div><button id=go>go</button><output id=out></output><output id=state></output><script>
    document.addEventListener('pointerlockerror', () => { state.textContent += 'error '; });
    document.addEventListener('pointerlockchange', () => { state.textContent += document.pointerLockElement ? 'in ' : 'out '; });
    box.requestPointerLock().catch(({ name }) => { out.textContent = name; });
    go.onclick = () => {
      // A document created after the methods were replaced has the original ones.
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.contentDocument.createElement('a').requestPointerLock.call(box);
    };
    </script>`,
  );
  const frame = await open('/pushy');
  await expect(frame.locator('#out')).toHaveText('NotAllowedError');
  await expect(frame.locator('#state')).toHaveText('error ');
  await frame.locator('#go').click();
  await expect(frame.locator('#state')).toHaveText('error in out ');
  expect(await isLocked(page)).toBe(false);
});

test('frames of other sites lock the pointer too, and lose it when they are removed', async ({ page, site, open }) => {
  const other = site.origin.replace('127.0.0.1', 'localhost');
  site.on(
    '/outer',
    `<!doctype html><style>body{margin:40px}</style><iframe id=inner width=400 height=300 src="${other}/game"></iframe>
    <script>onmessage = () => inner.remove();</script>`,
  );
  site.on('/game', GAME);
  await open('/outer');
  const frame = view(page).frameLocator('#inner');
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(frame.locator('body')).toHaveAttribute('data-painted');
  await lockByClick(page, frame);
  const box = (await view(page).locator('#inner').boundingBox()) ?? { x: 0, y: 0 };
  const inset = await view(page)
    .locator('#inner')
    .evaluate(({ clientLeft, clientTop }) => ({ x: clientLeft, y: clientTop }));
  await moveBy(page, { x: box.x + inset.x + 100, y: box.y + inset.y + 60 }, [[-30, 12]]);
  await expect(frame.locator('#sum')).toHaveText('-30 12');
  // The key goes to the frame, which has the focus.
  await page.keyboard.press('d');
  await expect(view(page).locator('#inner')).toHaveCount(0);
  await expect.poll(() => isLocked(page)).toBe(false);
});

test('where policy forbids it, the page is refused as a browser refuses it', async ({ page, site, vitrine }) => {
  site.on('/game', GAME);
  await page.goto(`${vitrine}/${site.origin.replace('127.0.0.1', 'localhost')}/game`);
  await shown(page);
  const frame = view(page);
  await frame.locator('#ask').click();
  await expect(frame.locator('#log')).toHaveText('rejected NotAllowedError; pointerlockerror none;');
  expect(await isLocked(page)).toBe(false);
});
