import { expect, it } from 'vitest';
import { pieceOf, rangesOf, unicodeRange } from '../pieces.ts';

it('divides all characters into pieces, each into one', () => {
  const seen = new Map<string, [number, number][]>();
  for (let code = 0; code <= 0x10ffff;) {
    const { name, end } = pieceOf(code);
    expect(end).toBeGreaterThanOrEqual(code);
    seen.set(name, [...(seen.get(name) ?? []), [code, end]]);
    code = end + 1;
  }
  for (const [name, ranges] of seen) {
    const flat = (all: readonly (readonly [number, number])[]): string => {
      const merged: [number, number][] = [];
      for (const [first, last] of [...all].sort((a, b) => a[0] - b[0])) {
        const before = merged.at(-1);
        if (before && before[1] + 1 === first) before[1] = last;
        else merged.push([first, last]);
      }
      return String(merged);
    };
    expect(flat(rangesOf(name)), name).toBe(flat(ranges));
  }
});

it('keeps characters that are written together in one piece', () => {
  const pieces = ['a', ' ', 'é', 'ж', 'λ', '\u0301', '—', '€'].map((char) => pieceOf(char.codePointAt(0) ?? 0).name);
  expect(new Set(pieces)).toEqual(new Set(['letters']));
  expect(pieceOf(0x6f22).name).toBe('6c00');
  expect(unicodeRange('6c00')).toBe('U+6c00-6fff');
});
