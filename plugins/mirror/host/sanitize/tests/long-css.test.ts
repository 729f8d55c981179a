import { tokenize } from 'css-tree/tokenizer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { divided, joined, sanitizeSheet, sanitizingSheet } from '../css.ts';
import { preprocess, tokenizing, tokensOf } from '../css-tokens.ts';
import { OWN_SHEET_UNITS } from '../../../ops.ts';
import { testContext } from './context.ts';

const RULES = Array.from(
  { length: 12_000 },
  (_, at) => `.c${at} > .k${at}:hover { color: red; width: ${at}px }\n`,
).join('');

/** Texts in which a brace may occur without being a token. */
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
  'url(   ',
  "url( 'x' )",
  '<!-- -->',
  '1e+5px.5-.5',
  '--x:',
  '\\',
  '\\\n',
];

/** Compares the tokens of a text tokenized in slices with those of the whole. */
function expectTokensOfWhole(source: string): void {
  const text = preprocess(source);
  const tokens = tokensOf(text);
  const types: number[] = [];
  const starts: number[] = [];
  tokenize(text, (type, start) => {
    types.push(type);
    starts.push(start);
  });
  expect(tokens.count).toBe(types.length);
  expect(types.findIndex((type, at) => type !== tokens.types[at] || starts[at] !== tokens.starts[at])).toBe(-1);
}

it('tokenizes a long text in slices as it would at once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(PIECES.length - 1), { minLength: 20, maxLength: 60 }), (order) => {
      const unit = order.map((at) => PIECES[at]).join('');
      expectTokensOfWhole(`${RULES}${unit.repeat(1 + 300_000 / unit.length)}${RULES}`);
    }),
    { numRuns: process.env.VITRINE_LONG ? 500 : 8 },
  );
});

it('tokenizes texts that a slice may end in as it would at once', () => {
  fc.assert(
    fc.property(fc.nat(PIECES.length - 1), fc.nat(64), (at, offset) => {
      const piece = PIECES[at] ?? '';
      expectTokensOfWhole(`${' '.repeat(128 * 1024 - 64 + offset - piece.length)}${piece.repeat(8)} a{b:c}`);
    }),
    { numRuns: process.env.VITRINE_LONG ? 5000 : 200 },
  );
});

it('divides a long sheet into parts of whole rules, each with its namespaces', () => {
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

it('declares no namespace in later parts that came after rules and had no effect', () => {
  const parts = divided(sanitizeSheet(`a{}@namespace svg "x";${RULES}`, testContext()), () => '');
  expect(parts.slice(1).filter((part) => part.includes('@namespace'))).toEqual([]);
});

it('sanitizes a long sheet in slices, with the same result', () => {
  const text = RULES.repeat(4);
  const turns = sanitizingSheet(text, testContext());
  let [count, turn] = [1, turns.next()];
  for (; !turn.done; turn = turns.next()) count++;
  expect(count).toBeGreaterThan(1);
  expect(turn.value).toEqual(sanitizeSheet(text, testContext()));
});

it.each([
  ['one block', `@media screen{${RULES.repeat(3)}}`],
  ['no block', '.a, .b > c '.repeat(100_000)],
  ['one rule', `a{${'color: red;'.repeat(100_000)}}`],
])('tokenizes a long sheet of %s in slices as well', (_, text) => {
  const turns = tokenizing(preprocess(text));
  let count = 1;
  while (!turns.next().done) count++;
  expect(count).toBeGreaterThan(8);
});
