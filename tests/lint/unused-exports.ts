import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXPORTED_FOR_TESTS, EXPORTED_BY_NAME } from './exceptions.ts';
import { moduleRecord } from './module-record.ts';
import type { ModuleRecord } from './module-record.ts';
import { readSources } from './sources.ts';
import type { Sources } from './sources.ts';

/** Kind of an unused export: used by nothing, by tests alone, or in a file that nothing loads. */
interface Unused {
  /** `file name`, or `file` for a whole file. */
  readonly key: string;
  readonly line: number;
  readonly by: 'nothing' | 'tests';
}

/** Tests, and files that only tests load. */
const TEST = /(?:^|\/)tests\/|^core\/testing\//;
/** Plugins as third parties write them: examples that count as users of the package's entries. */
const EXAMPLE = /^tests\/fixtures\/|^host\/cli\/template\//;
const CONFIG = /^[^/]+\.(?:ts|js|mjs)$|\/vitest\.config\.ts$/;
/** Exports that the registry uses of a plugin, by the file's place in its folder. */
const PLUGIN_ENTRIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^plugins\/[^/]+\/manifest\.ts$/, ['manifest']],
  [
    /^plugins\/[^/]+\/(?:client|host|page|main|extension)\/(?:index|session|service|routes|verbs)\.tsx?$/,
    ['activate', 'activateSession', 'activateService', 'routes', 'errors', 'verbs'],
  ],
];

/**
 * The package's entries: specifier (`vitrine/core`) to file. Entries with a pattern (`./protocol/*`) are not resolved.
 */
function packageEntries(root: string): Map<string, string> {
  const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { default: string }>;
  };
  return new Map(
    Object.entries(exports).map(([entry, target]) => [
      path.posix.join(name, entry),
      path.posix.normalize(typeof target === 'string' ? target : target.default),
    ]),
  );
}

/** Finds the file of a specifier; undefined for a package or a file that is no source. */
function resolve(from: string, specifier: string, entries: ReadonlyMap<string, string>): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  for (const [entry, target] of entries) {
    if (entry === specifier) return target;
    const [head = '', tail] = entry.split('*');
    if (tail !== undefined && specifier.startsWith(head)) return target.replace('*', specifier.slice(head.length));
  }
  return undefined;
}

/** The uses of a program: which file uses which export. */
class Program {
  readonly records: ReadonlyMap<string, ModuleRecord>;
  readonly #entries: ReadonlyMap<string, string>;

  constructor(sources: Sources, entries: ReadonlyMap<string, string>) {
    this.records = new Map([...sources].map(([file, text]) => [file, moduleRecord(file, text)]));
    this.#entries = entries;
  }

