import { pathToFileURL } from 'node:url';
import { rendererToken } from '../../core/contracts/renderer.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { leftOut, pluginFolders } from './plugin-registry.ts';

/**
 * Checks that the product works without the plugins that a build leaves out: they must exist, and every service that
 * the core or another plugin requires must still have a provider.
 *
 * @throws Error naming the plugin that is required, and by which; or the unknown plugin.
 */
export async function checkLeftOut(root: string): Promise<void> {
  const without = leftOut();
  if (without.length === 0) return;
  const names = pluginFolders(root, []).map(({ name }) => name);
  const unknown = without.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`unknown plugin ${unknown.join(', ')}; known plugins: ${names.join(', ')}`);
  const [all, rest] = [await manifestsOf(root, []), await manifestsOf(root, without)];
  const needed = new Map([[rendererToken.name, 'the product']]);
  for (const { id, requires = [] } of rest)
    for (const service of requires) if (!needed.has(service)) needed.set(service, id);
  for (const [service, by] of needed) {
    const provides = ({ provides: own }: AnyManifest): boolean => own?.includes(service) === true;
    const provider = all.find(provides);
    if (provider && !rest.some(provides))
      throw new Error(`${provider.id} cannot be left out: ${by} requires ${service}, which it provides`);
  }
}

function manifestsOf(root: string, without: readonly string[]): Promise<AnyManifest[]> {
  return Promise.all(
    pluginFolders(root, without).map(async ({ manifest }) => {
      const module = (await import(pathToFileURL(manifest).href)) as { readonly manifest: AnyManifest }; // our own
      return module.manifest;
    }),
  );
}
