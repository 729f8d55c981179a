import { describe, expect, it } from 'vitest';
import { Sweep } from '../sweep.ts';

describe('a sweep', () => {
  it('examines every item in turn, round after round, within its budget', () => {
    const sweep = new Sweep<number>();
    for (const item of [1, 2, 3, 4, 5]) sweep.add(item);
    const seen: number[] = [];
    const look = (item: number): boolean => seen.push(item) > 0;
    sweep.run(3, look);
    sweep.run(3, look);
    expect(seen).toEqual([1, 2, 3, 4, 5, 1]);
    sweep.run(99, look);
    expect(seen).toHaveLength(11);
  });

  it('drops finished items, and misses no others', () => {
    const sweep = new Sweep<number>();
    for (const item of [1, 2, 3, 4, 5]) sweep.add(item);
    const seen: number[] = [];
    sweep.run(5, (item) => {
      seen.push(item);
      return item % 2 === 0;
    });
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(sweep.size).toBe(2);
    seen.length = 0;
    sweep.run(5, (item) => seen.push(item) > 0);
    expect(seen.toSorted()).toEqual([2, 4]);
  });
});
