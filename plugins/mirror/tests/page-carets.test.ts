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

it.each([
  ['an element that the press has made draggable', 'this.draggable = true'],
  ['what the press has kept from being selected', "document.body.style.userSelect = 'none'"],
])('sends the selection again when %s is dragged, since the view has selected by then', async (_, script) => {
  const mirrored = await browser.open(`<!doctype html><p onpointerdown="${script}">one</p><p>two</p>`);
  const { mouse } = mirrored.page;
  const { x, y } = (await mirrored.page.locator('p').first().boundingBox()) ?? { x: 0, y: 0 };
  await mouse.move(x + 5, y + 5);
  await mouse.down();
  await mirrored.wait();
  expect(mirrored.all('selection')).toEqual([]);
  await mouse.move(x + 12, y + 30, { steps: 4 });
  await mouse.up();
  await mirrored.until((ops) => only(ops, 'selection').length > 0);
});
