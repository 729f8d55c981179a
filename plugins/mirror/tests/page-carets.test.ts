import { afterAll, beforeAll, expect, it } from 'vitest';
import { numbers, only, PageBrowser } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

it.each([
  ['number', '10'],
  ['email', 'a@b.test'],
])(
  'sends that all text of a field of the type %s is selected, which the field itself tells nobody',
  async (type, value) => {
    const mirrored = await browser.open(`<!doctype html><input type=${type} value="${value}">`);
    const input = await mirrored.id('input');
    const all = [input, 0, value.length];
    const select = async () => {
      await mirrored.page.evaluate(() => document.querySelector('input')!.select());
      return mirrored.until((ops) => only(ops, 'caret').length > 0);
    };
    expect(numbers(only(await select(), 'caret'))).toEqual([all]);
    await mirrored.page.keyboard.press('ArrowRight');
    await mirrored.polled();
    expect(numbers(only(await select(), 'caret'))).toEqual([all]);
    expect(numbers(mirrored.all('caret'))).toEqual([all, all]);
  },
);
