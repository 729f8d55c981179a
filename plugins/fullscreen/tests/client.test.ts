import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundleScript, launchBrowser, openScript } from '../../../core/testing/script-page.ts';
import type {} from './shell-entry.ts';

let browser: Browser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), launchBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script);
  return () => page.close();
});

/** Asks, answers, and tells what the host has heard and whether the screen is full. */
const answered = (allows: unknown): Promise<unknown> =>
  page.evaluate(async (outcome) => {
    const { fullscreenShell: shell } = window;
    await shell.ask(1);
    shell.overlay.asked[0]?.answer(outcome);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await shell.flush();
    return [shell.answers, document.fullscreenElement === document.documentElement];
  }, allows);

it.each([
  [true, true],
  [false, false],
  [undefined, false],
])('[R-054] a question that is answered with %j is told as %j, and the screen is as told', async (allows, full) => {
  expect(await answered(allows)).toEqual([[{ id: 1, is_fullscreen: full }], full]);
});

it('[R-054] tells when the person has left, and leaves when the page has', async () => {
  await answered(true);
  const told = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    await document.exitFullscreen();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await shell.flush();
    return shell.answers.slice(1);
  });
  expect(told).toEqual([{ is_fullscreen: false }]);
  await page.evaluate(() => window.fullscreenShell.ask(2));
  await page.evaluate(() => window.fullscreenShell.overlay.asked[0]?.answer(true));
  await page.waitForFunction(() => document.fullscreenElement);
  await page.evaluate(() => window.fullscreenShell.end());
  await page.waitForFunction(() => !document.fullscreenElement);
  expect(await page.evaluate(() => window.fullscreenShell.answers.length)).toBe(3);
});

it('takes a question away that is not asked any more, without an answer', async () => {
  const left = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    await shell.ask(1);
    const before = shell.overlay.asked.length;
    await shell.end();
    return [before, shell.overlay.asked.length, shell.answers.length];
  });
  expect(left).toEqual([1, 0, 0]);
});

it('reports tc-fullscreen-no-node-error of an element that is none that there is, and only then', async () => {
  const events = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    await shell.show(4);
    const before = shell.events.length;
    await shell.show(5);
    await shell.show(0);
    return [before, ...shell.events.map(({ name }) => name)];
  });
  expect(events).toEqual([0, 'tc-fullscreen-no-node-error', 'tc-fullscreen-no-node-error']);
});
