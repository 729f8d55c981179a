import path from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { houseRules } from './rules.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Lints a text as a file of the checkout; returns the messages of one rule. */
function lint(rule: keyof typeof houseRules.rules, file: string, text: string): string[] {
  const linter = new Linter({ cwd: root });
  const messages = linter.verify(
    text,
    [
      {
        files: ['**/*.{ts,tsx,mjs}'],
        plugins: { house: houseRules },
        languageOptions: { parser: tseslint.parser },
        rules: { [`house/${rule}`]: 'error' },
      },
    ],
    path.join(root, file),
  );
  return messages.map((message) => message.message);
}

describe('house/walls', () => {
  it.each([
    "import { x } from '../../print/protocol.ts';",
    "import type { X } from '../../print/protocol.ts';",
    "export { x } from '../../print/protocol.ts';",
    "export * from '../../print/protocol.ts';",
    "const x = import('../../print/protocol.ts');",
    "type X = import('../../print/protocol.ts').X;",
  ])('finds the import in %s', (text) => {
    expect(lint('walls', 'plugins/find/client/index.ts', text)).toEqual([
      'Plugin find never imports plugin print: share through a service token.',
    ]);
  });

  it('accepts an allowed import', () => {
    expect(lint('walls', 'plugins/find/client/index.ts', "import { x } from '../../../core/index.ts';")).toEqual([]);
  });
});

describe('house/public-comment', () => {
  it.each([
    'export function f() {}',
    'export class C {}',
    'export const f = () => 1;',
    '// not a contract\nexport function f() {}',
  ])('requires a comment on %s', (text) => {
    expect(lint('public-comment', 'core/x.ts', text)).toHaveLength(1);
  });

  it.each([
    '/** Does it. */\nexport function f() {}',
    '/** Does it. */\nexport function f(a: string): void;\nexport function f(a: number): void;\nexport function f() {}',
    'export const SIZE = 3;',
    'export function activate() {}',
    'function f() {}',
  ])('accepts %s', (text) => {
    expect(lint('public-comment', 'core/x.ts', text)).toEqual([]);
  });
});

describe('house/file-name', () => {
  it.each(['core/utils.ts', 'core/helpers/x.ts', 'core/fooBar.ts', 'core/Foo.ts'])('refuses %s', (file) => {
    expect(lint('file-name', file, '')).toHaveLength(1);
  });
  it.each(['core/foo-bar.ts', 'core/tests/foo-bar.test.ts', 'host/setup.mjs', 'vitest.config.ts'])(
    'accepts %s',
    (file) => {
      expect(lint('file-name', file, '')).toEqual([]);
    },
  );
});
