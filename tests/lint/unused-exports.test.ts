import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXPORTED_BY_NAME, EXPORTED_FOR_TESTS } from './exceptions.ts';
import { isKept, unusedExports, unusedIn } from './unused-exports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const found = unusedIn(root);

describe('the exports of this repository', () => {
  it('are used by another file, and those of the product by the product', () => {
    const unused = found.filter(({ key }) => !isKept(key)).map(({ key, by }) => `${key}: used by ${by}`);
    expect(unused, '`node tests/lint/unused-exports.ts --fix` mends those that nothing uses').toEqual([]);
  });

  it('are listed as used by tests, or as loaded by name, only where that is true', () => {
    const keys = found.map(({ key }) => key);
    const listed = Object.values(EXPORTED_FOR_TESTS).flat();
    expect(listed.filter((key) => !keys.includes(key))).toEqual([]);
    const isMet = (pattern: string): boolean => keys.some((key) => path.posix.matchesGlob(key, pattern));
    expect(Object.keys(EXPORTED_BY_NAME).filter((pattern) => !isMet(pattern))).toEqual([]);
  });
});

/** The unused exports of a program whose command is `host/main.ts`, as `file name by`. */
function unused(sources: Readonly<Record<string, string>>): string[] {
  const entries = new Map([
    ['vitrine/core', 'core/index.ts'],
    ['vitrine/protocol/*', 'core/protocol/*.ts'],
  ]);
  const program = new Map(Object.entries({ 'host/main.ts': '', ...sources }));
  return unusedExports(program, entries, ['host/main.ts']).map(({ key, by }) => `${key} ${by}`);
}

const used = (text: string, more: Readonly<Record<string, string>> = {}): string[] =>
  unused({ 'host/main.ts': text, 'host/a.ts': 'export const a = 1; export const b = a;', ...more });

describe('the search for unused exports', () => {
  it.each([
    "import { a, b } from './a.ts';",
    "import * as all from './a.ts'; all.a; all.b;",
    "import * as all from './a.ts'; take(all);",
    "export { a as x, b } from './a.ts';",
    "const { a, b } = await import('./a.ts');",
    "import('./a.ts').then(({ a, b }) => a + b);",
    "const all = await import('./a.ts');",
    "type X = [import('./a.ts').a, import('./a.ts').b];",
  ])('finds the uses in %s', (text) => {
    expect(used(text).filter((key) => !key.startsWith('host/main.ts'))).toEqual([]);
  });

  it.each([
    "import { a } from './a.ts';",
    "import * as all from './a.ts'; all.a;",
    "const { a } = await import('./a.ts');",
    "import('./a.ts').then(({ a }) => a);",
    "export const a = (await import('./a.ts')).a; // not b",
  ])('finds exports that are unused because of %s', (text) => {
    expect(used(text)).toContain('host/a.ts b nothing');
  });

  it('ignores a file that only re-exports', () => {
    const on = { 'host/on.ts': "export * from './a.ts';" };
    expect(used("import { a } from './on.ts';", on)).toEqual(['host/a.ts b nothing']);
  });

  it('distinguishes exports and files that only tests use', () => {
    const test = { 'host/tests/a.test.ts': "import { b } from '../a.ts';" };
    expect(used("import { a } from './a.ts';", test)).toEqual(['host/a.ts b tests']);
    expect(used('', test)).toEqual(['host/a.ts tests']);
  });

  it('counts a file that is named as the entry of a thread as loaded, and what it exports as unused', () => {
    expect(used("new Worker(path.join(here, 'a.ts'));")).toEqual(['host/a.ts a nothing', 'host/a.ts b nothing']);
  });

  it('counts imports of third parties by the package’s names', () => {
    const core = { 'core/index.ts': 'export const x = 1;', 'core/protocol/m.ts': 'export const m = 1;' };
    const example = { 'tests/fixtures/p/client/index.ts': "import { m } from 'vitrine/protocol/m';" };
    expect(unused({ ...core, ...example })).toEqual([]);
    expect(unused(core)).toEqual(['core/protocol/m.ts tests']);
  });

  it('counts the registry’s uses of a plugin: entries, and the messages of its protocol', () => {
    const plugin = {
      'plugins/p/manifest.ts': "import * as protocol from './protocol.ts'; export const manifest = { protocol };",
      'plugins/p/protocol.ts': "export const asked = message('p.asked', {}); export const LIMIT = 1;",
      'plugins/p/host/index.ts': 'export const activate = 1; export const other = 2;',
    };
    expect(unused(plugin)).toEqual(['plugins/p/protocol.ts LIMIT nothing', 'plugins/p/host/index.ts other nothing']);
  });
});
