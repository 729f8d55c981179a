import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Editable } from '../../../core/index.ts';
import { Checks } from '../client/checks.ts';
import { Marks } from '../client/marks.ts';
import { digestOf } from '../protocol.ts';
import { PlayedField } from './played-field.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const state = { text: 'a b', start: 0, end: 0 };
const control = new PlayedField(1, state);
const rich = new PlayedField(2, state, { kind: 'rich' });

it('asks about each act at once, with eight questions open at most, and about the last act in the end', () => {
  const sent: number[] = [];
  const marks = new Marks(({ seq }) => sent.push(seq));
  for (let seq = 1; seq <= 20; seq += 1) marks.ask(seq, control, false);
  expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  marks.answered(3);
  expect(sent.slice(8)).toEqual([20]);
});

it('goes on after questions whose answers are lost', () => {
  const sent: number[] = [];
  const marks = new Marks(({ seq }) => sent.push(seq));
  for (let seq = 1; seq <= 9; seq += 1) marks.ask(seq, control, false);
  expect(sent).toHaveLength(8);
  vi.advanceTimersByTime(10_000);
  marks.ask(10, control, false);
  expect(sent.at(-1)).toBe(10);
});

it('[M-105] asks 100 ms after a key in rich text, once for all keys in between', () => {
  const sent: (number | boolean)[] = [];
  const marks = new Marks(({ seq, isRich, isExact }) => sent.push(seq, isRich, isExact));
  marks.ask(1, rich, false);
  vi.advanceTimersByTime(60);
  marks.ask(2, rich, false);
  vi.advanceTimersByTime(39);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([2, true, false]);
});

it('asks at once where later acts are to wait for the answer, and about no later ones instead', () => {
  const sent: (number | boolean)[] = [];
  const marks = new Marks(({ seq, isExact }) => sent.push(seq, isExact));
  marks.ask(1, rich, false);
  marks.ask(2, rich, true);
  expect(sent).toEqual([2, true]);
  for (let seq = 3; seq <= 9; seq += 1) marks.ask(seq, control, false);
  marks.ask(10, control, true);
  marks.ask(11, control, false);
  expect(sent.slice(2, 16)).toEqual([3, 4, 5, 6, 7, 8, 9].flatMap((seq) => [seq, false]));
  marks.answered(2);
  expect(sent.slice(16)).toEqual([11, true]);
});

it('[M-105] compares what a field has once nothing was typed for 200 ms', () => {
  const sent: [Editable, number][] = [];
  const checks = new Checks((field, { length }) => sent.push([field, length]));
  checks.settled(control);
  vi.advanceTimersByTime(150);
  checks.acted();
  vi.advanceTimersByTime(199);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([[control, 3]]);
  checks.settled(rich);
  vi.advanceTimersByTime(200);
  expect(sent[1]).toEqual([rich, 2]); // without its space
  checks.acted();
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(2);
});

it('[M-046] takes another text of the same length for a difference, as of a page that has changed a letter', () => {
  const field = new PlayedField(1, state);
  const checks = new Checks(() => undefined);
  checks.settled(field);
  expect(checks.differs(field.target, digestOf('A b')!)).toBe(field);
  expect(checks.differs(field.target, digestOf('a b')!)).toBeUndefined();
});

it('takes a text that the page has changed in the meantime for no difference', () => {
  const field = new PlayedField(1, state);
  const checks = new Checks(() => undefined);
  checks.settled(field);
  field.draw({ text: 'new', start: 0, end: 0 });
  expect(checks.differs(field.target, digestOf('new')!)).toBeUndefined();
  expect(checks.differs(field.target, digestOf('other')!)).toBe(field);
  expect(checks.differs(rich.target, digestOf('other')!)).toBeUndefined();
  field.isGone = true;
  expect(checks.differs(field.target, digestOf('other')!)).toBeUndefined();
});
