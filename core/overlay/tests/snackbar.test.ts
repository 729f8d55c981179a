import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Slots } from '../../contracts/slots.ts';
import { Snackbar } from '../snackbar.ts';
import type { SnackbarProps } from '../snackbar.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A snackbar, and the texts in its slot. */
function start() {
  const filled = new Set<SnackbarProps>();
  const undone: (() => void)[] = [];
  const fill = (_slot: unknown, _contribution: unknown, props: SnackbarProps): (() => void) => {
    filled.add(props);
    return () => void filled.delete(props);
  };
  const snackbar = new Snackbar({
    slots: { fill } as unknown as Slots, // a snackbar asks nothing
    events: { report: () => undefined },
    onDispose: (undo) => void undone.push(undo),
  });
  const texts = (): string[] => [...filled].map(({ text }) => text);
  /** The code has come, and draws what is in the slot. */
  const drawn = (): void => {
    for (const { onShown } of filled) onShown();
  };
  return { snackbar, texts, drawn, dispose: () => undone.forEach((undo) => undo()) };
}

it('[R-007] hides a text 5 s after it is seen, however late that is', () => {
  const { snackbar, texts, drawn } = start();
  snackbar.show('blocked');
  vi.advanceTimersByTime(20_000);
  drawn();
  vi.advanceTimersByTime(2000);
  drawn(); // once more: the time goes on
  vi.advanceTimersByTime(2999);
  expect(texts()).toEqual(['blocked']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

it('[R-007] gives a text that takes the place of another its own 5 s', () => {
  const { snackbar, texts, drawn } = start();
  snackbar.show('first');
  drawn();
  vi.advanceTimersByTime(4000);
  snackbar.show('second');
  drawn();
  vi.advanceTimersByTime(4999);
  expect(texts()).toEqual(['second']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

it('gives a text up that nobody has seen for 30 s, and goes with its plugin', () => {
  const { snackbar, texts, dispose } = start();
  snackbar.show('never drawn');
  vi.advanceTimersByTime(29_999);
  expect(texts()).toEqual(['never drawn']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
  snackbar.show('open');
  dispose();
  expect([texts(), vi.getTimerCount()]).toEqual([[], 0]);
});
