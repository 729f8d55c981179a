import { expect, it } from 'vitest';
import { growthBetween } from '../../../core/testing/growth.ts';
import { browserOf } from '../browser.ts';

it('reads the browser and its version from a user agent', () => {
  const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';
  const chrome = 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  expect(browserOf(safari)).toEqual({ name: 'safari', version: 17, mobile: false });
  expect(browserOf(chrome)).toEqual({ name: 'chrome', version: 156, mobile: false });
  expect(browserOf(`${chrome} Edg/155.0`)).toEqual({ name: 'edge', version: 155, mobile: false });
  expect(browserOf('Mozilla/5.0 (Android; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0')).toEqual({
    name: 'firefox',
    version: 130,
    mobile: true,
  });
  for (const other of ['', 'curl/8', 'Safari/1 Version/2', 'Opera Version/12.16'])
    expect(browserOf(other).name).toBe('other');
});

it.each(['1', 'Version/1', '1.', ' Version/', 'Chrome/', 'Edg'])(
  '[H1] takes linear time for a user agent that repeats %j, and longer ones cost no more',
  (unit) => {
    const input = (units: number): string => `Version/1${unit.repeat(units / unit.length)}`;
    const run = (text: string): void => {
      for (let again = 0; again < 3000; again++) browserOf(text);
    };
    expect(growthBetween({ input, run }, 8, [450, 1800])).toBeLessThan(8);
    expect(growthBetween({ input, run }, 4, [4000, 16_000])).toBeLessThan(4);
  },
);
