import { existsSync, readdirSync } from 'node:fs';
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

function clientSource(folders: readonly PluginFolder[]): string {
  const imports = folders.map(({ manifest }, i) => `import { manifest as m${i} } from ${JSON.stringify(manifest)};`);
  const entries = folders.map(({ client }, i) => {
    const load = client ? `, load: () => import(${JSON.stringify(client)})` : '';
    return `{ manifest: m${i}${load} }`;
  });
  return `${imports.join('\n')}\nexport const registry = [${entries.join(', ')}];`;
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

/**
 * Generates the lists of plugins, so that nobody edits one: `virtual:plugin-registry` with an `import()` per client
 * half, each a chunk of its own, and `virtual:page-registry` with all page halves.
 */
export function pluginRegistry(root: string): Plugin {
  return {
    name: 'plugin-registry',
    resolveId: (id) => (id in SOURCES ? { id: `\0${id}`, moduleSideEffects: false } : null),
    load: (id) => (id.startsWith('\0') ? SOURCES[id.slice(1)]?.(pluginFolders(root)) : null),
  };
}
