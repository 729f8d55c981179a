/**
 * Pieces that fonts are cut into, by script. The pieces that a page uses reveal its scripts but not its text, and they
 * are the same for every page, so they can be cached. Characters that are written together are in one piece: marks and
 * kerning do not work across pieces.
 */

/** A piece: its name and its characters, as sorted ranges. */
interface Piece {
  readonly name: string;
  readonly ranges: readonly (readonly [number, number])[];
}

/** Pieces of many blocks, with the first and last characters of those. All other characters are in {@link OTHERS}. */
const GATHERED: readonly Piece[] = [
  // Latin, Greek, Cyrillic, Armenian, phonetic letters, punctuation, currency, letter-like signs, their ligatures.
  piece('letters', '0-58F 1C80-1C8F 1D00-214F 2C60-2C7F 2DE0-2E7F A640-A69F A700-A7FF AB30-AB6F FB00-FB17 FFF0-FFFF'),
  piece('symbols', '2150-2BFF 4DC0-4DFF F000-F0FF FE00-FE0F 1F000-1FAFF E0020-E007F'),
  piece('kana', '3000-30FF 31F0-31FF FF00-FFEF'),
];
const OTHERS = 'others';

/** Large scripts, of which a page uses hundreds of characters, divided into pieces of the given size. */
const DIVIDED: readonly (readonly [first: number, last: number])[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0x20000, 0x323ff],
];
const DIVISION = 0x400;
const LAST = 0x10ffff;

/** All ranges that are not divided, by first character. */
const RANGES = GATHERED.flatMap(({ name, ranges }) => ranges.map(([first, last]) => ({ name, first, last }))).sort(
  (a, b) => a.first - b.first,
);

/** Returns the piece of a character, and the last character of the range for which that holds. */
export function pieceOf(code: number): { readonly name: string; readonly end: number } {
  const divided = DIVIDED.find(([first, last]) => code >= first && code <= last);
  if (divided) {
    const first = code - (code % DIVISION);
    return { name: first.toString(16), end: Math.min(first + DIVISION - 1, divided[1]) };
  }
  const range = RANGES.find(({ last }) => code <= last);
  if (range && code >= range.first) return { name: range.name, end: range.last };
  const next = DIVIDED.find(([first]) => first > code)?.[0] ?? LAST + 1;
  return { name: OTHERS, end: Math.min(next, range?.first ?? LAST + 1) - 1 };
}

/** Returns the ranges of a piece. */
export function rangesOf(name: string): Piece['ranges'] {
  const script = GATHERED.find((each) => each.name === name);
  if (script) return script.ranges;
  const ranges: [number, number][] = [];
  const from = name === OTHERS ? 0 : Number.parseInt(name, 16);
  const to = name === OTHERS ? LAST : from + DIVISION - 1;
  for (let code = from; code <= to;) {
    const found = pieceOf(code);
    if (found.name === name) ranges.push([code, found.end]);
    code = found.end + 1;
  }
  return ranges;
}

/** Returns the ranges of a piece as a `unicode-range`. */
export function unicodeRange(name: string): string {
  const hex = (code: number): string => code.toString(16);
  return rangesOf(name)
    .map(([first, last]) => `U+${hex(first)}-${hex(last)}`)
    .join(',');
}

function piece(name: string, ranges: string): Piece {
  return {
    name,
    ranges: ranges.split(' ').map((range) => {
      const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
      return [first, last];
    }),
  };
}
