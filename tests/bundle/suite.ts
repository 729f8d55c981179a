import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClientManifestFile } from '../../host/build/client-manifest.ts';
import { Tally } from '../tally.ts';
import { weighSets } from './sets.ts';

/** Budgets in brotli bytes. They rise only in the change that grows the bundle, which gives the reason. */
interface Budgets {
  /**
   * All files that every mirrored page loads: the boot's static graph, the mirror's client half, plugins of every
   * session.
   */
  readonly boot: number;
  /** The parts of `vitrine/ui`, which load with the first component that has one. */
  readonly kit: number;
  /** The sheet of docked slots, and that of the page frame, each with the style of the parts. */
  readonly kitSheet: number;
  /** React's packages and signals. */
  readonly shared: number;
  /** The whole client half of any other plugin, with its lazy parts, sheets and packages, beyond the boot path. */
  readonly plugin: number;
  /** All files that a person's capabilities request with every page, boot path included. */
  readonly set: number;
  /** Plugins with a budget of their own, by name. */
  readonly exceptions: Readonly<Record<string, number>>;
}

const dist = path.resolve(import.meta.dirname, '../../dist/client');
const budgets = JSON.parse(readFileSync(path.join(import.meta.dirname, 'budgets.json'), 'utf8')) as Budgets;
const tally = new Tally();
const PLUGINS_README = path.resolve(import.meta.dirname, '../../plugins/README.md');
/** Bytes by which the README's figures may be off. */
const README_SLACK = 500;

/** The files that `start` loads by the edges that `next` returns. */
function closure(start: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const found = new Set(start);
  for (const name of found) for (const other of next(name)) found.add(other);
  return found;
}

async function checkBudgets(manifest: ClientManifestFile): Promise<void> {
  const { entry, chunks, files, importMap } = manifest;
  const weigh = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + (files[name]?.brotli ?? 0), 0);
  const within = (what: string, bytes: number, budget: number): Promise<void> =>
    tally.check(`${what} weighs ${bytes} of ${budget} bytes`, () =>
      bytes > budget ? `${bytes - budget} bytes too many` : undefined,
    );

  const mirror = chunks.mirror?.file;
  const accompanying = Object.keys(files).find((name) => name.startsWith('accompany-'));
  await tally.check('the build lists the chunks that a session always loads', () =>
    mirror && accompanying ? undefined : 'the mirror, or what accompanies a session, is not in its manifest',
  );
  if (!mirror || !accompanying) return;
  const boot = closure([entry, mirror, accompanying], (name) => files[name]?.imports ?? []);
  await within('the boot path', weigh(boot), budgets.boot);
  await tally.check('the boot path has no shared package in its static graph', () => {
    const foreign = [...boot].filter((name) => name in importMap.imports);
    return foreign.length > 0 ? foreign.join(', ') : undefined;
  });
  const kit = closure([importMap.imports['vitrine/ui']?.split('/').at(-1) ?? ''], (name) => files[name]?.imports ?? []);
  const kitSheets = Object.keys(files).filter((name) => /\/(?:dialog|docked)-[\w-]+\.css$/.test(name));
  await within(
    'the kit',
    weigh([...kit].filter((name) => !boot.has(name) && !(name in importMap.imports))),
    budgets.kit,
  );
  await within('a sheet with its style', Math.max(...kitSheets.map((name) => weigh([name]))), budgets.kitSheet);
  await tally.check('the boot path has nothing of the kit', () =>
    [...boot].some((name) => name.startsWith('ui-')) ? 'it loads the kit' : undefined,
  );
  const shared = Object.keys(files).filter((name) => name.startsWith('shared/'));
  await within('React and signals', weigh(shared), budgets.shared);
  for (const [plugin, { file }] of Object.entries(chunks)) {
    if (file === mirror) continue;
    const isLater = (name: string): boolean =>
      !boot.has(name) && files[name] !== undefined && files[name].owner !== 'core';
    const own = closure([file], (name) =>
      [...(files[name]?.imports ?? []), ...(files[name]?.dynamicImports ?? [])].filter(isLater),
    );
    const sheets = Object.keys(files).filter((name) => name.endsWith('.css') && files[name]?.owner === plugin);
    await within(`plugin ${plugin}`, weigh([...own, ...sheets]), budgets.exceptions[plugin] ?? budgets.plugin);
  }
  const told = readFileSync(PLUGINS_README, 'utf8');
  for (const { name, atOnce, onUse } of await weighSets(manifest, boot)) {
    await within(
      `with ${name}: ${weigh(boot) + atOnce} at once, ${onUse} on use; at once`,
      weigh(boot) + atOnce,
      budgets.set,
    );
    await tally.check(`plugins/README.md has the size of ${name}`, () =>
      isTold(told, name, [weigh(boot) + atOnce, onUse]) ? undefined : 'its row in "What a page costs" is out of date',
    );
  }
}

/** Whether the row of a set has these bytes, in KB, within the tolerance. */
function isTold(readme: string, name: string, bytes: readonly number[]): boolean {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
  const figures = [...row.matchAll(/([\d.]+) KB/g)].map(([, kilobytes]) => 1000 * Number(kilobytes));
  return bytes.every((each, index) => Math.abs(each - (figures[index] ?? 0)) <= README_SLACK);
}

async function checkScripts(files: ClientManifestFile['files']): Promise<void> {
  const scripts = Object.keys(files).filter((name) => name.endsWith('.js'));
  await tally.check('no script of the client evaluates text as code, which the CSP forbids', () => {
    const offender = scripts.find((name) =>
      /\bnew Function\(|\beval\(/.test(readFileSync(path.join(dist, name), 'utf8')),
    );
    return offender && `${offender} does`;
  });
}

const manifestFile = path.join(dist, 'manifest.json');
if (existsSync(manifestFile)) {
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as ClientManifestFile;
  await checkBudgets(manifest);
  await checkScripts(manifest.files);
} else {
  await tally.check('the client is built', () => 'dist/client/manifest.json is missing: run npm run build');
}
tally.finish();
