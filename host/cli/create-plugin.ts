import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { AppError } from '../../core/protocol/errors.ts';
import { given, givenPath } from './command.ts';
import type { Command } from './command.ts';

const root = path.resolve(import.meta.dirname, '../..');
const TEMPLATE = path.join(import.meta.dirname, 'template');
/** Name of the template's plugin, in its files and their names. */
const NAME = 'my-plugin';
/** Packages that plugins are compiled and tested with: those of this checkout. */
const TOOLS = ['@preact/signals-react', '@types/react', 'react', 'typescript', 'vitest'];
const PROGRAMS = ['tsc', 'vitest'];

/** Creates a plugin with three halves and tests, ready to be served. */
export const createPlugin: Command = {
  name: 'create-plugin',
  usage: 'PATH',
  about:
    "creates a plugin with three halves and tests in a folder outside of this one; the folder's name is the plugin's",
  async run(args, print) {
    const [named] = given(args, {}, 1).positionals;
    if (named === undefined) throw new AppError('bad-option', 'which folder?');
    const folder = givenPath(named);
    const name = path.basename(folder);
    if (!/^[a-z][a-z0-9-]{0,49}$/.test(name))
      throw new AppError('bad-option', `${name} is not a plugin name: use lower-case letters, digits and hyphens`);
    if (name === 'core' || existsSync(path.join(root, 'plugins', name)))
      throw new AppError('bad-option', `${name} is a built-in plugin: choose another name`);
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new AppError('not-empty', `${folder} already exists`);
    if (`${folder}${path.sep}`.startsWith(path.join(root, path.sep)))
      throw new AppError(
        'bad-option',
        `${folder} is in this checkout: choose a folder outside of it, such as ../${name}; a built-in plugin starts as a copy of a folder of plugins/`,
      );
    buildTypes();
    write(folder, name);
    link(folder);
    print(`Created ${folder}, a plugin that counts links. Next steps:`);
    for (const line of [`cd ${folder}`, 'npm test', 'npm run build', 'npm start']) print(`  ${line}`);
  },
};

/** Writes the declarations that plugins are compiled against. */
function buildTypes(): void {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new AppError('no-types', 'the declarations of this checkout could not be built');
}

function write(folder: string, name: string): void {
  cpSync(TEMPLATE, folder, { recursive: true });
  for (const file of globSync('**/*.*', { cwd: folder })) {
    const full = path.join(folder, file);
    writeFileSync(full, readFileSync(full, 'utf8').replaceAll(NAME, name));
    if (path.basename(file).includes(NAME)) renameSync(full, path.join(folder, file.replaceAll(NAME, name)));
  }
  // In the template these files would apply to this checkout itself.
  const json = (file: string, value: object): void =>
    writeFileSync(path.join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
  json('package.json', packageOf(folder, name));
  json('tsconfig.json', {
    compilerOptions: {
      target: 'es2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'nodenext',
      customConditions: ['vitrine-types'],
      types: [],
      jsx: 'react-jsx',
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
      rewriteRelativeImportExtensions: true,
      noEmit: true,
    },
    include: ['*.ts', 'client', 'host', 'page', 'tests'],
    exclude: ['vitest.config.ts'],
  });
  json('tsconfig.build.json', {
    extends: './tsconfig.json',
    compilerOptions: { noEmit: false, declaration: true, rootDir: '.', outDir: 'dist' },
    exclude: ['tests', 'vitest.config.ts'],
  });
  writeFileSync(
    path.join(folder, 'css.d.ts'),
    `/** A style sheet is imported as its address. */\ndeclare module '*.css' {\n  const address: string;\n  export default address;\n}\n`,
  );
  writeFileSync(
    path.join(folder, 'vitest.config.ts'),
    `import { defineConfig } from 'vitest/config';\n\n// Vitrine's modules are TypeScript: they are compiled with the tests.\nexport default defineConfig({ test: { server: { deps: { inline: [/vitrine/] } } } });\n`,
  );
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules/\ndist/\n');
}

function packageOf(folder: string, name: string): object {
  const { dependencies, devDependencies, version } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>> & { readonly version: string }; // our own
  const all = { ...dependencies, ...devDependencies };
  return {
    name,
    version: '0.1.0',
    type: 'module',
    private: true,
    files: ['dist'],
    scripts: {
      start: 'exec vitrine start --plugins . --reload', // else the shell would not forward signals
      test: 'vitest run',
      types: 'tsc',
      build: `tsc -p tsconfig.build.json && node --eval "fs.cpSync('client/panel.css', 'dist/client/panel.css')"`,
    },
    peerDependencies: { vitrine: `^${version}` },
    devDependencies: {
      vitrine: `file:${path.relative(folder, root)}`,
      ...Object.fromEntries(TOOLS.map((tool) => [tool, all[tool]])),
    },
  };
}

/** Links the packages of this checkout, so that nothing has to be downloaded; `npm install` replaces the link. */
function link(folder: string): void {
  const modules = path.join(folder, 'node_modules');
  const leads = (from: string, to: string): void => {
    mkdirSync(path.dirname(path.join(modules, from)), { recursive: true });
    symlinkSync(to, path.join(modules, from), 'junction');
  };
  leads('vitrine', root);
  for (const tool of TOOLS) leads(tool, path.join(root, 'node_modules', tool));
  for (const program of PROGRAMS) leads(`.bin/${program}`, path.join(root, 'node_modules/.bin', program));
  leads('.bin/vitrine', path.join(root, 'host/vitrine.mjs'));
}
