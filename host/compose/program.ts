import path from 'node:path';
import type { LaunchFlag, LaunchPreference } from '../../core/contracts/manifest.ts';
import type { DecoderPackages } from '../cells/control-messages.ts';
import { decoderPackages, pictureGaps } from '../cells/decoder-packages.ts';
import { loadAssets } from '../gateway/assets.ts';
import type { Assets } from '../gateway/assets.ts';
import type { Options } from './options.ts';
import { buildPlugins } from '../plugins/external/external-plugins.ts';
import type { PluginFile } from '../plugins/external/external-plugins.ts';
import { checkTogether } from '../plugins/checks.ts';
import { deniedBy, flagsOf } from '../plugins/launch.ts';
import { loadPlugins, manifestsOf } from '../plugins/registry.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import type { PlacedPolicy } from '../policy/policy.ts';
import { readPolicy } from '../policy/policy-reader.ts';
import { declaredBy, settingsTable } from '../policy/settings-table.ts';
import type { SettingsTable } from '../policy/settings-table.ts';

/** The built program with its plugins, those from outside built too, and its policy file as it was at the start. */
export interface Program {
  readonly assets: Assets;
  readonly plugins: readonly RegisteredPlugin[];
  /** Client halves of plugins from outside, by address. */
  readonly files: ReadonlyMap<string, PluginFile>;
  /** Built extension with the page halves. */
  readonly extensionDir: string;
  readonly settings: SettingsTable;
  readonly policy: PlacedPolicy | undefined;
  /** Packages that its decoders use. */
  readonly decoders: DecoderPackages;
  /** Permissions that plugins have denied to all sites. */
  readonly denied: readonly LaunchPreference[];
  /** Flags that plugins have browsers started with. */
  readonly flags: readonly LaunchFlag[];
}

/**
 * Reads the program from a checkout that has been built.
 *
 * @throws AppError of the first plugin or policy file that is wrong
 */
export async function loadProgram(
  root: string,
  options: Options,
  decoders = decoderPackages(import.meta.filename),
): Promise<Program> {
  const client = await loadAssets(path.join(root, 'dist'));
  const loaded = await loadPlugins(root, { folders: options.plugins, without: client.without });
  checkTogether(loaded);
  const leftOut = await manifestsOf(root, client.without);
  const settings = settingsTable(declaredBy(loaded, leftOut), pictureGaps(decoders));
  const manifests = [...loaded.map(({ manifest }) => manifest), ...leftOut];
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy, settings);
  const built = await buildPlugins(loaded, { extensionDir: client.extensionDir, dataDir: options.data });
  const assets = { ...client, preload: [...client.preload, ...client.halvesOf(neededAtOnce(loaded))] };
  return { assets, settings, policy, decoders, denied: deniedBy(manifests), flags: flagsOf(manifests), ...built };
}

/** Ids of plugins whose client halves every tab loads at its start: no capability switches them. The shell has them fetched with its script. */
function neededAtOnce(plugins: readonly RegisteredPlugin[]): string[] {
  return plugins
    .filter(
      ({ external, manifest }) => !external && manifest.activation === 'boot' && manifest.capability === undefined,
    )
    .map(({ manifest }) => manifest.id);
}
