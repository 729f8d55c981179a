import { describe, expect, it } from 'vitest';
import { belongsToBrowser, keyText } from '../client/index.ts';
import type { Key } from '../client/index.ts';
import { isTyped } from '../client/typed.ts';

const key = (changes: Partial<Key>): Key => ({
  key: 'a',
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  ...changes,
});

describe('keys', () => {
  it('types the text of characters and Enter, also with AltGraph, and none of shortcuts and named keys', () => {
    expect(keyText(key({}), false)).toBe('a');
    expect(keyText(key({ key: '𝒳' }), false)).toBe('𝒳');
    expect(keyText(key({ key: 'Enter' }), false)).toBe('\r');
    expect(keyText(key({ key: '@', ctrlKey: true, altKey: true }), true)).toBe('@');
    for (const none of [{ key: 'Tab' }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(keyText(key(none), false)).toBe('');
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
    expect(belongsToBrowser(key({ key: name, ...held }), false)).toBe(true);
  });

  it.each<[string, Partial<Key>, boolean?]>([
    ['t', {}],
    ['ArrowLeft', {}],
    ['z', { ctrlKey: true }],
    ['b', { ctrlKey: true }],
    ['c', { ctrlKey: true }],
    ['q', { ctrlKey: true, altKey: true }, true],
  ])('forwards %s %j', (name, held, isAltGraph = false) => {
    expect(belongsToBrowser(key({ key: name, ...held }), isAltGraph)).toBe(false);
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
