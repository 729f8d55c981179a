import { describe, expect, it } from 'vitest';
import { belongsToBrowser, keyText } from '../keyboard.ts';
import type { Key } from '../keyboard.ts';

const key = (changes: Partial<Key>): Key => ({
  key: 'a',
  code: 'KeyA',
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  altGraph: false,
  ...changes,
});

describe('keys', () => {
  it('types the text of characters and Enter, also with AltGraph, and none of shortcuts and named keys', () => {
    expect(keyText(key({}))).toBe('a');
    expect(keyText(key({ key: '𝒳' }))).toBe('𝒳');
    expect(keyText(key({ key: 'Enter' }))).toBe('\r');
    expect(keyText(key({ key: '@', ctrlKey: true, altKey: true, altGraph: true }))).toBe('@');
    for (const none of [{ key: 'Tab' }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(keyText(key(none))).toBe('');
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
    expect(belongsToBrowser(key({ key: name, ...held }))).toBe(true);
  });

  it.each([
    ['t', {}],
    ['ArrowLeft', {}],
    ['z', { ctrlKey: true }],
    ['b', { ctrlKey: true }],
    ['c', { ctrlKey: true }],
    ['q', { ctrlKey: true, altKey: true, altGraph: true }],
  ])('forwards %s %j', (name, held) => {
    expect(belongsToBrowser(key({ key: name, ...held }))).toBe(false);
  });
});
