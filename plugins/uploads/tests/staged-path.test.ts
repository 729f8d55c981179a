import { expect, it } from 'vitest';
import { growthBetween } from '../../../core/testing/growth.ts';
import { pathOf } from '../host/staged-path.ts';

it('many files of one name take time in proportion to their number', () => {
  const input = (count: number): number => count;
  const run = (count: number): void => {
    const taken = new Map<string, number>();
    for (let at = 0; at < count; at++) pathOf({ path: '', name: 'a.txt', safe: 'a.txt' }, true, taken);
  };
  expect(growthBetween({ input, run }, 9, [10_000, 40_000])).toBeLessThan(9);
});
