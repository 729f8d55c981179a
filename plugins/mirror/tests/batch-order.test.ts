import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BatchOrder } from '../client/batch-order.ts';
import { OP } from '../ops.ts';
import type { Batch } from '../ops.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const begin = (epoch: number): Batch => ({ epoch, seq: 1, more: false, strings: [], ops: [[OP.doc, 0, 0]] });

it('[M-051] asks for a lost frame at most once a second, and not when its document has come meanwhile', () => {
  const asked: number[] = [];
  const order = new BatchOrder(() => void asked.push(Date.now() - start));
  const start = Date.now();
  const lose = (epoch: number): void => {
    expect(order.take({ epoch, seq: 9, more: false, strings: [], ops: [] })).toBe('gap');
    order.lose('out of order');
  };
  expect(order.take(begin(1))).toBe('new');
  lose(1);
  vi.advanceTimersByTime(100);
  expect(asked).toHaveLength(1);
  expect(order.take(begin(2))).toBe('new');
  expect(order.take({ epoch: 2, seq: 2, more: false, strings: [], ops: [] })).toBe('next');

  lose(2); // before it may ask again
  expect(order.take(begin(3))).toBe('new');
  vi.advanceTimersByTime(5000);
  expect(asked).toHaveLength(1);

  lose(3);
  vi.advanceTimersByTime(0);
  lose(3);
  vi.advanceTimersByTime(999);
  expect(asked).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(asked).toHaveLength(3);
});

it('[M-051] takes nothing of a lost frame until its next document', () => {
  const order = new BatchOrder(() => undefined);
  const batch = (seq: number): Batch => ({ epoch: 1, seq, more: false, strings: [], ops: [] });
  expect([order.take(begin(1)), order.take(batch(2))]).toEqual(['new', 'next']);
  order.lose();
  expect(order.take(batch(3))).toBe('gap');
  expect(order.take(begin(1))).toBe('new');
  expect(order.take(batch(2))).toBe('next');
});
