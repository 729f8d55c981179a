import path from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { createPolicyEngine } from '../policy/engine.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { PlacedPolicy, Policy } from '../policy/policy.ts';
import { PERSON_SETTINGS } from '../policy/settings.ts';
import { loadPlugins } from '../plugins/registry.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The plugins that a host of this checkout would have. @throws AppError `bad-plugin`, `plugin-taken`. */
export function pluginsOf(folders: readonly string[]): Promise<RegisteredPlugin[]> {
  return loadPlugins(root, { folders });
}

/** Names of the capabilities that switch plugins. */
export function capabilitiesOf(plugins: readonly RegisteredPlugin[]): string[] {
  return [...new Set(plugins.flatMap(({ manifest }) => manifest.capability ?? []))];
}

/** Says that a capability switches nothing here, when no plugin asks for it and it has no setting of its own. */
export function idleCapability(plugins: readonly RegisteredPlugin[], name: string): string | undefined {
  const isKnown =
    Object.hasOwn(PERSON_SETTINGS.client_capabilities, name) ||
    plugins.some(({ manifest }) => manifest.capability === name);
  return isKnown ? undefined : `no plugin here has the capability ${name}`;
}

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, data) => console.error(message, data ?? ''),
  error: (message, data) => console.error(message, data ?? ''),
};

/** Decides as a host with this policy and these plugins would. */
export function engineOf(policy: Policy, plugins: readonly RegisteredPlugin[]): Promise<PolicyEngine> {
  return createPolicyEngine({ policy, capabilities: capabilitiesOf(plugins), log });
}

/** A place in a policy file: `file:line:column`. */
export function placeOf(policy: PlacedPolicy, at: readonly (string | number)[]): string {
  const { line, column } = policy.place(at);
  return `${policy.file}:${line}:${column}`;
}
