import path from 'node:path';
import { expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../testing/script-page.ts';
import type {} from './scroll-ends-entry.ts';

it('a page hears one scrollend of several steps, once they have rested for 150 ms, and its own at once', async () => {
  const browser = await openBrowser();
  const page = await openScript(browser, await bundleScript(path.join(import.meta.dirname, 'scroll-ends-entry.ts')));
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  const ended = (): Promise<Window['ended']> => page.evaluate(() => window.ended);
  for (let step = 1; step <= 3; step++) {
    await page.evaluate((top) => {
      window.scrollEnds.step(document.documentElement);
      window.scrollTo(0, top);
    }, step * 100);
    await expect.poll(async () => (await ended()).browser).toBe(step);
    await page.clock.runFor(149);
  }
  expect((await ended()).page).toEqual([]);
  await page.clock.runFor(1);
  expect((await ended()).page).toEqual([false]);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(async () => (await ended()).page).toEqual([false, true]);
  await browser.close();
});
