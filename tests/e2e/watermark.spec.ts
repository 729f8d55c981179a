import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './support/vitrine.ts';

const WRITTEN = 'Seen by {user} at {time}';

test.use({
  personBrowser: 'whole', // its pictures are compared
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, `tenants: { default: { policy: { watermark: { text: '${WRITTEN}', print: true } } } }`);
    await use(['--policy', policy]);
  },
});

const PAGE = `<!doctype html><title>Secret</title><h1>Secret</h1><button onclick="this.textContent = 'pressed'">press</button>`;

test('[R-124] a watermark covers the page, is restored, and does not block input', async ({ page, site, open }) => {
  site.on('/secret', PAGE);
  await page.clock.install();
  const frame = await open('/secret');
  const layer = page.locator('#vitrine-watermark');
  const tiles = layer.locator('span');
  await expect(tiles).toHaveCount(Math.ceil((1680 * 1200) / 43_200));
  await expect(tiles.first()).toHaveText(/^Seen by [\w-]+ at .*\d/);
  await expect.poll(() => layer.boundingBox()).toMatchObject({ x: -200, y: -200, width: 1680 });
  expect((await layer.boundingBox())?.height).toBeGreaterThanOrEqual(1000);

  await frame.locator('button').click();
  await expect(frame.locator('button')).toHaveText('pressed');
  await expect(layer).toHaveAttribute('aria-hidden', 'true');

  const isThere = await layer.evaluate((element) => {
    element.remove();
    return document.getElementById(element.id) !== null;
  });
  expect(isThere).toBe(false);
  await page.clock.fastForward(5000);
  await expect(layer).toHaveCount(1);
  await page.setViewportSize({ width: 600, height: 500 });
  await expect(tiles).toHaveCount(Math.ceil((1000 * 900) / 43_200));

  await frame.locator('h1').click();
  await page.keyboard.press('Control+P');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('dialog');
  const pdf = page.waitForResponse((response) => new URL(response.url()).pathname === '/r/print');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  expect((await pdf).status()).toBe(200);
  await expect(dialog.locator('iframe')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(layer).toHaveCSS('display', 'flex');
});
