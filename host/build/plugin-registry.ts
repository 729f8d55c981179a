import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rollup';

/** What is under `plugins/`: a half is found by its folder, a missing folder means no half. */
export interface PluginFolder {
  readonly name: string;
  readonly manifest: string;
  readonly client?: string;
  readonly page?: string;
}

const ENTRIES = ['index.ts', 'index.tsx'];

function half(folder: string, name: string): string | undefined {
  return ENTRIES.map((entry) => path.join(folder, name, entry)).find((file) => existsSync(file));
}

/** The plugins that a build is to leave out: VITRINE_WITHOUT, comma-separated. */
export function leftOut(): string[] {
  return (process.env.VITRINE_WITHOUT ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Lists the plugins of a checkout by name, less those that are left out: by default, those that a build is to leave out. */
export function pluginFolders(root: string, leaving: readonly string[] = leftOut()): PluginFolder[] {
  const parent = path.join(root, 'plugins');
  if (!existsSync(parent)) return [];
  const without = new Set(leaving);
  return readdirSync(parent)
    .sort()
    .filter((name) => !without.has(name))
    .map((name) => ({ name, folder: path.join(parent, name) }))
    .map(({ name, folder }) => ({ name, folder, manifest: path.join(folder, 'manifest.ts') }))
    .filter(({ manifest }) => existsSync(manifest))
    .map(({ name, folder, manifest }) => {
      const client = half(folder, 'client');
      const page = half(folder, 'page');
      return { name, manifest, ...(client && { client }), ...(page && { page }) };
    });
}

/** Those that the boot path knows; the pairing answer tells of the others. */
function clientSource(all: readonly PluginFolder[]): string {
  const folders = all.filter(({ manifest }) => isAtBoot(manifest));
  const imports = folders.map(({ manifest }, i) => `import { manifest as m${i} } from ${JSON.stringify(manifest)};`);
  const entries = folders.map(({ client }, i) => {
    const load = client ? `, load: () => import(${JSON.stringify(client)})` : '';
    return `{ manifest: m${i}${load} }`;
  });
  return `${imports.join('\n')}\nexport const registry = [${entries.join(', ')}];`;
}

/** Whether a plugin is part of every session's start, as its manifest says. */
function isAtBoot(manifest: string): boolean {
  return /^ {2}activation: 'boot',$/m.test(readFileSync(manifest, 'utf8'));
}

/** What a client half's chunk exports that the pairing answer names: the half, and its messages where it has any. */
function laterSource(client: string): string {
  const protocol = path.join(path.dirname(client), '../protocol.ts');
  const lines = [`export { activate } from ${JSON.stringify(client)};`];
  if (existsSync(protocol)) lines.push(`export * as protocol from ${JSON.stringify(protocol)};`);
  return lines.join('\n');
}

function pageSource(folders: readonly PluginFolder[]): string {
  const withPage = folders.filter(({ page }) => page !== undefined);
  const imports = withPage.map(
    ({ manifest, page }, i) =>
      `import { manifest as m${i} } from ${JSON.stringify(manifest)};\n` +
      `import { activate as a${i} } from ${JSON.stringify(page)};`,
  );
  const entries = withPage.map((_, i) => `{ manifest: m${i}, activate: a${i} }`);
  return `${imports.join('\n')}\nexport const registry = [${entries.join(', ')}];`;
}

const SOURCES: Readonly<Record<string, (folders: readonly PluginFolder[]) => string>> = {
  'virtual:plugin-registry': clientSource,
  'virtual:page-registry': pageSource,
};

/** A client half with its messages: an address of its own beside the half's. */
const LATER = '?later';

/**
 * Generates the lists of plugins, so that nobody edits one: `virtual:plugin-registry` with an `import()` per client half that the boot
 * path knows, and `virtual:page-registry` with all page halves. Given the entry of the boot path, it adds a chunk for each of the other
 * client halves, which comes after that entry and may share what is loaded with it.
 */
export function pluginRegistry(root: string, boot?: string): Plugin {
  return {
    name: 'plugin-registry',
    buildStart() {
      if (boot === undefined) return;
      for (const { name, manifest, client } of pluginFolders(root)) {
        if (client === undefined || isAtBoot(manifest)) continue;
        this.emitFile({
          type: 'chunk',
          id: `${client}${LATER}`,
          name,
          implicitlyLoadedAfterOneOf: [boot],
          preserveSignature: 'allow-extension', // what it shares with lazy parts of its own is exported, too
        });
      }
    },
    resolveId: (id) => {
      if (id.endsWith(LATER)) return { id, moduleSideEffects: false };
      return id in SOURCES ? { id: `\0${id}`, moduleSideEffects: false } : null;
    },
    load: (id) => {
      if (id.endsWith(LATER)) return laterSource(id.slice(0, -LATER.length));
      return id.startsWith('\0') ? SOURCES[id.slice(1)]?.(pluginFolders(root)) : null;
    },
  };
}
