import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { awaited, openView, page, received, useView } from '../../../core/testing/view-page.ts';

useView(path.join(import.meta.dirname, 'view-entry.ts'));

const FIELD = '<input id="a" value="alpha" style="width:200px"><input id="b" style="width:200px">';
const keys = async (): Promise<string[]> =>
  (await received('kbd')).map(({ type, key: name }) => `${type as string} ${name as string}`);

describe('the keyboard', () => {
  it('[R-093] says frame, type, key, codes, the character typed and the state of Shift, Ctrl, Alt and Meta', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#b').click();
    await page.keyboard.press('b');
    for (const held of ['Shift', 'Control', 'Alt', 'Meta']) await page.keyboard.press(`${held}+B`);
    const messages = (await awaited('kbd', 18)).filter(({ code }) => code === 'KeyB');
    const down = { frame: 7, type: 'down', code: 'KeyB', key_code: 66, location: 0, repeat: false };
    const with_ = (modifiers: number, text: string): object => ({ ...down, key: 'B', modifiers, text });
    expect(messages.filter(({ type }) => type === 'down')).toEqual([
      { ...down, key: 'b', modifiers: 0, text: 'b' },
      with_(INPUT_FLAGS.shift, 'B'),
      with_(INPUT_FLAGS.ctrl, ''),
      with_(INPUT_FLAGS.alt, ''),
      with_(INPUT_FLAGS.meta, ''),
    ]);
    expect(messages.filter(({ type }) => type === 'up')).toHaveLength(5);
    expect(await frame.locator('#b').inputValue()).toBe(''); // the page’s answer is what counts
  });

  it('keeps the order of fast typing, and says where on the keyboard a key is and that it repeats', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#b').click();
    await page.keyboard.type('abcdefghijklmnopqrstuvwxyz');
    await page.keyboard.down('NumpadAdd');
    await page.keyboard.down('NumpadAdd');
    const down = (await awaited('kbd', 54)).filter(({ type }) => type === 'down');
    expect(down.map(({ text }) => text).join('')).toBe('abcdefghijklmnopqrstuvwxyz++');
    expect(down.slice(-2).map(({ location, repeat }) => [location, repeat])).toEqual([
      [3, false],
      [3, true],
    ]);
  });
});

describe('text that comes whole', () => {
  it('is typed when an input method is done with it', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#b').click();
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.insertText', { text: '日本' });
    expect(await awaited('keyboard.text', 1)).toEqual([{ frame: 7, text: '日本' }]);
  });
});

describe('text that the browser or an extension puts in by itself', () => {
  it('[C1] is not typed where a script has made the events', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#b').click();
    const isLeft = await frame.locator('#b').evaluate((element) => {
      const said = { inputType: 'insertText', data: 'of a script', bubbles: true, cancelable: true };
      return element.dispatchEvent(new InputEvent('beforeinput', said));
    });
    expect(isLeft).toBe(false);
    await page.keyboard.press('z');
    await awaited('kbd', 2);
    expect(await received('keyboard.text')).toEqual([]);
  });
});

describe('copying and pasting', () => {
  it('selects all of a field at once, so that what is copied is there', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#a').click();
    await page.keyboard.press('Control+a');
    expect(
      await frame.locator('#a').evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd]),
    ).toEqual([0, 5]);
    expect(await keys()).toContain('down a');
  });

  it('leaves to the browser what it copies, cuts and pastes, and edits nothing in the view', async () => {
    const frame = await openView(FIELD);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await frame.locator('#a').click();
    for (const shortcut of ['a', 'c', 'x', 'v']) await page.keyboard.press(`Control+${shortcut}`);
    await expect.poll(keys).toContain('up v');
    const letters = (await keys()).filter((each) => /[acxv]$/.test(each));
    // The key press of a paste is part of the paste message.
    expect(letters).toEqual([...['a', 'c', 'x'].flatMap((each) => [`down ${each}`, `up ${each}`]), 'up v']);
    expect(await received('keyboard.text')).toEqual([]);
    expect(await frame.locator('#a').inputValue()).toBe('alpha');
  });
});
