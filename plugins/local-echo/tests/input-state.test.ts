import { expect, it } from 'vitest';
import type { TextState } from '../../../core/index.ts';
import { InputState } from '../client/input-state.ts';

const state = (text: string): TextState => ({ text, start: text.length, end: text.length });

/** A field that had these texts after one letter each, none of which the page has handled. */
function typed(...texts: readonly string[]): InputState {
  const input = new InputState();
  input.remote = state('');
  texts.forEach((text, at) => {
    input.add({ seq: at + 1, act: { kind: 'insert', text: text.at(-1) ?? '' }, after: state(text), at });
  });
  return input;
}
const confirmed = (input: InputState): number[] =>
  input.pending.flatMap(({ seq, isConfirmed }) => (isConfirmed === true ? [seq] : []));

it('[M-046] the acts that the page has are those of its last text: it may have an earlier one again', () => {
  const input = typed('a', 'ab', 'abc');
  expect(input.confirm(state('ab'))).toBe(true);
  expect(confirmed(input)).toEqual([1, 2]);
  expect(input.confirm(state('a'))).toBe(true);
  expect(confirmed(input)).toEqual([1]);
  expect(input.ahead.map(({ seq }) => seq)).toEqual([2, 3]);
  expect([input.remote, input.shown]).toEqual([state('a'), state('abc')]);
  expect(input.confirm(state('x'))).toBe(false);
  expect(confirmed(input)).toEqual([1]);
});
