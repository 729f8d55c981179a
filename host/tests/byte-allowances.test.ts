import { expect, it } from 'vitest';
import { ByteAllowances } from '../base/byte-allowances.ts';

const HOUR_MS = 3_600_000;

it('gives each sender a burst, and more with time', () => {
  const allowances = new ByteAllowances({ burst: 100, perHour: 50 });
  expect([allowances.take('a', 60, 0), allowances.take('a', 60, 0), allowances.take('a', 40, 0)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(allowances.take('b', 100, 0)).toBe(true);
  expect([allowances.take('a', 26, HOUR_MS / 2), allowances.take('a', 25, HOUR_MS / 2)]).toEqual([false, true]);
  expect(allowances.take('a', 101, 100 * HOUR_MS)).toBe(false);
  expect(allowances.take('a', 100, 100 * HOUR_MS)).toBe(true);
});

it('takes what has been written already into debt, and says for how long', () => {
  const allowances = new ByteAllowances({ burst: 100, perHour: 50 });
  expect([allowances.spend('a', 100, 0), allowances.spend('a', 25, 0), allowances.spend('b', 1, 0)]).toEqual([
    0,
    HOUR_MS / 2,
    0,
  ]);
  expect([allowances.spend('a', 0, HOUR_MS / 4), allowances.spend('a', 0, HOUR_MS / 2)]).toEqual([HOUR_MS / 4, 0]);
});

it('remembers a bounded number of senders', () => {
  const allowances = new ByteAllowances({ burst: 1, perHour: 1 });
  for (let sender = 0; sender < 10_100; sender += 1) allowances.take(String(sender), 1, 0);
  expect(allowances.size).toBe(10_000);
  expect(allowances.take('10099', 1, 0)).toBe(false);
});
