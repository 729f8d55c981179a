import { tokenize } from 'css-tree/tokenizer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { divided, joined, sanitizeSheet, sanitizeSheetInTurns } from '../css.ts';
import { preprocess, tokensOf } from '../css-tokens.ts';
import { OWN_SHEET_UNITS } from '../../../ops.ts';
import { testContext } from './context.ts';

const RULES = Array.from(
  { length: 12_000 },
  (_, at) => `.c${at} > .k${at}:hover { color: red; width: ${at}px }\n`,
).join('');

/** What a brace could stand in without being a token of its own. */
const PIECES = [
  'a{color:red}',
  '/* } */',
  '/* } ',
  '"}"',
  "'}\n",
  '"\\}"',
  'url(})',
  'url( } x)',
  '\\}',
  '}\ufeffurl(x)',
  '}\ufffeb',
  '}}',
  '@x{y{}}',
  'x'.repeat(2000),
  '}'.repeat(3000),
];

it('tokenizes a long text in turns as it would at once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(PIECES.length - 1), { minLength: 20, maxLength: 60 }), (order) => {
      const unit = order.map((at) => PIECES[at]).join('');
      const text = preprocess(`${RULES}${unit.repeat(1 + 300_000 / unit.length)}${RULES}`);
      const types: number[] = [];
      const starts: number[] = [];
      tokenize(text, (type, start) => {
        types.push(type);
        starts.push(start);
      });
      const tokens = tokensOf(text);
      expect(tokens.count).toBe(types.length);
      expect(types.findIndex((type, at) => type !== tokens.types[at] || starts[at] !== tokens.starts[at])).toBe(-1);
    }),
    { numRuns: process.env.VITRINE_LONG ? 500 : 8 },
  );
});

it('divides a long sheet into parts of whole rules, that name their namespaces each', () => {
  const namespace = '@namespace svg "http://www.w3.org/2000/svg";';
  const sheet = sanitizeSheet(`@charset "utf-8";${namespace}${RULES}@media print{${RULES}}b{}`, testContext());
  const parts = divided(sheet, () => '');
  expect(parts.length).toBeGreaterThan(2);
  expect(joined(sheet, () => '')).toBe(
    parts.map((part, at) => (at === 0 ? part : part.slice(namespace.length))).join(''),
  );
  for (const part of parts.slice(1)) {
    expect(part.startsWith(`${namespace}\n.c`) || part.startsWith(`${namespace}\n@media`)).toBe(true);
    expect(part.length).toBeGreaterThan(OWN_SHEET_UNITS);
  }
  expect(divided(sanitizeSheet('a{}b{}', testContext()), () => '')).toEqual(['a{}b{}']);
});

it('declares no namespace in later parts that came after rules and meant nothing', () => {
  const parts = divided(sanitizeSheet(`a{}@namespace svg "x";${RULES}`, testContext()), () => '');
  expect(parts.slice(1).filter((part) => part.includes('@namespace'))).toEqual([]);
});

it('lets others have their turns while a long sheet is sanitized, with the same outcome', async () => {
  const text = RULES.repeat(4);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const sheet = await sanitizeSheetInTurns(text, testContext());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  expect(sheet).toEqual(sanitizeSheet(text, testContext()));
});
