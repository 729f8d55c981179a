import type { AnyManifest } from '../contracts/manifest.ts';
import { AppError } from '../protocol/errors.ts';

/** A plugin, as far as the order of activation goes by it. */
interface Ordered {
  readonly manifest: Pick<AnyManifest, 'id' | 'requires' | 'provides'>;
}

/** The plugin among `plugins` that provides a service. */
export function providerOf<T extends Ordered>(service: string, plugins: readonly T[]): T | undefined {
  return plugins.find(({ manifest }) => manifest.provides?.includes(service));
}

/** All that a plugin relies on among `plugins`, directly or not: itself, too, where that leads back to it. */
function requirementsOf<T extends Ordered>(plugin: T, plugins: readonly T[], found: Set<T>): Set<T> {
  for (const service of plugin.manifest.requires ?? []) {
    const provider = providerOf(service, plugins);
    if (!provider || found.has(provider)) continue;
    found.add(provider);
    requirementsOf(provider, plugins, found);
  }
  return found;
}

/** Refuses a plugin that relies on itself through others: none of a circle can be activated first. @throws AppError `requires-cycle`. */
export function refuseCircle<T extends Ordered>(plugin: T, plugins: readonly T[]): void {
  if (requirementsOf(plugin, plugins, new Set()).has(plugin))
    throw new AppError('requires-cycle', `${plugin.manifest.id} requires itself`);
}

/** Providers before those who require them; otherwise as given. */
export function inOrder<T extends Ordered>(plugins: readonly T[]): T[] {
  const ordered = new Set<T>();
  const entered = new Set<T>();
  const visit = (each: T): void => {
    if (entered.has(each)) return;
    entered.add(each);
    for (const service of each.manifest.requires ?? []) {
      const provider = providerOf(service, plugins);
      if (provider) visit(provider);
    }
    ordered.add(each);
  };
  for (const each of plugins) visit(each);
  return [...ordered];
}
