import { describe, expect, it } from 'vitest';
import { joined, sanitizeFamilies, sanitizeFragment, sanitizeSheet } from '../css.ts';
import { escaped, preprocess, quote, stringOf, tokensOf, unescape, urlOf } from '../css-tokens.ts';
import { testContext } from './context.ts';
import { growth } from './growth.ts';

/** Four times as much may take so many times as long, at most: 4 is expected, 16 is what a loop in a loop takes. */
const MOST = 8;

const context = testContext();

/** A text of about so many units that repeats a piece. */
const repeated =
  (piece: string, start = '', end = '') =>
  (units: number): string =>
    start + piece.repeat(Math.ceil(units / piece.length)) + end;

const sheet = (text: string): string => joined(sanitizeSheet(text, context), () => '');

/** Texts that a pattern, or a loop that looks ahead or back, may read again and again. */
const CSS: Readonly<Record<string, (units: number) => string>> = {
  'backslashes before the end': repeated('\\', '', 'a\\'),
  'escaped backslashes in a string': repeated('\\\\', '"', 'a\\'),
  'open parentheses': repeated('(', 'a{b:'),
  'open functions': repeated('url('),
  'open functions that may hold addresses': repeated('image-set('),
  'open selectors': repeated(':is('),
  'open brackets': repeated('[href '),
  'open braces': repeated('a{'),
  'closing braces': repeated('}a '),
  'closing parentheses': repeated('a{b:)'),
  'open comments': repeated('/*'),
  comments: repeated('/**/'),
  'comments between names': repeated('a/**/ '),
  'comments in attr()': repeated('/**/href ', 'a{b:attr('),
  'attribute selectors': repeated('[type /**/ = /**/ "text" i]'),
  'white space in an attribute selector': repeated(' ', '[href=x i', 'x]{}'),
  'flags in an attribute selector': repeated(' i', '[href=', ' x]{}'),
  declarations: repeated('b:c;', 'a{'),
  'declarations without an end': repeated('b:c(;', 'a{'),
  'families in one declaration': repeated('serif,', 'a{font-family:', '}'),
  'words of one family': repeated('serif ', 'a{font-family:', '}'),
  'font declarations': repeated('font:(serif ', 'a{'),
  'at-rules': repeated('@import '),
  'imports with layers': repeated('@import "x" layer(', '', ';'),
  namespaces: repeated('@namespace a "x";'),
  'unfinished namespaces': repeated('@namespace '),
  'layers without an end': repeated('@layer ( '),
  'media features': repeated('(scripting /**/ '),
  'strings without an end': repeated('"\n'),
  'addresses without an end': repeated('url( x '),
  'addresses with spaces': repeated(' ', 'a{b:url(', 'x y)}'),
  'byte order marks': repeated('}\ufeff'),
  'only byte order marks': repeated('\ufeff'),
  carriage: repeated('\r\n\0'),
  'nested rules': (units) => `${'a{'.repeat(100)}${'&,'.repeat(units / 2)}${'}'.repeat(100)}`,
  hyphens: repeated('-'),
  'numbers and signs': repeated('1e+'),
};

describe('CSS takes as long as it is long', () => {
  it.each(Object.entries(CSS))('as a sheet: %s', (_, input) => {
    expect(growth({ input, run: sheet }, MOST)).toBeLessThan(MOST);
  });

  it.each(Object.entries(CSS))('as a value: %s', (_, input) => {
    const run = (text: string): unknown => [sanitizeFragment(text, context), sanitizeFamilies(text, context)];
    expect(growth({ input, run }, MOST)).toBeLessThan(MOST);
  });

  it.each(Object.entries(CSS))('as tokens: %s', (_, input) => {
    const run = (text: string): unknown => [
      tokensOf(preprocess(text)),
      unescape(text),
      stringOf(text),
      urlOf(`url(${text}`),
      escaped(text),
      quote(text),
    ];
    expect(growth({ input, run }, MOST)).toBeLessThan(MOST);
  });
});
