import path from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { loadAssets } from '../gateway/assets.ts';
import { createPolicyEngine } from '../policy/engine.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { PlacedPolicy, Policy } from '../policy/policy.ts';
import { declaredBy, settingsTable } from '../policy/settings-table.ts';
import type { SettingsTable } from '../policy/settings-table.ts';
import { decoderPackages, pictureGaps } from '../cells/decoder-packages.ts';
import { loadPlugins, manifestsOf } from '../plugins/registry.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Plugins and settings of a host that runs from this checkout. */
export interface Checkout {
  readonly plugins: readonly RegisteredPlugin[];
  /** Settings that a policy file may use. */
  readonly settings: SettingsTable;
  /** Names of the capabilities that switch plugins. */
  readonly capabilities: readonly string[];
}

/**
 * Reads the plugins of this checkout, as it was last built, and those of additional folders. @throws AppError
 * `bad-plugin`, `plugin-taken`.
 */
export async function checkoutWith(folders: readonly string[]): Promise<Checkout> {
  const without = await leftOut();
  const plugins = await loadPlugins(root, { folders, without });
  const settings = settingsTable(
    declaredBy(plugins, await manifestsOf(root, without)),
    pictureGaps(decoderPackages(import.meta.filename)),
  );
  return {
    plugins,
    settings,
    capabilities: [...new Set(plugins.flatMap(({ manifest }) => manifest.capability ?? []))],
  };
}

/** Plugins that the last build left out; empty when there is no build yet. */
async function leftOut(): Promise<readonly string[]> {
  try {
    return (await loadAssets(path.join(root, 'dist'))).without;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not-built') return [];
    throw thrown;
  }
}

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, data) => console.error(message, data ?? ''),
  error: (message, data) => console.error(message, data ?? ''),
};

/** Creates the policy engine of a host with this policy and these plugins. */
export function engineOf(policy: Policy, { settings, capabilities }: Checkout): Promise<PolicyEngine> {
  return createPolicyEngine({ policy, settings, capabilities, log });
}

/** Formats a position in a policy file: `file:line:column`. */
export function placeOf(policy: PlacedPolicy, at: readonly (string | number)[]): string {
  const { line, column } = policy.place(at);
  return `${policy.file}:${line}:${column}`;
}
