import { isEnabled } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';

/** The variant of a plugin that nobody has named another for. */
const DEFAULT_VARIANT = 'default';
const MAX_VARIANT = 50;

/** A plugin that someone has, in which variant. */
export interface Chosen<P> {
  readonly plugin: P;
  readonly variant: string;
}

/**
 * The plugins that capabilities switch on. A capability that is a text names the variant; of several versions of a plugin it chooses the
 * one that declares the variant, else the one that declares none. What relies on a plugin that is off is off.
 */
export function choosePlugins<P extends { readonly manifest: AnyManifest }>(
  plugins: readonly P[],
  capabilities: Readonly<Record<string, unknown>>,
): Chosen<P>[] {
  const versions = Map.groupBy(plugins, ({ manifest }) => manifest.id);
  const chosen = [...versions.values()].flatMap((all) => {
    const on = all.filter(({ manifest }) => isEnabled(manifest, capabilities));
    const named = on.flatMap((plugin) => {
      const variant = variantOf(capabilities[plugin.manifest.capability ?? '']);
      return plugin.manifest.variants?.includes(variant) ? [{ plugin, variant }] : [];
    })[0];
    if (named) return [named];
    const other = on.find(({ manifest }) => manifest.variants === undefined);
    return other ? [{ plugin: other, variant: variantOf(capabilities[other.manifest.capability ?? '']) }] : [];
  });
  const missing = plugins.filter(({ manifest }) => !chosen.some(({ plugin }) => plugin.manifest.id === manifest.id));
  const off = withDependents(
    plugins,
    missing.map(({ manifest }) => manifest.id),
  );
  return chosen.filter(({ plugin }) => !off.includes(plugin.manifest.id));
}

function variantOf(value: unknown): string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_VARIANT ? value : DEFAULT_VARIANT;
}

/** Plugins with those of the same tab that rely on what they provide, directly or not, before them. */
export function withDependents(
  plugins: readonly { readonly manifest: AnyManifest }[],
  ids: Iterable<string>,
): readonly string[] {
  const found = new Set(ids);
  for (const id of found) {
    const provided = plugins.find(({ manifest }) => manifest.id === id)?.manifest.provides ?? [];
    for (const { manifest } of plugins)
      if (manifest.requires?.some((service) => provided.includes(service))) found.add(manifest.id);
  }
  return [...found].reverse();
}
