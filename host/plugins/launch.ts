import type { AnyManifest, LaunchPreference } from '../../core/contracts/manifest.ts';

/** The permissions that manifests have denied to all sites. Left-out plugins count: without them nobody could ask the person either. */
export function deniedBy(manifests: readonly Pick<AnyManifest, 'launch'>[]): LaunchPreference[] {
  const named = manifests.flatMap(({ launch }) => Object.keys(launch?.preferences ?? {}) as LaunchPreference[]); // parsed
  return [...new Set(named)];
}
