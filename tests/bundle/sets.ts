import path from 'node:path';
import type { ClientManifestFile } from '../../host/build/client-manifest.ts';
import { buildPlugins } from '../../host/plugins/external/external-plugins.ts';
import { loadPlugins } from '../../host/plugins/registry.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const EXAMPLES = ['link-preview', 'reading-time', 'site-banner'].map((name) => path.join(ROOT, 'tests/fixtures', name));

/** Size of the client halves of a person's plugins, in brotli bytes. */
interface SetWeight {
  readonly name: string;
  /** Requested with every page, beyond the boot path. */
  readonly atOnce: number;
  /** Requested when a plugin is first used, all of it together. */
  readonly onUse: number;
}

/** Brotli bytes of files, by name. */
type Files = ReadonlyMap<string, number>;

/** Sizes for three sets of capabilities: only those that show pages, all built-in ones, and those with the examples. */
export async function weighSets(client: ClientManifestFile, boot: ReadonlySet<string>): Promise<SetWeight[]> {
  const own = await loadPlugins(ROOT, {});
  const { plugins, files } = await buildPlugins(await loadPlugins(path.join(ROOT, 'none'), { folders: EXAMPLES }), {
    extensionDir: path.join(ROOT, 'dist/extension'),
    dataDir: path.join(ROOT, 'dist/size'),
  });
  const [atOnce, onUse] = [new Map<string, Files>(), new Map<string, Files>()];
  for (const { manifest } of own) {
    const names = Object.entries(client.files).filter(([name, { owner }]) => owner === manifest.id && !boot.has(name));
    const first = client.chunks[manifest.id]?.file;
    const isFirst = (name: string): boolean => name === first && manifest.activation !== 'first-use';
    atOnce.set(
      manifest.id,
      new Map(names.filter(([name]) => isFirst(name)).map(([name, { brotli }]) => [name, brotli])),
    );
    onUse.set(
      manifest.id,
      new Map(names.filter(([name]) => !isFirst(name)).map(([name, { brotli }]) => [name, brotli])),
    );
  }
  for (const { manifest, module } of plugins) {
    const names = [...files].filter(([address]) => address.includes(`/${manifest.id}/`));
    const isFirst = (name: string): boolean => name === module && manifest.activation !== 'first-use';
    const sizes = (wanted: boolean): Files =>
      new Map(names.filter(([name]) => isFirst(name) === wanted).map(([name, { brotli }]) => [name, brotli.length]));
    atOnce.set(manifest.id, sizes(true));
    onUse.set(manifest.id, sizes(false));
  }
  const sum = (all: ReadonlyMap<string, Files>, ids: readonly string[]): number =>
    ids.flatMap((id) => [...(all.get(id)?.values() ?? [])]).reduce((total, bytes) => total + bytes, 0);
  const builtIn = own.map(({ manifest }) => manifest.id);
  return [
    ['pages alone', ['mirror', 'mouse', 'wheel', 'keyboard']] as const,
    ['all that is built in', builtIn] as const,
    ['that and the three examples', [...builtIn, ...plugins.map(({ manifest }) => manifest.id)]] as const,
  ].map(([name, ids]) => ({ name, atOnce: sum(atOnce, ids), onUse: sum(onUse, ids) }));
}
