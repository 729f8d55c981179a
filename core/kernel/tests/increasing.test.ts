import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestIncreasing } from '../increasing.ts';

/** Reference implementation: tries all subsequences. */
function longest(values: readonly number[], from = 0, above = -Infinity): number {
  let best = 0;
  for (let i = from; i < values.length; i++)
    if (values[i]! > above) best = Math.max(best, 1 + longest(values, i + 1, values[i]));
  return best;
}

describe('the longest increasing subsequence', () => {
  it('is increasing, and of maximum length', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30), { maxLength: 9 }), (values) => {
        const indices = longestIncreasing(values);
        const picked = indices.map((index) => values[index]!);
        expect(indices).toEqual([...indices].sort((a, b) => a - b));
        expect(picked).toEqual([...picked].sort((a, b) => a - b));
        expect(picked).toHaveLength(longest(values));
      }),
      { seed: 1 },
    );
  });

  it('of an empty list is empty', () => {
    expect(longestIncreasing([])).toEqual([]);
  });
});
