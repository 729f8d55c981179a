import { describe, expect, it } from 'vitest';
import { keyHint } from '../../../core/ui/key-hint.ts';
import { historyOf, menuItems } from '../client/menu-items.ts';
import { itemsOf } from '../items.ts';
import type { Found, Item } from '../protocol.ts';

const ALL = { copy: true, paste: true, open: true, save: true };
const FOUND: Found = { editable: false, selection: false, edits: ['copy', 'select-all'] };
const FIELD: Item[] = ['undo', 'redo', 'cut', 'copy', 'paste', 'select-all'];
const LINK: Item[] = ['link-tab', 'link-window', 'link-copy'];
const PICTURE: Item[] = ['picture-window', 'picture-copy', 'picture-save'];
const WEB = 'https://a.test/';

describe('the items of a menu', () => {
  it.each<[string, Partial<Found>, Item[]]>([
    ['[S-020] a field', { editable: true, selection: true }, FIELD],
    ['[S-020] a selection', { selection: true }, ['copy']],
    ['[S-021] a link', { link: WEB }, LINK],
    ['[S-021] a picture', { picture: WEB }, PICTURE],
    ['[S-021] a picture with a link', { picture: WEB, link: WEB }, [...PICTURE, ...LINK]],
    ['[S-022] nothing special', {}, ['back', 'forward', 'reload', 'select-all']],
    ['a selection on a link', { selection: true, link: WEB }, [...LINK, 'copy']],
  ])('%s', (_name, found, items) => {
    expect(itemsOf({ ...FOUND, ...found }, ALL).items).toEqual(items);
  });

  it.each<[string, Partial<Found>, Partial<typeof ALL>, Item[]]>([
    ['pictures that are not of the web', { picture: '', link: WEB }, {}, PICTURE],
    ['links without a usable address', { picture: WEB, link: '' }, {}, LINK],
    ['links that are copied alone', { link: 'mailto:a@b.test' }, {}, ['link-tab', 'link-window']],
    [
      'edits that are not possible',
      { editable: true, edits: ['undo', 'paste'] },
      {},
      ['redo', 'cut', 'copy', 'select-all'],
    ],
    ['copying where it is off', { editable: true, edits: FIELD }, { copy: false }, ['cut', 'copy']],
    ['pasting where it is off', { editable: true, edits: FIELD }, { paste: false }, ['paste']],
    ['addresses where copying is off', { picture: WEB, link: WEB }, { copy: false }, ['picture-copy', 'link-copy']],
    [
      'opening and saving that nobody does',
      { picture: WEB },
      { open: false, save: false },
      ['picture-window', 'picture-save'],
    ],
  ])('[S-023] disables %s', (_name, found, may, disabled) => {
    expect(itemsOf({ ...FOUND, ...found }, { ...ALL, ...may }).disabled).toEqual(disabled);
  });
});

describe('the menu that is shown', () => {
  const texts = { text: (id: string) => id };
  const shown = (platform: string, items: Item[] = FIELD) =>
    menuItems({ items, disabled: [] }, texts, { back: false, forward: true }, platform);

  it('[S-024] has key hints with Ctrl, and with Command on a Mac', () => {
    const keys = (platform: string) => shown(platform).map((item) => item.keys);
    expect(keys('Win32')).toEqual(['Z', 'Shift+Z', 'X', 'C', 'V', 'A'].map((key) => `Control+${key}`));
    expect(keys('MacIntel')).toEqual(['Z', 'Shift+Z', 'X', 'C', 'V', 'A'].map((key) => `Meta+${key}`));
    const read = (platform: string) => {
      const browser = { language: 'en', platform } as Navigator; // all that is read of it
      return keys(platform).map((hint = '') => keyHint(hint, browser));
    };
    expect(read('Win32')).toEqual(['Z', 'Shift+Z', 'X', 'C', 'V', 'A'].map((key) => `Ctrl+${key}`));
    expect(read('MacIntel')).toEqual(['Z', '⇧Z', 'X', 'C', 'V', 'A'].map((key) => `⌘${key}`));
  });

  it('[S-023] disables directions in which there is no history, and draws lines between groups', () => {
    const items = shown('Win32', ['back', 'forward', 'reload', 'select-all']);
    expect(items.map(({ disabled }) => disabled)).toEqual([true, undefined, undefined, undefined]);
    expect(items.map(({ begins }) => begins)).toEqual([undefined, undefined, undefined, true]);
  });

  it('knows of entries of other sites by their number alone', () => {
    const navigation = (entries: number) => ({ canGoBack: false, canGoForward: false, entries: () => Array(entries) });
    expect(historyOf({ history: { length: 1 }, navigation: navigation(1) })).toEqual({ back: false, forward: false });
    expect(historyOf({ history: { length: 2 }, navigation: navigation(1) })).toEqual({ back: true, forward: false });
    expect(historyOf({ history: { length: 2 } })).toEqual({ back: true, forward: true });
  });
});
