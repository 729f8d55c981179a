import { describe, expect, it } from 'vitest';
import { isBrowserKey, keyText } from '../client/keys.ts';
import type { Key } from '../client/keys.ts';
import { isTyped } from '../client/typed.ts';

const key = (changes: Partial<Key>): Key => ({
  key: 'a',
  keyCode: 0,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  ...changes,
});

const typed = (changes: Partial<Key>, isAltGraph = false): string => {
  const event = key(changes);
  return keyText(event, isAltGraph, event.key);
};

describe('keys', () => {
  it('types the text of characters and Enter, also with AltGraph, and none of shortcuts and named keys', () => {
    expect(typed({})).toBe('a');
    expect(typed({ key: '𝒳' })).toBe('𝒳');
    expect(typed({ key: 'Enter' })).toBe('\r');
    expect(typed({ key: 'Enter', shiftKey: true })).toBe('\r');
    expect(typed({ key: 'Enter', ctrlKey: true })).toBe('\n');
    for (const held of [{ altKey: true }, { metaKey: true }]) expect(typed({ key: 'Enter', ...held })).toBe('');
    expect(typed({ key: '@', ctrlKey: true, altKey: true }, true)).toBe('@');
    for (const none of [{ key: 'Tab' }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(typed(none)).toBe('');
  });

  it.each([
    ['F5', {}],
    ['F12', {}],
    ['ArrowLeft', { altKey: true }],
    ['t', { ctrlKey: true }],
    ['T', { ctrlKey: true, shiftKey: true }],
    ['I', { ctrlKey: true, shiftKey: true }],
    ['+', { ctrlKey: true }],
  ])('leaves %s %j to the person’s browser', (name, held) => {
    expect(isBrowserKey(key({ key: name, ...held }), false)).toBe(true);
  });

  it.each<[string, Partial<Key>, boolean?]>([
    ['t', {}],
    ['ArrowLeft', {}],
    ['z', { ctrlKey: true }],
    ['b', { ctrlKey: true }],
    ['c', { ctrlKey: true }],
    ['q', { ctrlKey: true, altKey: true }, true],
  ])('forwards %s %j', (name, held, isAltGraph = false) => {
    expect(isBrowserKey(key({ key: name, ...held }), isAltGraph)).toBe(false);
  });
});

it.each<[string, boolean, object, boolean]>([
  ['insertText', true, { value: '' }, true],
  ['insertText', false, { value: '' }, false],
  ['insertReplacementText', true, {}, true],
  ['insertReplacementText', true, { value: '' }, false],
  ['insertFromDrop', true, {}, false],
])('[C1] takes %s (trusted: %s) in %j for typed text: %s', (inputType, isTrusted, element, is) => {
  expect(isTyped({ inputType, isTrusted }, element)).toBe(is);
});
