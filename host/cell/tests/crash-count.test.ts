import { expect, it } from 'vitest';
import { CrashCount } from '../tab/crash-count.ts';

/** Number of recoveries from twenty crashes at an interval; -1: all. */
function recovered(everyMs: number): number {
  const crashes = new CrashCount();
  return Array.from({ length: 20 }, (_, index) => crashes.mayRestore(index * everyMs)).indexOf(false);
}

it('gives up after repeated crashes, even slow ones, but not after rare ones', () => {
  expect(recovered(1000)).toBe(3);
  expect(recovered(25_000)).toBe(6);
  expect(recovered(50_000)).toBe(6);
  expect(recovered(90_000)).toBe(6);
  expect(recovered(120_000)).toBe(-1);
});
