import type { FrameLocator, Locator, Page } from 'playwright/test';
import { answerable, expect, test, view } from './support/vitrine.ts';

/** Reports the outcome of its requests, and the document's state. */
const PAGE = `<!doctype html><title>Player</title>
<style>#player{width:200px;height:100px;background:rgb(0,128,0)} #player:fullscreen{background:rgb(0,0,255)}</style>
<div id=player>film</div><button id=go>go</button><output id=out></output><output id=events></output>
<script>
const tell = (text) => { out.textContent = text + ' ' + (document.fullscreenElement?.id ?? 'none'); };
onkeydown = ({ key }) => { if (key === 'x') new Image().requestFullscreen().catch(() => tell('refused')); if (key === 't') document.title = 'later'; if (key === 'q') document.exitFullscreen(); if (key === 'd') parent.postMessage('drop', '*'); };
go.onclick = () => { out.textContent = 'waits'; player.requestFullscreen().then(() => tell('in'), (error) => tell(String(error))); };
for (const type of ['fullscreenchange', 'fullscreenerror'])
  document.addEventListener(type, ({ target }) => { events.textContent += type + ':' + target.id + ' '; if (type === 'fullscreenchange' && !document.fullscreenElement) tell('left'); });
new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });
</script>`;

const dialog = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('dialog');
const isFull = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.fullscreenElement === document.documentElement);
const size = async (frame: FrameLocator): Promise<string> => {
  const box = await frame.locator('#player').boundingBox();
  return `${box?.width ?? 0}x${box?.height ?? 0}`;
};

test('[R-005] [R-054] [R-108] asks before a page enters full screen, and exits when the page does', async ({
  page,
  site,
  open,
}) => {
  site.on('/player', PAGE);
  const frame = await open('/player');
  const out = frame.locator('#out');
  await frame.locator('#go').click();
  await expect(dialog(page)).toContainText('127.0.0.1');
  await expect(out).toHaveText('waits');
  expect(await isFull(page)).toBe(false);
  expect(await size(frame)).toBe('200x100');

  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(out).toHaveText('in player');
  expect(await isFull(page)).toBe(true);
  await expect.poll(() => size(frame)).toBe('1280x800');
  await expect(frame.locator('#player')).toHaveCSS('background-color', 'rgb(0, 0, 255)');
  await expect(frame.locator('#events')).toHaveText('fullscreenchange:player ');

  // Failures meanwhile leave both unchanged.
  await page.keyboard.press('x');
  await expect(out).toHaveText('refused player');
  await page.keyboard.press('t'); // what the page says after the failure
  await expect(page).toHaveTitle('later');
  expect(await isFull(page)).toBe(true);

  await page.keyboard.press('q');
  await expect(out).toHaveText('left none');
  await expect.poll(() => isFull(page)).toBe(false);
  await expect.poll(() => size(frame)).toBe('200x100');
});

test('[R-054] Block rejects as a browser does, and so does Escape', async ({ page, site, open }) => {
  site.on('/player', PAGE);
  const frame = await open('/player');
  await frame.locator('#go').click();
  await dialog(page).getByRole('button', { name: 'Block' }).click();
  await expect(frame.locator('#out')).toHaveText('TypeError: Permissions check failed none');
  await expect(frame.locator('#events')).toHaveText('fullscreenerror:player ');
  await frame.locator('#go').click();
  await expect(dialog(page)).toBeVisible();
  await expect(frame.locator('#out')).toHaveText('waits');
  await answerable(page);
  await page.keyboard.press('Escape');
  await expect(frame.locator('#out')).toHaveText('TypeError: Permissions check failed none');
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
  expect(await isFull(page)).toBe(false);
});

test('notifies the page that the person has exited', async ({ page, site, open }) => {
  site.on('/player', PAGE);
  const frame = await open('/player');
  await frame.locator('#go').click();
  await answerable(page);
  await dialog(page).getByRole('button', { name: 'Allow' }).press('Enter');
  await expect(frame.locator('#out')).toHaveText('in player');
  await page.evaluate(() => document.exitFullscreen()); // as Escape does in a browser with a window
  await expect(frame.locator('#out')).toHaveText('left none');
  await expect(frame.locator('#events')).toHaveText('fullscreenchange:player fullscreenchange:player ');
  // The next request prompts again.
  await frame.locator('#go').click();
  await expect(dialog(page)).toBeVisible();
});

test('works in permitted frames of other sites, and exits when they are removed', async ({ page, site, open }) => {
  const other = site.origin.replace('127.0.0.1', 'localhost');
  site.on(
    '/outer',
    `<!doctype html><iframe id=inner allow=fullscreen src="${other}/player"></iframe><script>onmessage = () => inner.remove();</script>`,
  );
  site.on('/player', PAGE);
  await open('/outer');
  const frame = view(page).frameLocator('#inner');
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(frame.locator('body')).toHaveAttribute('data-painted');
  await frame.locator('#go').click();
  await expect(dialog(page)).toContainText('localhost');
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(frame.locator('#out')).toHaveText('in player');
  await expect.poll(() => size(frame)).toBe('1280x800');
  await page.keyboard.press('d');
  await expect.poll(() => isFull(page)).toBe(false);
});

test('a page cannot ask without a gesture, and full screen without a prompt is exited', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/pushy',
    `<!doctype html><div id=player>film</div><button id=go>go</button><output id=out></output><output id=state></output><script>
    player.requestFullscreen().catch((error) => { out.textContent = String(error); });
    document.onfullscreenchange = () => { state.textContent += document.fullscreenElement ? 'in ' : 'out '; };
    go.onclick = () => {
      // A document created after the methods were replaced has the original ones.
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const native = frame.contentDocument.createElement('a').requestFullscreen;
      native.call(player).catch((error) => { out.textContent = 'refused'; });
    };
    </script>`,
  );
  const frame = await open('/pushy');
  await expect(frame.locator('#out')).toContainText('TypeError');
  await expect(page.locator('#vitrine-page-frame')).toHaveCount(0);
  await frame.locator('#go').click();
  await expect(frame.locator('#state')).toHaveText('in out ');
  expect(await isFull(page)).toBe(false);
});
