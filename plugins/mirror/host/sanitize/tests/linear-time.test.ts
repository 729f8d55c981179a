import { describe, expect, it } from 'vitest';
import { safePicture, safeValue } from '../attributes.ts';
import { joined, sanitizeFamilies, sanitizeFragment, sanitizeSheet } from '../css.ts';
import { escaped, preprocess, quote, stringOf, tokensOf, unescape, urlOf } from '../css-tokens.ts';
import { elementOf, IMAGE, ruleOf } from '../element-classes.ts';
import { Originals } from '../originals.ts';
import type { Rule } from '../policy.ts';
import { sanitizeSvg } from '../svg-file.ts';
import { testContext } from './context.ts';
import { growth } from '../../../../../core/testing/growth.ts';

/** Maximum ratio of the times for a fourfold input: linear time gives 4, quadratic time 16; half-way, by factors. */
const MOST = 8;

const context = testContext();

/** Returns a text of about the given length that repeats a piece. */
const repeated =
  (piece: string, start = '', end = '') =>
  (units: number): string =>
    start + piece.repeat(Math.ceil(units / piece.length)) + end;

const sheet = (text: string): string => joined(sanitizeSheet(text, context), () => '');

/** Texts for which a pattern, or a loop with lookahead or lookbehind, may take quadratic time. */
const CSS: Readonly<Record<string, (units: number) => string>> = {
  'backslashes before the end': repeated('\\', '', 'a\\'),
  'escaped backslashes in a string': repeated('\\\\', '"', 'a\\'),
  'open parentheses': repeated('(', 'a{b:'),
  'open functions': repeated('url('),
  'open functions that may hold addresses': repeated('image-set('),
  'open image sets of substitutions': repeated('image-set(var(--a) 1x,'),
  'substitutions in an open image set': repeated('var(--a) 1x,', 'a{b:image-set('),
  'open selectors': repeated(':is('),
  'open brackets': repeated('[href '),
  'open braces': repeated('a{'),
  'closing braces': repeated('}a '),
  'closing parentheses': repeated('a{b:)'),
  'open comments': repeated('/*'),
  comments: repeated('/**/'),
  'comments between names': repeated('a/**/ '),
  'names that comments divide': repeated('u/**/', 'a{--b:', 'rl("x")}'),
  'functions whose names comments divide': repeated('u/**/rl('),
  'names with many comments behind them': repeated('/**/', 'a{--b:url', '("x")}'),
  'comments in attr()': repeated('/**/href ', 'a{b:attr('),
  'attribute selectors': repeated('[type /**/ = /**/ "text" i]'),
  'attribute selectors with other operators': repeated('[type /**/ ^= /**/ "text" i]'),
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

describe('CSS is sanitized in linear time', () => {
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

/** Addresses and other values of attributes. */
const VALUES: Readonly<Record<string, (units: number) => string>> = {
  'white space': repeated(' '),
  'white space before a scheme': repeated(' ', '', 'javascript:'),
  'white space around': repeated(' ', 'x', 'x'),
  'a fragment': repeated('#'),
  'parent folders': repeated('/a/..', 'https://site.test'),
  'names of persons': repeated('@', 'https://'),
  'other letters': repeated('é', 'https://site.test/'),
  backslashes: repeated('\\'),
  'line breaks': repeated('\n', 'https://site.test/', 'x'),
  'parameters of a data address': repeated(';a=b', 'data:image/png'),
  'parameters without an end': repeated(';a=b', 'data:image/png', '\n,'),
  'a data address': repeated('%"(', 'data:image/svg+xml,'),
  'a long type': repeated('a', 'data:image/'),
  densities: repeated(' 1x'),
  'density digits': repeated('1', 'a '),
  hyphens: repeated('a-'),
  dots: repeated('.', 'a-', ' '),
  'script names': repeated('script '),
  'a token': repeated('a', '/c/i/a.'),
  'open parentheses': repeated('('),
};

const RULES: readonly Rule[] = [
  'image',
  'later',
  'image-or-fragment',
  'fragment',
  'use',
  'link',
  'style',
  'media',
  'css',
  'families',
  'input-type',
  'bullets',
  'type-marker',
  'is',
  'name',
  'target',
  'meta-name',
  'meta-content',
  'command',
  'animated',
];

describe('attributes are sanitized in linear time', () => {
  it.each(Object.entries(VALUES))('%s', (_, input) => {
    const originals = new Originals();
    const run = (text: string): unknown => [
      ...RULES.map((rule) => safeValue(rule, text, context)),
      safePicture(text, context),
      originals.text(2, 'src', text),
      elementOf(0, text),
      elementOf(3, text),
      ruleOf(IMAGE, text),
    ];
    expect(growth({ input, run }, MOST)).toBeLessThan(MOST);
  });
});

it.each(['-', 'a-', '-.'])('a name of a custom element is checked however often it repeats %s', (unit) => {
  const long = `a-${unit.repeat(8_000_000)}`;
  expect(safeValue('is', long, context)).toBe(long);
  expect(safeValue('is', `${long}!`, context)).toBeUndefined();
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"';

/** Files, most of them not well-formed. */
const FILES: Readonly<Record<string, (units: number) => string>> = {
  elements: repeated('<g/>', `${SVG}>`, '</svg>'),
  'elements with namespaces': repeated('<g xmlns:a="x"/>', `${SVG}>`, '</svg>'),
  'namespaces, and elements': (units) =>
    `${SVG} ${Array.from({ length: units / 40 }, (_, at) => `xmlns:a${at}=""`).join(' ')}>${'<g/>'.repeat(units / 8)}</svg>`,
  attributes: repeated(' a="b"', SVG, '/>'),
  'attributes without an end': repeated(' a="b"', SVG, ' <'),
  'white space in a tag': repeated(' ', SVG, '<'),
  'white space before equals': repeated(' ', `${SVG} a`, '<'),
  'open comments': repeated('<!--'),
  comments: repeated('<!-- -->', '', `${SVG}/>`),
  'open instructions': repeated('<?'),
  'a document type': repeated('[ ] ', '<!DOCTYPE '),
  'a document type with white space': repeated(' ', '<!DOCTYPE [ ]', '<'),
  'open sections': repeated('<![CDATA['),
  sections: repeated('<![CDATA[x]]>', `${SVG}>`, '</svg>'),
  entities: repeated('&a', `${SVG}>`, '</svg>'),
  'long names': repeated('a', '<'),
  'closing tags': repeated('</a ', `${SVG}>`),
};

describe('SVG files are sanitized in linear time', () => {
  it.each(Object.entries(FILES))('%s', (_, input) => {
    expect(growth({ input, run: (text) => sanitizeSvg(text, context) }, MOST)).toBeLessThan(MOST);
  });
});
