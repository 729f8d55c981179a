import { expect, it } from 'vitest';
import { SheetTexts } from '../sheet-texts.ts';

const MAX_UNITS = 16 * 1024 * 1024;

/** Loads sheets with the given text, and returns the size of the cache after each. */
async function cached(text: string, count: number, base: string): Promise<number[]> {
  const sheets = new SheetTexts({
    load: () => Promise.resolve(text),
    resource: () => '/c/i/token',
    keepsInline: () => true,
    kin: () => 'a',
  });
  const sizes: number[] = [];
  for (let at = 0; at < count; at++) {
    const job = { op: 0, address: `${base}${at}.css`, still: false };
    await sheets.text(1, job, new AbortController().signal);
    sizes.push(sheets.cachedUnits);
  }
  return sizes;
}

it('[L12] the addresses that sheets name count in their cache: resolved, they are longer than in the text', async () => {
  const base = `https://site.test/${'x'.repeat(8000)}/`;
  const text = Array.from({ length: 100 }, (_, at) => `a${at}{background:url(${at})}`).join('');
  const sizes = await cached(text, 30, base);
  expect(sizes[0]).toBeGreaterThan(100 * 8000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_UNITS);
  expect(sizes.at(-1)).toBe(sizes.at(-2)); // the oldest make room
});

it('[H4] a sheet with too many long addresses is not kept', async () => {
  const base = `https://site.test/${'x'.repeat(8000)}/`;
  const text = Array.from({ length: 1000 }, (_, at) => `a${at}{background:url(${at})}`).join('');
  expect(await cached(text, 2, base)).toEqual([0, 0]);
});

it('[L12] empty sheets count, too', async () => {
  const [first = 0, second] = await cached('', 2, 'https://site.test/');
  expect(first).toBeGreaterThan(0);
  expect(second).toBe(first * 2);
});
