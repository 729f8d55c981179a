import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { decideFor } from '../decision.ts';
import type { Decision, Subject } from '../decision.ts';
import type { PlacedPolicy, Policy } from '../policy.ts';
import { parsePolicy } from '../policy.ts';
import { leavesOf, Setting } from '../setting.ts';
import type { SettingTree } from '../setting.ts';
import { declaredBy, settingsTable } from '../settings-table.ts';
import type { SettingsTable } from '../settings-table.ts';
import { sliceOf } from '../slice.ts';

const folder = path.resolve(import.meta.dirname, '../../../plugins');

/** Manifests of the plugins of this checkout. */
export const MANIFESTS: readonly AnyManifest[] = await Promise.all(
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => existsSync(path.join(folder, name, 'manifest.ts')))
    .map(async ({ name }) => {
      const module: unknown = await import(pathToFileURL(path.join(folder, name, 'manifest.ts')).href);
      return (module as { readonly manifest: AnyManifest }).manifest; // it satisfies Manifest
    }),
);

/** Settings where all plugins of this checkout are present. */
export const OWN: SettingsTable = settingsTable(
  declaredBy(MANIFESTS.map((manifest) => ({ manifest, external: false }))),
);

/** The same settings, all enforced: for tests of the other parts of a policy. */
export const ENFORCED: SettingsTable = {
  ...OWN,
  site: enforced(OWN.site),
  level: enforced(OWN.level),
  leaves: leavesOf(enforced(OWN.level)),
};

function enforced(tree: SettingTree): SettingTree {
  return Object.fromEntries(
    Object.entries(tree).map(([name, entry]) => [
      name,
      entry instanceof Setting ? entry.unenforced(undefined) : enforced(entry),
    ]),
  );
}

/** Parses a policy as if all settings were enforced. */
export function parsed(source: string, file = 'p.yaml'): PlacedPolicy {
  return parsePolicy(source, file, ENFORCED);
}

/** Decides by a whole policy. */
export function decide(policy: Policy | undefined, subject: Subject, address?: string | readonly string[]): Decision {
  return decideFor(sliceOf(policy, subject), OWN, address);
}
