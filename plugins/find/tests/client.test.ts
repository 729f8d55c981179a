import path from 'node:path';
import type { Locator, Page } from 'playwright';
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
  page = await openScript(browser, script, '<!doctype html><title>Shell</title><button>before</button>');
  await page.locator('button').focus();
  await page.evaluate(() => window.startFind());
  return () => page.close();
});

const bar = (): Locator => page.getByRole('search');
const field = (): Locator => bar().getByRole('textbox');

/** Lets the host send a message to the client. */
const say = (...said: Parameters<typeof window.say>): Promise<void> =>
  page.evaluate((given) => window.say(...given), said);

async function told(): Promise<unknown[]> {
  return page.evaluate(async () => {
    await window.find.flush();
    return window.told.splice(0);
  });
}

const QUERY = { matchCase: false, wholeWords: false, matchDiacritics: false, forward: true, continue: false };
const reply = (count: number, total: number, isCut = false): Promise<void> =>
  say('searchReply', { count, total, isCut, isSearching: false });

it('[R-012] [R-013] [R-049] is there when the search starts, searches as it is typed into, and goes by its keys', async () => {
  await expect.poll(() => bar().count()).toBe(0);
  await say('searchStart', { kind: 'new', text: '' });
  await expect.poll(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
  await field().pressSequentially('wo');
  expect(await told()).toEqual([
    { ...QUERY, text: 'w' },
    { ...QUERY, text: 'wo' },
  ]);
  await reply(3, 12, true);
  await expect.poll(() => bar().locator('output').textContent()).toBe('3/12+');
  for (const key of ['Enter', 'Shift+Enter', 'F3', 'Shift+F3', 'Control+g', 'Control+Shift+G'])
    await field().press(key);
  expect((await told()).map((query) => [(query as typeof QUERY).continue, (query as typeof QUERY).forward])).toEqual(
    [true, false, true, false, true, false].map((forward) => [true, forward]),
  );
  for (const name of ['find.previous', 'find.next']) await bar().getByRole('button', { name }).click();
  expect(await told()).toMatchObject([{ forward: false }, { forward: true }]);
  await reply(0, 0);
  await expect.poll(() => bar().locator('output').textContent()).toBe('0/0');
  await bar().locator('[aria-pressed]').first().click();
  expect(await told()).toEqual([{ ...QUERY, text: 'wo', matchCase: true }]);
  await field().fill('');
  expect(await told()).toEqual(['clear']);
  await expect.poll(() => bar().locator('output').textContent()).toBe('');
  await field().fill('x');
  await told();
  await field().press('Escape');
  expect(await told()).toEqual(['keep']);
  await expect.poll(() => bar().count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('button');
});

it('[R-013] [R-049] goes on with the text of the last search, ends by Ctrl+Enter, and takes what is selected', async () => {
  await say('searchStart', { kind: 'new', text: 'chosen' });
  expect(await told()).toEqual([{ ...QUERY, text: 'chosen' }]);
  await field().press('Control+Enter');
  expect(await told()).toEqual(['activate']);
  await say('searchStart', { kind: 'prev', text: '' });
  expect(await told()).toEqual([{ ...QUERY, text: 'chosen', forward: false }]);
  await reply(1, 1);
  await say('searchStart', { kind: 'next', text: '' });
  expect(await told()).toEqual([{ ...QUERY, text: 'chosen', continue: true }]);
  await bar().getByRole('button', { name: 'find.close' }).click();
  expect(await told()).toEqual(['keep']);
});

it('[R-049] shows no count of an earlier text, nor of a search that is over', async () => {
  const count = (): Promise<string | null> => bar().locator('output').textContent();
  await say('searchStart', { kind: 'new', text: '' });
  await field().fill('a');
  await reply(1, 2);
  await expect.poll(count).toBe('1/2');
  await field().fill('ab');
  await expect.poll(count).toBe('');
  await reply(1, 1);
  await expect.poll(count).toBe('1/1');
  await field().press('Escape');
  await say('searchStart', { kind: 'new', text: '' });
  await expect.poll(() => field().inputValue()).toBe('ab');
  expect(await count()).toBe('');
});

it('[R-013] [R-049] takes the focus when a shortcut that goes on opens it, or has no text yet, and leaves it in the page otherwise', async () => {
  const isFocused = (): Promise<boolean> => field().evaluate((input) => input === document.activeElement);
  await say('searchStart', { kind: 'next', text: '' });
  await expect.poll(isFocused).toBe(true);
  // There is nothing to go on with.
  await page.locator('button', { hasText: 'before' }).focus();
  await say('searchStart', { kind: 'prev', text: '' });
  await expect.poll(isFocused).toBe(true);
  await field().pressSequentially('word');
  expect(await told()).toHaveLength(4);
  await reply(1, 1);
  await page.locator('button', { hasText: 'before' }).focus();
  await say('searchStart', { kind: 'next', text: '' });
  expect(await told()).toEqual([{ ...QUERY, text: 'word', continue: true }]);
  expect(await isFocused()).toBe(false);
});

it('[R-049] an unexpected search type is logged only', async () => {
  await say('searchStart', { kind: 'sideways', text: '' });
  expect(await page.evaluate(() => window.find.faults.map(({ code }) => code))).toEqual(['bad-message']);
  expect(await bar().count()).toBe(0);
});

it('marks what is found, and draws over what the view cannot mark, until the search is over', async () => {
  await say('searchStart', { kind: 'new', text: 'word' });
  await say('searchMatches', { frame: 1, epoch: 2, ends: [3, 0, 3, 4], active: [] });
  await expect.poll(() => page.locator('#vitrine-matches > div').count()).toBe(1);
  await say('searchCleared', undefined);
  await expect.poll(() => page.locator('#vitrine-matches').count()).toBe(0);
  expect(await page.evaluate(() => window.marks)).toEqual([
    { frame: 1, epoch: 2, ends: [3, 0, 3, 4], active: [] },
    'cleared',
  ]);
});
