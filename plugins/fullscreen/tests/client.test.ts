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
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script);
  return () => page.close();
});

/** Asks, answers, and returns the messages that the host received and whether the browser is in full screen. */
const answered = (allows: unknown): Promise<unknown> =>
  page.evaluate(async (outcome) => {
    const { fullscreenShell: shell } = window;
    await shell.ask(1);
    shell.overlay.asked[0]?.answer(outcome);
    while (shell.answers.length === 0) await new Promise(requestAnimationFrame);
    await shell.flush();
    return [shell.answers, document.fullscreenElement === document.documentElement];
  }, allows);

it.each([
  [true, true],
  [false, false],
  [undefined, false],
])('[R-054] the answer %j is sent as %j, and full screen follows it', async (allows, full) => {
  expect(await answered(allows)).toEqual([[{ id: 1, is_fullscreen: full }], full]);
});

it('[R-054] reports when the person leaves, and leaves when the page does', async () => {
  await answered(true);
  const messages = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    await document.exitFullscreen();
    while (shell.answers.length === 1) await new Promise(requestAnimationFrame);
    await shell.flush();
    return shell.answers.slice(1);
  });
  expect(messages).toEqual([{ is_fullscreen: false }]);
  await page.evaluate(() => window.fullscreenShell.ask(2));
  await page.evaluate(() => window.fullscreenShell.overlay.asked[0]?.answer(true));
  await page.waitForFunction(() => document.fullscreenElement);
  await page.evaluate(() => window.fullscreenShell.end());
  await page.waitForFunction(() => !document.fullscreenElement);
  expect(await page.evaluate(() => window.fullscreenShell.answers.length)).toBe(3);
});

it('removes a cancelled question, without an answer', async () => {
  const left = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    await shell.ask(1);
    const before = shell.overlay.asked.length;
    await shell.end();
    return [before, shell.overlay.asked.length, shell.answers.length];
  });
  expect(left).toEqual([1, 0, 0]);
});

it('[R-054] is refused without a question where the browser has no full screen', async () => {
  const [asked, answers] = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    Object.defineProperty(document, 'fullscreenEnabled', { value: false });
    await shell.ask(1);
    const questions = shell.overlay.asked.length;
    await shell.flush();
    return [questions, shell.answers];
  });
  expect([asked, answers]).toEqual([0, [{ id: 1, is_fullscreen: false }]]);
});

it('[R-054] a request that is made once more takes the place of its first question', async () => {
  const answers = await page.evaluate(async () => {
    const { fullscreenShell: shell } = window;
    await shell.ask(1);
    await shell.ask(1);
    const questions = shell.overlay.asked.length;
    shell.overlay.asked[0]?.answer(false);
    while (shell.answers.length === 0) await new Promise(requestAnimationFrame);
    await shell.flush();
    return [questions, shell.overlay.asked.length, shell.answers];
  });
  expect(answers).toEqual([1, 0, [{ id: 1, is_fullscreen: false }]]);
});

it('reports tc-fullscreen-no-node-error for a missing element, and only then', async () => {
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