  /** Files that a file loads by import, or names as an entry of a thread, a bundle or a command. */
  #loads(file: string): string[] {
    const { uses = [], named = [] } = this.records.get(file) ?? {};
    const imported = uses.map(({ specifier }) => resolve(file, specifier, this.#entries) ?? '');
    const beside = named.map((name) => path.posix.join(path.posix.dirname(file), name));
    return [...imported, ...beside, ...named].filter((target) => this.records.has(target));
  }

  /** All files that some files load, themselves included. */
  reached(from: readonly string[]): Set<string> {
    const reached = new Set(from);
    for (const file of reached) for (const target of this.#loads(file)) reached.add(target);
    return reached;
  }

  /** The uses by files, as `file name`; `export * from` counts for the file that it re-exports. */
  uses(files: Iterable<string>): Set<string> {
    const used = new Set<string>();
    const use = (file: string, name: string): void => {
      const record = this.records.get(file);
      if (!record) return;
      const own =
        name === '*'
          ? record.exports.filter(({ isMessage }) => isMessage || !file.endsWith('/protocol.ts'))
          : [{ name }];
      for (const each of own) used.add(`${file} ${each.name}`);
      for (const specifier of record.passedOn) use(resolve(file, specifier, this.#entries) ?? '', name);
    };
    for (const file of files)
      for (const { specifier, name } of this.records.get(file)?.uses ?? [])
        use(resolve(file, specifier, this.#entries) ?? '', name);
    return used;
  }
}

/** Exports that the package's entries and the registry of plugins use, as `file name`. */
function usedOutside(program: Program, entries: ReadonlyMap<string, string>): Set<string> {
  const used = new Set<string>();
  const whole = new Set(entries.values());
  for (const [file, { exports }] of program.records) {
    const taken = PLUGIN_ENTRIES.find(([pattern]) => pattern.test(file))?.[1];
    for (const { name } of exports)
      if (whole.has(file) || CONFIG.test(file) || EXAMPLE.test(file) || taken?.includes(name))
        used.add(`${file} ${name}`);
  }
  return used;
}

/** Finds exports that no other file uses, or only tests do, and files of the product that nothing loads. */
export function unusedExports(
  sources: Sources,
  entries: ReadonlyMap<string, string>,
  roots: readonly string[],
): Unused[] {
  const program = new Program(sources, entries);
  const files = [...program.records.keys()];
  const isEntry = (file: string): boolean =>
    CONFIG.test(file) ||
    EXAMPLE.test(file) ||
    file.endsWith('.d.ts') ||
    PLUGIN_ENTRIES.some(([pattern]) => pattern.test(file));
  const loaded = program.reached(
    [...roots, ...entries.values(), ...files.filter(isEntry)].filter((file) => program.records.has(file)),
  );
  const product = [...loaded].filter((file) => EXAMPLE.test(file) || !TEST.test(file));
  const byProduct = program.uses(product).union(usedOutside(program, entries));
  const byAll = program.uses(files).union(byProduct);
  const found: Unused[] = [];
  for (const [file, { exports }] of program.records) {
    if (EXAMPLE.test(file) || file.endsWith('.d.ts')) continue;
    if (!TEST.test(file) && !loaded.has(file)) {
      found.push({ key: file, line: 1, by: 'tests' });
      continue;
    }
    const used = TEST.test(file) ? byAll : byProduct;
    for (const { name, line } of exports) {
      const key = `${file} ${name}`;
      if (!used.has(key)) found.push({ key, line, by: byAll.has(key) ? 'tests' : 'nothing' });
    }
  }
  return found;
}

/** Removes the `export` of a declaration; the compiler then reports whether the rest is dead, too. */
function withoutExport(text: string, line: number): string {
  const lines = text.split('\n');
  lines[line - 1] = (lines[line - 1] ?? '').replace(/^export (?!default|type \{|\{|\*)/, '');
  return lines.join('\n');
}

/** Programs that are started by their names: the commands of package.json lead to them. */
const ROOTS = ['host/setup.mjs', 'host/vitrine.mjs', 'tests/run.ts'];

const KEPT = Object.values(EXPORTED_FOR_TESTS).flat();

/** Whether an unused export is permitted: see exceptions.ts. */
export function isKept(key: string): boolean {
  return KEPT.includes(key) || Object.keys(EXPORTED_BY_NAME).some((pattern) => path.posix.matchesGlob(key, pattern));
}

/** Finds unused exports of a checkout. */
export function unusedIn(root: string): Unused[] {
  const entries = packageEntries(root);
  for (const [specifier, target] of entries)
    if (!target.includes('*') && !existsSync(path.join(root, target))) entries.delete(specifier);
  return unusedExports(readSources(root), entries, ROOTS);
}

// `node tests/lint/unused-exports.ts` lists them; with `--fix` those that nothing uses are no longer exported.
if (process.argv[1] === import.meta.filename) {
  const root = path.resolve(import.meta.dirname, '../..');
  for (const { key, line, by } of unusedIn(root).filter(({ key }) => !isKept(key))) {
    const [file = ''] = key.split(' ');
    console.log(`${file}:${line} ${key.slice(file.length + 1)}: used by ${by === 'nothing' ? by : 'tests alone'}`);
    if (!process.argv.includes('--fix') || by !== 'nothing') continue;
    const whole = path.join(root, file);
    writeFileSync(whole, withoutExport(readFileSync(whole, 'utf8'), line));
  }
}
