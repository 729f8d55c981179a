import path from 'node:path';
import { expect, it } from 'vitest';
import { repeatedActs } from './single-acts.ts';
import { readSources } from './sources.ts';

const root = path.resolve(import.meta.dirname, '../..');

it('no browser test repeats an act of a person until it is heard', () => {
  const tests = [...readSources(root)].filter(([file]) => /^tests\/(?:e2e|accessibility|engines|gallery)\//.test(file));
  expect(tests.length).toBeGreaterThan(60);
  const found = tests.flatMap(([file, text]) => repeatedActs(file, text).map((act) => [file, act] as const));
  expect(found, 'wait for what comes before the act, and act once').toEqual([]);
});

it.each([
  'await expect(async () => { await page.keyboard.press("a"); }).toPass();',
  'await expect(async () => { await item.click(); await expect(menu).toBeVisible(); }).toPass({ timeout: 5 });',
  'await expect.poll(async () => { await page.reload(); return page.title(); }).toBe("a");',
  'const again = async () => { await page.mouse.move(1, 2); }; await expect(again).toPass();',
  'async function enter() { await field.fill("a"); } await expect(async () => { await enter(); }).toPass();',
  'async function until(act: () => Promise<void>) { await expect(async () => { await act(); }).toPass(); }',
  'await expect(async () => { await cdp.send("Input.dispatchKeyEvent", {}); }).toPass();',
])('finds %j', (text) => expect(repeatedActs('a.ts', text)).toHaveLength(1));

it.each([
  'await page.keyboard.press("a"); await expect(async () => { expect(await text()).toBe("a"); }).toPass();',
  'await expect.poll(() => site.requests).toContain("GET /");',
  'const press = () => page.keyboard.press("a"); await press(); await expect.poll(text).toBe("a");',
])('lets %j pass', (text) => expect(repeatedActs('a.ts', text)).toEqual([]));
