import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { LONG_FUNCTIONS, WIDE_CLASSES } from './exceptions.ts';
import { SLOW_FILES } from '../slow-files.ts';
import { strictSizeRules } from './size-rules.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The names, as `file name`, that violate a rule in a text, without exceptions. */
function offenders(rule: keyof typeof strictSizeRules, file: string, text: string): string[] {
  const linter = new Linter({ cwd: root });
  const config = {
    files: ['**/*.{ts,tsx}'],
    plugins: { house: { rules: strictSizeRules } },
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' as const },
    rules: { [`house/${rule}`]: 'error' as const },
  };
  return linter
    .verify(text, [config], { filename: path.join(root, file), allowInlineConfig: false })
    .map(({ message }) => /^"([^"]+)"/.exec(message)?.[1] ?? message);
}

it.each([
  ['function-lines', LONG_FUNCTIONS],
  ['class-fields', WIDE_CLASSES],
] as const)(
  'has exceptions from house/%s for what violates it only: else remove them from the list',
  (rule, exceptions) => {
    const needed = Object.keys(exceptions).filter((key) => {
      const [file = ''] = key.split(' ');
      const whole = path.join(root, file);
      return existsSync(whole) && offenders(rule, file, readFileSync(whole, 'utf8')).includes(key);
    });
    expect(needed).toEqual(Object.keys(exceptions));
  },
);

describe('house/function-lines', () => {
  const body = (lines: number): string => `{${'\n'.repeat(lines - 1)}}`;

  it.each([
    [`function f() ${body(81)}`, 'f'],
    [`const f = () => ${body(81)};`, 'f'],
    [`class A { m() ${body(81)} }`, 'A.m'],
    [`class A { constructor() ${body(81)} }`, 'A.constructor'],
    [`class A { #m = () => ${body(81)}; }`, 'A.#m'],
    [`const o = { m() ${body(81)} };`, 'm'],
    [`page.evaluate(() => ${body(81)});`, 'evaluate()'],
    [`describe('x', () => { it('y', () => ${body(81)}); });`, 'it()'],
    [`function f() {\n${'// comment\n'.repeat(80)}}`, 'f'],
  ])('finds %j', (text, name) => {
    expect(offenders('function-lines', 'core/x.ts', text)).toEqual([`core/x.ts ${name}`]);
  });

  it.each([
    `function f() ${body(80)}`,
    `describe('x', () => ${body(81)});`,
    `describe.each([1])('x', () => ${body(81)});`,
  ])('accepts %j', (text) => {
    expect(offenders('function-lines', 'core/x.ts', text)).toEqual([]);
  });
});

describe('house/class-fields', () => {
  const fields = (count: number): string => Array.from({ length: count }, (_, index) => `#f${index} = 0;`).join(' ');

  it('finds a class of sixteen fields, public or private', () => {
    expect(offenders('class-fields', 'core/x.ts', `class A { a: string; ${fields(15)} }`)).toEqual(['core/x.ts A']);
  });

  it.each([`class A { ${fields(15)} m() {} get g() { return 1; } }`, `class A { static s = 1; ${fields(15)} }`])(
    'accepts %j',
    (text) => {
      expect(offenders('class-fields', 'core/x.ts', text)).toEqual([]);
    },
  );
});

it('lists slow test files that exist, in the order of their names', () => {
  expect(SLOW_FILES.filter((file) => existsSync(path.join(root, file)))).toEqual([...new Set(SLOW_FILES)].sort());
});
