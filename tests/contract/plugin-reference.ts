/**
 * Generates the parts of plugins/README.md that follow from the code: tables of hooks, slots, services, messages and error codes, and the
 * plugin that `create-plugin` writes. `node tests/contract/plugin-reference.ts` brings the README up to date.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { SLOTS } from '../../core/contracts/slots.ts';
import { clientHooks } from '../../core/contracts/client-hooks.ts';
import { HALVES } from '../../host/plugins/halves.ts';
import { GIVEN } from '../../host/plugins/threads/given.ts';
import { createTabHooks } from '../../host/contracts/tab-hooks.ts';
import { PLUGINS } from './plugin-folders.ts';

const root = path.resolve(import.meta.dirname, '../..');
export const README = path.join(root, 'plugins/README.md');
const TEMPLATE = 'host/cli/template';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = globSync('{core,host,plugins}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/(^|\/)(tests|template)\//.test(file))
  .sort();

/** The comment that stands right before something of a source, on one line. */
function commentBefore(source: string, at: number): string {
  const before = source.slice(0, at).trimEnd();
  if (!before.endsWith('*/')) return '';
  return before
    .slice(before.lastIndexOf('/**') + 3, -2)
    .replace(/\n\s*\*/g, ' ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Hooks of an interface: each by the comment of its own, or that of what it tells. */
function hooks(file: string, owner: string, declared: object): string[][] {
  const source = read(file);
  return Object.keys(declared).map((name) => {
    const field = new RegExp(`readonly ${name}: \\w+<(\\w+|\\{.*?\\})>`).exec(source);
    const own = field ? commentBefore(source, field.index) : '';
    const told = source.indexOf(`export interface ${field?.[1] ?? ''} `);
    return [`\`${owner}.${name}\``, own || (told < 0 ? '' : commentBefore(source, told))];
  });
}

function slots(): string[][] {
  const source = read('core/contracts/slots.ts');
  return Object.entries(SLOTS).map(([key, { name, place }]) => {
    return [`\`SLOTS.${key}\``, `\`${name}\``, place, commentBefore(source, source.indexOf(`${key}: slot`))];
  });
}

function services(): string[][] {
  return sources.flatMap((file) => {
    const source = read(file);
    return [...source.matchAll(/export const (\w+) = token<(\w+)>\('([\w.-]+)'\)/g)].map((found) => {
      const [, variable = '', type = '', name = ''] = found;
      const comment =
        commentBefore(source, found.index) || commentBefore(source, source.indexOf(`export interface ${type} `));
      const provider = PLUGINS.find(({ manifest }) => manifest.provides?.includes(name))?.id ?? 'core';
      return [`\`${name}\``, `\`${variable}\``, provider, comment];
    });
  });
}

function messages(): string[][] {
  return PLUGINS.flatMap(({ messages: all }) =>
    all.map(({ name, direction, lane, result, errors }) => {
      return [`\`${name}\``, direction.replaceAll('-', ' '), lane, result ? 'answers' : '', (errors ?? []).join(', ')];
    }),
  );
}

/** Codes by the folder that throws them. */
function errorCodes(): string[][] {
  const codes = sources.flatMap((file) =>
    [...read(file).matchAll(/new AppError\(\s*'([\w-]+)'/g)].map(([, code = '']) => {
      const [top = '', second = ''] = file.split('/');
      return { owner: path.extname(second) === '' ? `${top}/${second}` : top, code };
    }),
  );
  return [...Map.groupBy(codes, ({ owner }) => owner)].map(([owner, found]) => [
    `\`${owner}\``,
    [...new Set(found.map(({ code }) => `\`${code}\``))].sort().join(', '),
  ]);
}

function template(): string {
  return ['protocol.ts', 'page/index.ts', 'host/index.ts', 'client/index.ts', 'manifest.ts', 'tests/my-plugin.test.ts']
    .map((file) => `\`${file}\`\n\n\`\`\`ts\n${read(`${TEMPLATE}/${file}`)}\`\`\``)
    .join('\n\n');
}

/** The generated parts of the README, by name. */
const PARTS: Readonly<Record<string, () => string>> = {
  template,
  hooks: () =>
    table(
      ['hook', 'when, and what it tells'],
      [
        ...hooks('core/contracts/client-hooks.ts', 'services.get(hooksToken)', { ...clientHooks(() => undefined) }),
        ...hooks('host/contracts/tab-hooks.ts', 'tab.hooks', { ...createTabHooks(() => undefined) }),
      ],
    ),
  halves: () =>
    table(
      ['half', 'entry', 'exports', 'runs', 'third parties'],
      Object.entries(HALVES).map(([name, { file, exports, outside, runs }]) => [
        name,
        `\`${file}\``,
        `\`${exports}\``,
        runs,
        outside ? 'yes' : 'no: the host does not start with one',
      ]),
    ),
  given: () =>
    table(
      ['of', 'given in a thread', 'refused, and why'],
      Object.entries(GIVEN).map(([of, members]) => {
        const all = Object.entries(members);
        const given = all.filter(([, reason]) => reason === true).map(([name]) => `\`${name}\``);
        const refused = all.filter(([, reason]) => reason !== true).map(([name, reason]) => `\`${name}\`: ${reason}`);
        return [of, given.join(', '), refused.join('; ')];
      }),
    ),
  slots: () => table(['slot', 'in the manifest', 'place', 'what for'], slots()),
  services: () => table(['service', 'token', 'provided by', 'what it is'], services()),
  messages: () => table(['message', 'direction', 'lane', '', 'error codes'], messages()),
  errors: () => table(['thrown in', 'codes'], errorCodes()),
};

/** The README as it should be. */
export async function currentReadme(readme: string): Promise<string> {
  let text = readme;
  for (const [name, part] of Object.entries(PARTS)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${README} has no place for ${name}`);
    text = `${text.slice(0, from + begin.length)}\n\n${part()}\n\n${text.slice(to)}`;
  }
  return prettier.format(text, { ...(await prettier.resolveConfig(README)), filepath: README });
}

if (process.argv[1] === import.meta.filename) writeFileSync(README, await currentReadme(readFileSync(README, 'utf8')));
