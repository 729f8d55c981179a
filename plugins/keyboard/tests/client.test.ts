import path from 'node:path';
import type { FrameLocator } from 'playwright';
import { describe, expect, it } from 'vitest';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { awaited, openView, page, received, useView } from '../../../core/testing/view-page.ts';

useView(path.join(import.meta.dirname, 'view-entry.ts'));

const FIELD = '<input id="a" value="alpha" style="width:200px"><input id="b" style="width:200px">';
/** Fields of a key event. */
type Init = Readonly<Record<string, string | boolean | number>>;

const keys = async (): Promise<string[]> =>
  (await received('kbd')).map(({ type, key: name }) => `${type as string} ${name as string}`);

describe('the keyboard', () => {
  it('[R-093] says frame, type, key, codes, the character typed and the state of Shift, Ctrl, Alt and Meta', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#b').click();
    await page.keyboard.press('b');
    for (const held of ['Shift', 'Control', 'Alt', 'Meta']) await page.keyboard.press(`${held}+B`);
    const messages = (await awaited('kbd', 18)).filter(({ code }) => code === 'KeyB');
    const at: unknown = expect.any(Number);
    const down = { frame: 7, type: 'down', code: 'KeyB', key_code: 66, location: 0, repeat: false, at };
    const with_ = (modifiers: number, text: string): object => ({ ...down, key: 'B', modifiers, text });
    expect(messages.filter(({ type }) => type === 'down')).toEqual([
      { ...down, key: 'b', modifiers: 0, text: 'b' },
      with_(INPUT_FLAGS.shift, 'B'),
      with_(INPUT_FLAGS.ctrl, ''),
      with_(INPUT_FLAGS.alt, ''),
      with_(INPUT_FLAGS.meta, ''),
    ]);
    expect(messages.filter(({ type }) => type === 'up')).toHaveLength(5);
    const times = messages.map((message) => Number(message['at']));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.abs((times[0] ?? 0) - Date.now())).toBeLessThan(60_000);
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

describe('a list of options that is open in the view', () => {
  it('gets the keys: the page’s own is closed', async () => {
    const style = '<style>select,select::picker(select){appearance:base-select}</style>';
    const frame = await openView(`${style}<select id=s><option>One<option>Two<option>Three</select>${FIELD}`);
    await frame.locator('#a').click(); // what rare keys need is loaded with it
    await page.keyboard.press('x');
    await awaited('kbd', 2);
    await frame.locator('#s').click();
    await expect.poll(() => frame.locator('#s').evaluate((list) => list.matches(':open'))).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => frame.locator('#s').inputValue()).toBe('Two');
    expect(await frame.locator('#s').evaluate((list) => list.matches(':open'))).toBe(false);
    await page.keyboard.press('y'); // which is the page's again
    await expect
      .poll(async () => (await keys()).filter((each) => each.startsWith('down')))
      .toEqual(['down x', 'down y']);
  });
});

describe('keys that come up unseen', () => {
  it('are told of when the focus leaves the view for the shell, and not when it goes on within the view', async () => {
    const frame = await openView(`${FIELD}<iframe srcdoc="<input id=c>"></iframe>`);
    await page.evaluate(() => document.body.append(document.createElement('button')));
    await frame.locator('#a').click();
    await frame.frameLocator('iframe').locator('#c').focus();
    await frame.locator('#a').focus();
    await page.keyboard.press('y');
    await awaited('kbd', 2); // after what the focus has caused
    expect(await received('input.away')).toEqual([]);
    await page.locator('button').focus();
    await awaited('input.away', 1);
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

/** Dispatches key events in the view as no keyboard here makes them; answers with whether each was left to the browser. */
const dispatch = (
  frame: FrameLocator,
  ...events: readonly (readonly [type: string, init: Init])[]
): Promise<boolean[]> =>
  frame
    .locator('body')
    .evaluate(
      (body, all) =>
        all.map(([type, init]) =>
          (body.querySelector('input') ?? body).dispatchEvent(
            new KeyboardEvent(type, { ...init, bubbles: true, cancelable: true }),
          ),
        ),
      events,
    );

/** Presses and releases a key with others held. */
const chord = (frame: FrameLocator, key: string, more: Init = {}): Promise<boolean[]> => {
  const init = { key, code: `Key${key.toUpperCase()}`, ...more };
  return dispatch(frame, ['keydown', init], ['keyup', init]);
};

const platform = (value: string): Promise<unknown> =>
  page.evaluate((is) => void Object.defineProperty(navigator, 'platform', { value: is, configurable: true }), value);

describe('a key that the page has heard of', () => {
  it('comes up there, whatever is held by then', async () => {
    const frame = await openView(FIELD);
    await dispatch(
      frame,
      ['keydown', { key: 't', code: 'KeyT' }],
      ['keyup', { key: 't', code: 'KeyT', ctrlKey: true }],
      ['keydown', { key: 't', code: 'KeyT', ctrlKey: true }],
      ['keyup', { key: 't', code: 'KeyT', ctrlKey: true }],
    );
    await expect.poll(keys).toEqual(['down t', 'up t']);
  });
});

describe('shortcuts of the person’s browser', () => {
  it.each<[string, string, Init]>([
    ['Russian', 'к', { code: 'KeyR', keyCode: 82 }],
    ['Greek', 'ρ', { code: 'KeyR', keyCode: 82 }],
    ['Hebrew', '/', { code: 'KeyQ', keyCode: 81 }],
    ['French', 'à', { code: 'Digit0', keyCode: 48 }],
  ])('stay there on a %s keyboard: Ctrl with %s', async (_layout, key, init) => {
    const frame = await openView(FIELD);
    expect(await chord(frame, key, { ...init, ctrlKey: true })).toEqual([true, true]);
    expect(await chord(frame, 'b', { ctrlKey: true })).toEqual([false, true]);
    await expect.poll(keys).toEqual(['down b', 'up b']);
  });

  it('go by Command on macOS, where Ctrl and Option edit', async () => {
    const frame = await openView(FIELD);
    await platform('MacIntel');
    expect(await chord(frame, 'l', { metaKey: true })).toEqual([true, true]);
    expect(await chord(frame, '[', { metaKey: true })).toEqual([true, true]);
    expect(await chord(frame, ' ', { metaKey: true, ctrlKey: true })).toEqual([true, true]);
    expect(await chord(frame, 'h', { ctrlKey: true })).toEqual([false, true]);
    expect(await chord(frame, 'ArrowLeft', { altKey: true })).toEqual([false, true]);
    await expect.poll(keys).toEqual(['down h', 'up h', 'down ArrowLeft', 'up ArrowLeft']);
  });

  it('[M-093] are held back for the page as key_ctrl says, and passed to the browser again', async () => {
    const frame = await openView(FIELD);
    const control = (held: string): Promise<void> =>
      page.evaluate((shortcuts) => window.input.tell('key_ctrl', { held: shortcuts }), held);
    expect(await chord(frame, 'l', { ctrlKey: true })).toEqual([true, true]);
    await control('mod+l mod+shift+i');
    expect(await chord(frame, 'l', { ctrlKey: true })).toEqual([false, true]);
    expect(await chord(frame, 'I', { ctrlKey: true, shiftKey: true })).toEqual([false, true]);
    expect(await chord(frame, 'd', { ctrlKey: true })).toEqual([true, true]);
    expect(await keys()).toContain('down l');
    await control('');
    expect(await chord(frame, 'l', { ctrlKey: true })).toEqual([true, true]);
  });

  it('go to the page while it has the browser in full screen, but for those that end that', async () => {
    const frame = await openView(FIELD);
    await page.evaluate(() => {
      const lock = (codes: readonly string[]): Promise<void> => {
        document.title = codes.join(' ');
        return Promise.resolve();
      };
      const unlock = (): void => void (document.title = 'unlocked');
      Object.defineProperty(navigator, 'keyboard', { value: { lock, unlock } });
    });
    await frame.locator('#b').click();
    await page.evaluate(() => document.documentElement.requestFullscreen());
    await expect.poll(() => page.title()).toContain('KeyT');
    expect(await page.title()).not.toMatch(/Escape|F11/);
    expect(await chord(frame, 't', { ctrlKey: true })).toEqual([false, true]);
    await page.evaluate(() => document.exitFullscreen());
    await expect.poll(() => page.title()).toBe('unlocked');
    expect(await chord(frame, 't', { ctrlKey: true })).toEqual([true, true]);
  });
});

describe('the way out of the page', () => {
  it('is Ctrl+F6 or Command+F6, with Shift to what comes before the page; Tab stays in the page', async () => {
    const frame = await openView(FIELD);
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'afterbegin',
        '<button id=before>before</button><div inert><button>no</button></div>',
      );
      document.body.insertAdjacentHTML(
        'beforeend',
        '<button hidden>no</button><button disabled>no</button><button id=after>after</button>',
      );
    });
    const active = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '');
    await frame.locator('#b').click();
    await page.keyboard.press('Tab');
    expect(await active()).toBe('view');
    await page.keyboard.press('Control+F6');
    await expect.poll(active).toBe('after');
    await frame.locator('#b').click();
    await page.keyboard.press('Control+Shift+F6');
    await expect.poll(active).toBe('before');
    await frame.locator('#b').click();
    await page.keyboard.press('Meta+F6');
    await expect.poll(active).toBe('after');
    expect((await keys()).filter((each) => each.endsWith('F6'))).toEqual([]);
    expect(await keys()).toContain('down Tab');
  });

  it('leads out of the view also where the shell has nothing to focus', async () => {
    const frame = await openView(FIELD);
    await frame.locator('#b').click();
    await page.keyboard.press('Control+F6');
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('body');
  });
});
