import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './shell-entry.ts';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  [script, browser] = await Promise.all([
    bundleScript(path.join(import.meta.dirname, 'shell-entry.ts')),
    openBrowser(),
  ]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script);
  await page.setViewportSize({ width: 800, height: 600 });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(60_000);
  return () => page.close();
});

const show = (text: string): Promise<void> => page.evaluate((shown) => window.showWatermark(shown), text);
const tiles = (): Promise<string[]> => page.locator('#vitrine-watermark span').allTextContents();
const removeLayer = (): Promise<void> => page.locator('#vitrine-watermark').evaluate((layer) => layer.remove());

it('[R-124] covers the view with (width + 400) * (height + 400) / 43200 tiles', async () => {
  await show('For anna');
  expect(await tiles()).toEqual(Array(28).fill('For anna')); // 1200 * 1000 / 43200 is 27.8
  await page.setViewportSize({ width: 400, height: 300 });
  await expect.poll(async () => (await tiles()).length).toBe(13); // 800 * 700 / 43200 is 12.96
});

it('[R-124] is restored every 5 s, and not before', async () => {
  await show('For anna');
  for (const _round of ['first', 'second']) {
    await removeLayer();
    await page.clock.runFor(4999);
    expect(await tiles()).toEqual([]);
    await page.clock.runFor(1);
    expect(await tiles()).toHaveLength(28);
  }
  await show('');
  await page.clock.runFor(10_000);
  expect(await tiles()).toEqual([]);
});

it('[R-124] is restored every 5 s where it is there, but hidden, and its sheet with it', async () => {
  await show('For anna');
  const layer = page.locator('#vitrine-watermark');
  const sheets = page.locator('link[rel=stylesheet]');
  await layer.evaluate((shown) => (shown.style.display = 'none'));
  await sheets.evaluate((sheet) => sheet.remove());
  await page.clock.runFor(5000);
  expect(await layer.evaluate((shown) => shown.style.display)).toBe('');
  expect(await sheets.count()).toBe(1);
});

it('[R-124] does not come back with the size of the window once it is over', async () => {
  await show('For anna');
  await show('');
  await page.evaluate(() => window.dispatchEvent(new Event('resize')));
  expect(await tiles()).toEqual([]);
});

it('[R-124] tells the time, which it looks at every 5 s', async () => {
  await page.evaluate(() => {
    Date.prototype.toLocaleString = function () {
      return String(this.getTime());
    };
  });
  await show('{time}');
  expect((await tiles())[0]).toBe('60000');
  await page.clock.runFor(4999);
  expect((await tiles())[0]).toBe('60000');
  await page.clock.runFor(1);
  expect((await tiles())[0]).toBe('65000');
});
