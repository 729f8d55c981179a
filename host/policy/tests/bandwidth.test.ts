import { expect, it } from 'vitest';
import { bandwidthAction } from '../bandwidth.ts';

it('[S-070] the action for traffic is that of the severest threshold that it has reached, whatever the order of their values', () => {
  const rising = { warn_megabytes: 1, exceed_megabytes: 2, block_megabytes: 3 };
  const at = (bytes: number, thresholds = rising): string => bandwidthAction(bytes, thresholds);
  const sizes = [0, 999_999, 1_000_000, 1_999_999, 2_000_000, 2_999_999, 3_000_000, 9_000_000];
  expect(sizes.map((bytes) => at(bytes))).toEqual([
    ...['allow', 'allow', 'warn', 'warn', 'exceed', 'exceed', 'block', 'block'],
  ]);
  expect(at(1_000_000, { warn_megabytes: 1, exceed_megabytes: 1, block_megabytes: 1 })).toBe('block');
  expect(at(5_000_000, { warn_megabytes: 3, exceed_megabytes: 2, block_megabytes: 9 })).toBe('exceed');
});
