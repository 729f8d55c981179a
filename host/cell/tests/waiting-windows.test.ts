import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitingWindows } from '../session/waiting-windows.ts';

/** As the README of plugins/popups says. */
const MAX_WAITING = 5;
const UNCLAIMED_MS = 60_000;

describe('windows that wait to be shown', () => {
  const ended: string[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    ended.length = 0;
  });
  afterEach(() => vi.useRealTimers());
  const windows = (): WaitingWindows<string> => new WaitingWindows((window) => ended.push(window));

  it('[M2] are claimed once, by their token', () => {
    const waiting = windows();
    expect(waiting.reserve('a')).toBe(true);
    expect(waiting.take('a')).toBeUndefined(); // it is being opened
    waiting.fill('a', 'window');
    expect(waiting.take('b')).toBeUndefined();
    expect(waiting.take('a')).toBe('window');
    expect(waiting.take('a')).toBeUndefined();
    vi.advanceTimersByTime(UNCLAIMED_MS);
    expect(ended).toEqual([]);
  });

  it('[M2] are ended when nobody claims them in time, also one that was opened late', () => {
    const waiting = windows();
    waiting.reserve('a');
    waiting.fill('a', 'first');
    waiting.reserve('b');
    vi.advanceTimersByTime(UNCLAIMED_MS);
    expect(ended).toEqual(['first']);
    waiting.fill('b', 'second');
    expect(ended).toEqual(['first', 'second']);
    expect(waiting.take('a')).toBeUndefined();
  });

  it('[M2] are bounded in number', () => {
    const waiting = windows();
    const reserved = Array.from({ length: 300 }, (_, n) => waiting.reserve(String(n)));
    expect(reserved.filter(Boolean)).toHaveLength(MAX_WAITING);
    waiting.drop('0');
    expect(waiting.reserve('later')).toBe(true);
    expect(waiting.reserve('one too many')).toBe(false);
  });
});
