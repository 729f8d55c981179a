import { expect, it } from 'vitest';
import { duration, fileSize } from '../amounts.ts';

it('[M-104] sizes have a unit of base 1024 and one decimal', () => {
  const sizes = [0, 1023, 1024, 1536, 1048524, 1048525, 1048576, 1.5 * 1024 ** 3, 5000 * 1024 ** 3];
  expect(sizes.map((size) => fileSize(size, 'en'))).toEqual([
    '0 B',
    '1,023 B',
    '1.0 KB',
    '1.5 KB',
    '1,023.9 KB',
    '1.0 MB', // never 1,024.0 KB
    '1.0 MB',
    '1.5 GB',
    '5,000.0 GB',
  ]);
  expect(fileSize(1536, 'de')).toBe('1,5 KB');
});

it('times have their largest unit, and are rounded up', () => {
  const times = [0.2, 59.1, 60, 61, 3600, 3601, 100 * 3600];
  expect(times.map((time) => duration(time, 'en'))).toEqual([
    '1 sec',
    '60 sec',
    '60 sec',
    '2 min',
    '60 min',
    '2 hr',
    '100 hr',
  ]);
  expect(duration(90, 'de')).toBe('2 Min.');
});
