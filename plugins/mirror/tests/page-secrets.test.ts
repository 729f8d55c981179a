import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OP } from '../ops.ts';
import { only, PageBrowser } from './page-browser.ts';
import type { SeenOp } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

describe('the value and attributes of password fields', () => {
  it('[C1] are sent again when a field becomes one of passwords, or is none any more', async () => {
    const mirrored = await browser.open(
      '<!doctype html><input type=password id=a value=one pattern="o.*" spellcheck=true><input type=password id=b>',
    );
    const a = await mirrored.id('#a');
    const turn = (type: string) =>
      mirrored.change((name) => {
        for (const field of document.querySelectorAll('input')) field.type = name;
      }, type);
    const said = (ops: readonly SeenOp[]): unknown[] =>
      ops
        .filter(({ op }) => op[0] === OP.attribute || op[0] === OP.value)
        .map(({ op, text }) => [op[1] === a ? 'a' : 'b', ...op.slice(2).map((index) => text(index))]);
    const attributes = [
      ['a', 'value', 'one'],
      ['a', 'pattern', 'o.*'],
      ['a', 'spellcheck', 'true'],
      ['a', 'one'],
    ];
    const shown = said(await turn('text'));
    expect(shown.slice(0, 2)).toEqual([
      ['a', 'type', 'text'],
      ['b', 'type', 'text'],
    ]);
    expect(shown.slice(2)).toEqual(attributes);
    expect(said(await turn('password')).slice(2)).toEqual(attributes);
  });

  it('[C1] come with that a password does not match its pattern, which the view cannot know', async () => {
    const mirrored = await browser.open('<!doctype html><input type=password id=a pattern=o.* value=two required>');
    await mirrored.wait();
    expect(mirrored.all('validity')).toHaveLength(1);
    const ops = await mirrored.change(() => {
      document.querySelector('input')!.value = 'one';
    });
    const later = only([...ops, ...(await mirrored.wait())], 'validity');
    expect(later.map(({ op, text }) => text(op[2]!))).toEqual(['']);
  });
});
