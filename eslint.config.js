import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { houseRules } from './tests/lint/rules.ts';

const SOURCES = ['core/**/*.{ts,tsx}', 'host/**/*.{ts,tsx,mjs}', 'plugins/**/*.{ts,tsx}'];
const TESTS = ['tests/**/*.{ts,tsx}', '**/tests/**/*.{ts,tsx}', 'core/testing/**'];
const DOM = ['window', 'document', 'localStorage', 'sessionStorage', 'HTMLElement', 'Element', 'Node', 'location'];
const NODE = ['process', 'Buffer', '__dirname', '__filename', 'global', 'require'];
const NO_DEFAULT = { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' };
const ON_ABORT = {
  selector: "CallExpression[callee.property.name='addEventListener'][arguments.0.value='abort']",
  message: 'A signal that is aborted already tells nobody: use onAbort of core/protocol/on-abort.ts.',
};
const SHORT_WAIT = {
  selector: 'CallExpression[callee.object.name="vi"][callee.property.name=/^wait(For|Until)$/][arguments.length<2]',
  message: 'It gives up after a second, which a busy machine may take for anything: wait for PATIENCE_MS.',
};
const IN_ONE_PROCESS =
  'Test files share a process: a module that another file has loaded is not replaced. Pass the part in.';
const restricted = (/** @type {string[]} */ names, /** @type {string} */ message) =>
  names.map((name) => ({ name, message }));

export default defineConfig(
  globalIgnores([
    'dist/',
    '.vitrine/',
    'test-results/',
    '**/fixtures/',
    'host/cli/template/',
    'tests/**/corpus/',
    'tests/**/pages/',
  ]),
  tseslint.configs.strictTypeChecked,
  {
    plugins: { house: houseRules },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'house/walls': 'error',
      'house/file-name': 'error',
      'house/function-lines': 'error',
      'house/class-fields': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'typeLike', format: ['PascalCase'], custom: { regex: '^I[A-Z][a-z]|Manager$', match: false } },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      // Factories return objects of closures: what looks like a method has no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Old browser interfaces are part of what is mirrored.
      '@typescript-eslint/no-deprecated': 'off',
      // An asynchronous contract may have an implementation that has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // A type parameter may stand for what the caller knows.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
  {
    files: SOURCES,
    ignores: [...TESTS, '**/*.d.ts'],
    rules: { 'house/public-comment': 'error' },
  },
  {
    // A component that React loads lazily is the default export of its file.
    files: SOURCES,
    ignores: [...TESTS, '**/*.d.ts', '**/*.tsx'],
    rules: {
      'no-restricted-syntax': ['error', NO_DEFAULT],
    },
  },
  {
    files: ['host/**/*.ts', 'plugins/*/host/**/*.ts', 'core/protocol/**/*.ts'],
    ignores: [...TESTS, '**/*.d.ts', 'core/protocol/on-abort.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_DEFAULT, ON_ABORT] },
  },
  {
    files: TESTS,
    rules: {
      'no-restricted-syntax': ['error', SHORT_WAIT],
      'no-restricted-properties': [
        'error',
        ...['mock', 'doMock'].map((property) => ({ object: 'vi', property, message: IN_ONE_PROCESS })),
      ],
    },
  },
  {
    files: ['host/**', 'plugins/*/host/**'],
    ignores: TESTS,
    rules: { 'no-restricted-globals': ['error', ...restricted(DOM, 'The host has no DOM.')] },
  },
  {
    files: ['host/**', 'plugins/*/host/**'],
    ignores: [...TESTS, 'host/base/start-thread.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:worker_threads',
              importNames: ['Worker'],
              message: 'Use host/base/start-thread.ts',
              allowTypeImports: true,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['core/**', 'plugins/*/client/**', 'plugins/*/page/**'],
    ignores: TESTS,
    rules: { 'no-restricted-globals': ['error', ...restricted(NODE, 'A browser has no Node.')] },
  },
  {
    files: ['core/protocol/**', 'core/contracts/**', 'core/hooks/**', 'plugins/*/*.ts', 'plugins/*/shared/**'],
    ignores: TESTS,
    rules: {
      'no-restricted-globals': [
        'error',
        ...restricted([...DOM, ...NODE], 'Isomorphic modules know neither DOM nor Node.'),
      ],
    },
  },
  {
    files: [...TESTS, '*.ts', '*.js', '**/*.mjs'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
