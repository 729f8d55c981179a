import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { awaited, openView, page, received, useView } from '../../../core/testing/view-page.ts';

useView(path.join(import.meta.dirname, 'view-entry.ts'));

/** CDP's bit of Shift. */
const SHIFT = 8;

interface Typed {
  readonly key: string;
  readonly code: string;
  readonly modifiers?: number;
  /** The characters of the key presses, where they are not the key. */
  readonly text?: string;
}

/** Presses keys as the person's Chromium reports them, and answers with what the host has heard go down. */
async function typed(keys: readonly Typed[]): Promise<Readonly<Record<string, unknown>>[]> {
  const frame = await openView('<input id="a" style="width:200px">');
  await frame.locator('#a').click();
  const session = await page.context().newCDPSession(page);
  for (const { key, code, modifiers = 0, text = key } of keys) {
    const event = { key, code, windowsVirtualKeyCode: code.charCodeAt(3), modifiers };
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' });
    if (key !== 'Dead')
      for (const each of text) await session.send('Input.dispatchKeyEvent', { ...event, type: 'char', text: each });
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
  }
  await expect.poll(async () => (await received('kbd')).at(-1)).toMatchObject({ type: 'up', code: keys.at(-1)?.code });
  expect(await frame.locator('#a').inputValue()).toBe(''); // the page's answer is what counts
  return (await received('kbd')).filter(({ type }) => type === 'down');
}

const on = (code: string, key: string, modifiers?: number): Typed => ({
  code,
  key,
  ...(modifiers !== undefined && { modifiers }),
});

describe('layouts', () => {
  it.each<[layout: string, keys: readonly Typed[], text: string]>([
    ['German', [on('KeyY', 'z'), on('Minus', 'ß'), on('Semicolon', 'ö'), on('Quote', 'Ä', SHIFT)], 'zßöÄ'],
    ['French', [on('KeyQ', 'a'), on('Digit2', 'é'), on('Digit9', 'ç'), on('Digit2', '2', SHIFT)], 'aéç2'],
    ['Spanish', [on('Semicolon', 'ñ'), on('Equal', '¿', SHIFT), on('Equal', '¡')], 'ñ¿¡'],
    ['Russian', [on('KeyG', 'п'), on('KeyH', 'р'), on('Backquote', 'Ё', SHIFT)], 'прЁ'],
    ['Greek', [on('KeyA', 'α'), on('KeyW', 'ς'), on('KeyV', 'Ω', SHIFT)], 'αςΩ'],
    ['Hebrew', [on('KeyA', 'ש'), on('KeyQ', '/'), on('Semicolon', 'ף')], 'ש/ף'],
    ['Arabic', [on('KeyH', 'ا'), on('KeyS', 'س'), on('KeyX', 'ْ', SHIFT)], 'اسْ'],
    ['Japanese', [on('IntlYen', '¥'), on('KeyA', 'ち'), on('IntlRo', 'ろ')], '¥ちろ'],
  ])('types %s', async (_layout, keys, text) => {
    const down = await typed(keys);
    expect(down.map((each) => each['text']).join('')).toBe(text);
    expect(down.map(({ key, code }) => [key, code])).toEqual(keys.map(({ key, code }) => [key, code]));
  });
});

/** Presses keys as no Chromium of this system reports them, and answers with what the host has heard. */
async function reported(
  platform: string,
  ...keys: readonly Readonly<Record<string, string | boolean>>[]
): Promise<unknown[]> {
  const frame = await openView('<input id="a">');
  await page.evaluate((value) => Object.defineProperty(navigator, 'platform', { value, configurable: true }), platform);
  await frame.locator('#a').evaluate((element, given) => {
    for (const init of given)
      element.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
  }, keys);
  return awaited('kbd', keys.length);
}

describe('keys that type several characters', () => {
  it.each([
    ['Arabic', 'KeyB', 'لا'],
    ['Hindi', 'Digit7', 'क्ष'],
    ['Breton', 'KeyC', 'cʼh'],
    ['accents that fit no letter', 'KeyX', '´x'],
  ])('are typed whole: %s', async (_layout, code, key) => {
    expect(await reported('Win32', { code, key })).toMatchObject([{ code, key, text: key }]);
  });
});

describe('AltGraph, and Option of macOS', () => {
  it.each([
    ['German', 'KeyQ', '@'],
    ['French', 'Digit0', '@'],
    ['Spanish', 'Digit2', '@'],
    ['Polish', 'KeyL', 'ł'],
    ['Italian', 'KeyE', '€'],
    ['Hebrew', 'Digit4', '₪'],
  ])('types with AltGraph on a %s keyboard: %s is %s, and no shortcut', async (_layout, code, key) => {
    const init = { key, code, ctrlKey: true, altKey: true, modifierAltGraph: true };
    expect(await reported('Win32', init)).toMatchObject([{ key, code, text: key, modifiers: 0 }]);
  });

  it('types with Option, which is Alt elsewhere and types nothing there', async () => {
    const init = { key: '@', code: 'KeyL', altKey: true };
    expect(await reported('MacIntel', init)).toMatchObject([{ text: '@', modifiers: 0 }]);
    await page.close();
    expect(await reported('Win32', init)).toMatchObject([{ text: '', modifiers: INPUT_FLAGS.alt }]);
  });
});

describe('dead keys', () => {
  it.each<[string, Typed, string[]]>([
    ['the letter with its accent', on('KeyE', 'é'), ['é']],
    ['the letter alone, the accent with the key press', { ...on('KeyE', 'e'), text: 'é' }, ['é']],
    ['accent and letter apart, where they do not go together', { ...on('KeyX', 'x'), text: '´x' }, ['´', 'x']],
  ])('types what completes them, in browsers that say %s', async (_what, key, text) => {
    const down = await typed([{ key: 'Dead', code: 'Equal' }, key, on('KeyA', 'a')]);
    expect(down.map((each) => each['text'])).toEqual([...text, 'a']);
    expect(down[0]).toMatchObject({ code: key.code });
  });
});
