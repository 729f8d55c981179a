import { expect, it } from 'vitest';
import { UsualScale } from '../usual-scale.ts';

const usualAfter = (...scales: readonly number[]): number => {
  const made = new UsualScale();
  for (const scale of scales) made.learn(scale);
  return made.usual;
};

it('[S-042] the usual scale is the most frequent one of the last people, or the last of those', () => {
  expect(usualAfter()).toBe(1);
  expect(usualAfter(2)).toBe(2);
  expect(usualAfter(2, 1, 1.25, 1)).toBe(1);
  expect(usualAfter(1, 2, 1, 2)).toBe(2);
  expect(usualAfter(...Array<number>(100).fill(1), ...Array<number>(17).fill(2))).toBe(2);
});

it('scales of zoomed browsers, and of clients that make them up, count for nobody', () => {
  expect(usualAfter(2, 1.1, 1.1, 1.100000023841858, 1.37, Number.NaN)).toBe(2);
});
