import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let report: () => void;
const observed: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules(); // another document
  observed.length = 0;
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(callback: () => void) {
        report = callback;
      }
      observe(options: unknown): void {
        observed.push(options);
      }
      disconnect(): void {
        observed.push('over');
      }
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('waits until the document is painted, and looks for that once', async () => {
  const { firstPaint } = await import('../first-paint.ts');
  let times = 0;
  for (let press = 0; press < 2; press += 1) void firstPaint().then(() => (times += 1));
  await vi.advanceTimersByTimeAsync(900);
  expect([times, observed]).toEqual([0, [{ type: 'paint', buffered: true }]]);
  report();
  await vi.advanceTimersByTimeAsync(0);
  expect([times, observed.length]).toEqual([2, 2]);
});

it('waits for a second at most in a document that shows nothing, and only with its first press', async () => {
  const { firstPaint } = await import('../first-paint.ts');
  const waited = firstPaint();
  await vi.advanceTimersByTimeAsync(1000);
  await waited;
  await firstPaint();
});
