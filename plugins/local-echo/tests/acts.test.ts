import { describe, expect, it } from 'vitest';
import type { EditableTraits, TextState } from '../../../core/index.ts';
import { growth } from '../../../core/testing/growth.ts';
import { actOf, isSame, predict } from '../client/acts.ts';
import type { Act } from '../client/acts.ts';

const INPUT: EditableTraits = {
  ...{ kind: 'control', isMultiline: false, isSecret: false, isReadOnly: false },
  ...{ type: 'text', maxLength: undefined, keepsSpaces: true },
};
const AREA = { ...INPUT, isMultiline: true, type: 'textarea' };
const RICH: EditableTraits = { ...AREA, kind: 'rich', type: 'rich' };

/** `a|bc` is a caret, `a[b]c` a selection. */
function state(drawn: string): TextState {
  const text = drawn.replace(/[[\]|]/g, '');
  const start = drawn.search(/[[|]/);
  const end = drawn.includes(']') ? drawn.indexOf(']') - 1 : start;
  return { text, start, end };
}
function draw(of: TextState | undefined): string | undefined {
  if (!of) return undefined;
  const { text, start, end } = of;
  const inner = start === end ? '|' : `[${text.slice(start, end)}]`;
  return text.slice(0, start) + inner + text.slice(end);
}
const after = (drawn: string, act: Act, traits = INPUT): string | undefined => draw(predict(state(drawn), act, traits));
const typed = (text: string): Act => ({ kind: 'insert', text });

describe('what a key does', () => {
  const key = (name: string, held = ''): Act | undefined =>
    actOf(
      {
        key: name,
        ctrlKey: held.includes('C'),
        altKey: held.includes('A'),
        metaKey: held.includes('M'),
        shiftKey: held.includes('S'),
      },
      held.includes('G'),
    );

  it('is known of characters, of keys that erase or move by one, and of those that do nothing', () => {
    expect(key('ä')).toEqual(typed('ä'));
    expect(key('A', 'S')).toEqual(typed('A'));
    expect(key('@', 'CAG')).toEqual(typed('@'));
    expect(key('😀')).toEqual(typed('😀'));
    expect(key('Enter')).toEqual(typed('\n'));
    expect(key('Backspace')).toEqual({ kind: 'backspace' });
    expect(key('ArrowLeft')).toEqual({ kind: 'left' });
    expect(key('Shift', 'S')).toBeUndefined();
  });

  it('is left to the page of shortcuts, of selecting, and of all other keys', () => {
    for (const [name, held] of [
      ['a', 'C'],
      ['a', 'A'],
      ['v', 'M'],
      ['ArrowLeft', 'S'],
      ['Backspace', 'C'],
      ['Enter', 'S'],
      ['ArrowUp', ''],
      ['Tab', ''],
      ['constructor', ''],
    ] as const)
      expect(key(name, held), name).toEqual({ kind: 'other' });
  });
});

describe('text after a key', () => {
  it('has what is typed at the caret, or in place of the selection', () => {
    expect(after('a|c', typed('b'))).toBe('ab|c');
    expect(after('a[bc]d', typed('x'))).toBe('ax|d');
    expect(after('a|', typed('😀'))).toBe('a😀|');
    expect(after('a|b', typed('\n'), AREA)).toBe('a\n|b');
  });

  it('lacks what is erased', () => {
    expect(after('ab|c', { kind: 'backspace' })).toBe('a|c');
    expect(after('ab|c', { kind: 'delete' })).toBe('ab|');
    expect(after('a[bc]d', { kind: 'backspace' })).toBe('a|d');
    expect(after('|ab', { kind: 'backspace' })).toBe('|ab');
    expect(after('ab|', { kind: 'delete' })).toBe('ab|');
  });

  it('has the caret where it was moved', () => {
    expect(after('ab|c', { kind: 'left' })).toBe('a|bc');
    expect(after('ab|c', { kind: 'right' })).toBe('abc|');
    expect(after('a[bc]d', { kind: 'left' })).toBe('a|bcd');
    expect(after('a[bc]d', { kind: 'right' })).toBe('abc|d');
    expect(after('ab|c', { kind: 'home' })).toBe('|abc');
    expect(after('ab|c', { kind: 'end' })).toBe('abc|');
  });

  it('is not guessed where characters are more than one unit, belong together, or run from right to left', () => {
    for (const drawn of ['😀|', 'e\u0301|', '👨\u200d👩|', '각\u11a8|'])
      expect(after(drawn, { kind: 'backspace' }), drawn).toBeUndefined();
    expect(after('e|\u0301', { kind: 'backspace' })).toBeUndefined();
    expect(after('|e\u0301', { kind: 'delete' })).toBeUndefined();
    for (const kind of ['left', 'right', 'home', 'end'] as const) expect(after('שלום |x', { kind })).toBeUndefined();
    expect(after('a|', { kind: 'home' }, AREA)).toBeUndefined();
    expect(after('|a', { kind: 'backspace' }, RICH)).toBeUndefined();
    expect(after('a|', typed('\n'), RICH)).toBeUndefined();
    expect(after('a|', typed('\n'))).toBeUndefined();
    expect(after('a|', { kind: 'other' })).toBeUndefined();
  });

  it('keeps to what the field takes', () => {
    expect(after('abc|', typed('d'), { ...INPUT, maxLength: 3 })).toBeUndefined();
    expect(after('ab[c]', typed('d'), { ...INPUT, maxLength: 3 })).toBe('abd|');
    expect(after('a|', typed('b'), { ...INPUT, isReadOnly: true })).toBeUndefined();
    expect(after('1|', typed('x'), { ...INPUT, type: 'number' })).toBeUndefined();
    expect(after('1|', typed('2'), { ...INPUT, type: 'number' })).toBe('12|');
    const secret = { ...INPUT, type: 'password', isSecret: true };
    expect(after('•|', typed('x'), secret)).toBe('••|');
    expect(after('•|', typed('\u0301'), secret)).toBeUndefined();
    expect(after('••|', { kind: 'backspace' }, secret)).toBe('•|');
    expect(after('a|', typed(' '), { ...RICH, keepsSpaces: false })).toBe('a\u00a0|');
  });

  it('is the same with either kind of space, and another with another caret', () => {
    expect(isSame(state('a |b'), state('a\u00a0|b'))).toBe(true);
    expect(isSame(state('a |b'), state('a| b'))).toBe(false);
  });

  it('takes time in proportion to its length', () => {
    const input = (units: number): string => ' '.repeat(units);
    const run = (text: string): void => {
      predict({ text, start: text.length, end: text.length }, { kind: 'left' }, INPUT);
      isSame({ text, start: 0, end: 0 }, { text: text.replaceAll(' ', '\u00a0'), start: 0, end: 0 });
    };
    expect(growth({ input, run }, 8)).toBeLessThan(8);
  });
});
