import { afterAll, beforeAll, expect, it } from 'vitest';
import { numbers, only, PageBrowser } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

it('[R-032] a long value is sent in part when it changes, and its caret with it', async () => {
  const mirrored = await browser.open('<!doctype html><textarea></textarea>');
  const id = await mirrored.id('textarea');
  await mirrored.page.locator('textarea').fill('a line of text that is long');
  await mirrored.page.keyboard.press('Home');
  await mirrored.wait();
  const ops = await mirrored.change(() => {
    const area = document.querySelector('textarea')!;
    area.setRangeText('the', 0, 1, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  expect(only(ops, 'splice').map(({ op, text }) => [...op.slice(1, 5), text(op[5]!)])).toEqual([[id, 0, 1, 27, 'the']]);
  expect(numbers(only(ops, 'caret'))).toEqual([[id, 3, 3]]);
  expect(only(ops, 'value')).toEqual([]);
});

it.each([
  ['one more', 21, [20, 0, 20, 'a']],
  ['one less', 19, [19, 1, 20, '']],
])('[R-032] a long value of the same characters is sent in part where it has %s', async (_what, length, part) => {
  const mirrored = await browser.open('<!doctype html><input>');
  const id = await mirrored.id('input');
  await mirrored.page.locator('input').fill('a'.repeat(20));
  await mirrored.wait();
  const ops = await mirrored.change((count) => {
    const input = document.querySelector('input')!;
    input.value = 'a'.repeat(count);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, length);
  expect(only(ops, 'splice').map(({ op, text }) => [...op.slice(1, 5), text(op[5]!)])).toEqual([[id, ...part]]);
});
