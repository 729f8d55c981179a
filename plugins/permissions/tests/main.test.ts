import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './main-entry.ts';

let browser: TestBrowser;
let script: string;
beforeAll(async () => {
  [script, browser] = await Promise.all([bundleScript(path.join(import.meta.dirname, 'main-entry.ts')), openBrowser()]);
});
afterAll(() => browser.close());

it.each([
  ['gets the error that there is no position, once that has lasted for 2 s', false, [2]],
  ['gets no error any more once it is cleared', true, []],
])('[R-108] a watch %s', async (_what, isCleared, errors) => {
  const page = await openScript(browser, script);
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.evaluate((clears) => {
    const watch = navigator.geolocation.watchPosition(
      () => undefined,
      ({ code }) => void window.errors.push(code),
    );
    window.answer('1');
    window.lose();
    if (clears) navigator.geolocation.clearWatch(watch);
  }, isCleared);
  await page.clock.runFor(1999);
  expect(await page.evaluate(() => window.errors)).toEqual([]);
  await page.clock.runFor(1);
  expect(await page.evaluate(() => window.errors)).toEqual(errors);
  await page.close();
});
