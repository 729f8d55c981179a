import type { Log } from '../../core/contracts/scope.ts';
import type { PlacedPolicy } from './policy.ts';
import type { SettingsTable } from './settings-table.ts';
import { ownCapabilities } from './settings-table.ts';
import { blocksOf, saidOf, settingsIn } from './tightening.ts';

/** Capabilities of a host. */
export interface KnownCapabilities {
  readonly settings: SettingsTable;
  /** Names of the capabilities that switch plugins. */
  readonly capabilities: readonly string[];
}

/**
 * Returns a warning for a capability that switches nothing here: no plugin asks for it and it has no setting of its
 * own.
 */
export function idleCapability({ settings, capabilities }: KnownCapabilities, name: string): string | undefined {
  const isKnown = ownCapabilities(settings).includes(name) || capabilities.includes(name);
  return isKnown ? undefined : `no plugin here has the capability ${name}`;
}

/** Maximum number of warnings in a line of the log. */
const MAX_LOGGED = 20;

/** Logs the warnings of {@link idleSwitches}, if there are any. */
export function logIdle(log: Pick<Log, 'warn'>, file: string, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const more = warnings.length - MAX_LOGGED;
  log.warn('the policy has switches without effect', {
    file,
    warnings: [...warnings.slice(0, MAX_LOGGED), ...(more > 0 ? [`and ${more} more`] : [])],
  });
}

/**
 * Finds capabilities and flags of a policy that switch nothing here: a typing error, a plugin that this host does not
 * serve, or one that only a setting of its own turns on; and settings that need another one which no level of their
 * tenant sets or turns on. Returns `file:line:column: warning: reason` for each.
 */
export function idleSwitches(policy: PlacedPolicy, known: KnownCapabilities): string[] {
  const own = ownCapabilities(known.settings);
  const { tenants, flags = {} } = policy.content;
  const blocks = Object.entries(tenants).flatMap(([name, { policy: own, groups = {}, users = {} }]) => {
    const root = ['tenants', name];
    const inner = (kind: string, levels: typeof groups) =>
      Object.entries(levels).map(([each, level]) => ({ path: [...root, kind, each, 'policy'], block: level.policy }));
    return [{ path: [...root, 'policy'], block: own }, ...inner('groups', groups), ...inner('users', users)];
  });
  const switches = blocks.flatMap(({ path, block = {} }) =>
    Object.entries(saidOf(block, ['capabilities']) ?? {}).map(([name, value]: [string, unknown]) => ({
      path: [...path, 'capabilities', name],
      name,
      value,
    })),
  );
  const named = [...switches, ...Object.keys(flags).map((name) => ({ path: ['flags', name], name }))];
  const warn = (path: readonly string[], warning: string): string => {
    const { line, column } = policy.place(path);
    return `${policy.file}:${line}:${column}: warning: ${warning}`;
  };
  return [
    ...named.flatMap(({ path, name }) => {
      const idle = idleCapability(known, name);
      return idle === undefined ? [] : [warn(path, idle)];
    }),
    ...switches
      .filter(({ name, value }) => own.includes(name) && value !== false)
      .map(({ path, name }) => warn(path, `this has no effect: ${name} is turned on by client_capabilities.${name}`)),
    ...lonely(policy, known).map(({ path, warning }) => warn(path, warning)),
  ];
}

/** Settings without effect, since their tenant nowhere has the one that they need. */
function lonely({ content }: PlacedPolicy, { settings: { level } }: KnownCapabilities) {
  return Object.entries(content.tenants).flatMap(([name, tenant]) => {
    const blocks = blocksOf({ ...content, tenants: { [name]: tenant } });
    const known = new Map<string, boolean>();
    const isOn = (needed: string): boolean => {
      const on = known.get(needed) ?? blocks.some(({ block }) => isSet(saidOf(block, needed.split('.'))));
      known.set(needed, on);
      return on;
    };
    return blocks.flatMap(({ path, block }) =>
      settingsIn(block, level)
        .filter(({ setting: { needs }, value }) => isSet(value) && needs.length > 0 && !needs.some(isOn))
        .map(({ path: at, setting: { needs } }) => ({
          path: [...path, ...at].map(String),
          warning: `${at.join('.')} has no effect without ${needs.join(' or ')}`,
        })),
    );
  });
}

/** Whether a value asks for something. */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
