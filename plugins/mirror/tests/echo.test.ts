import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Echo } from '../client/echo.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start() {
  const echo = new Echo<object, string>((a, b) => a === b);
  const key = {};
  const applied: string[] = [];
  return {
    applied,
    local: (value: string) => echo.local(key, value),
    refuse: () => echo.refuse(key),
    remote: (value: string) => echo.remote(key, value, () => void applied.push(value)),
  };
}

it('shows what the surrogate says, but for a second after a change by the person, or until it has confirmed that', () => {
  const { applied, local, remote } = start();
  remote('a');
  local('b');
  remote('a');
  remote('c');
  expect(applied).toEqual(['a']);
  vi.advanceTimersByTime(1000);
  expect(applied).toEqual(['a', 'c']);
  local('d');
  remote('d');
  remote('e');
  expect(applied).toEqual(['a', 'c', 'e']);
});

it('takes no refusal for that of a change which the surrogate cannot have seen yet', () => {
  const { applied, local, remote, refuse } = start();
  local('a');
  vi.advanceTimersByTime(150);
  remote('a'); // the line takes 150 ms there and back
  local('b');
  vi.advanceTimersByTime(100);
  refuse(); // of what was done before
  remote('a');
  expect(applied).toEqual([]);
  remote('b');
  local('c');
  vi.advanceTimersByTime(150);
  refuse();
  remote('b');
  expect(applied).toEqual(['b']);
});

it('applies a refused value in the end where it came too soon to be one', () => {
  const { applied, local, remote, refuse } = start();
  local('a');
  vi.advanceTimersByTime(150);
  remote('a');
  local('b');
  vi.advanceTimersByTime(20);
  refuse();
  remote('a');
  vi.advanceTimersByTime(1000);
  expect(applied).toEqual(['a']);
});
