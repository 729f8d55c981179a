import type { Block, Level, PolicyFile, TenantLevel } from './policy-file.ts';
import type { PolicyFault } from './policy-error.ts';
import { Setting } from './setting.ts';
import type { SettingTree } from './setting.ts';

type Path = readonly (string | number)[];

/** Settings at their place in the file. */
interface Said {
  readonly path: Path;
  readonly block: Block;
}

/** Value of a setting in a block; undefined when it is not set. */
export function saidOf(block: Block, path: readonly string[]): unknown {
  let value: unknown = block;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Block)[name]; // it has it
  }
  return value;
}

/** Values that a block sets, one by one. */
export function settingsIn(
  block: Block,
  tree: SettingTree,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly setting: Setting<unknown>; readonly value: unknown }[] {
  return Object.entries(block).flatMap(([name, value]) => {
    const entry = tree[name];
    if (entry instanceof Setting) return [{ path: [...path, name], setting: entry, value }];
    return entry ? settingsIn(value as Block, entry, [...path, name]) : []; // as the schema has it
  });
}

/**
 * Finds values that try to loosen a setting that protects: a group or user against its tenant, a user against the
 * groups that the file puts them into, a site against all above it. Such a value has no effect, and its author must
 * know.
 */
export function looseningFaults(
  { tenants }: PolicyFile,
  tree: SettingTree,
  describe: (path: Path) => string,
): PolicyFault[] {
  const faults: PolicyFault[] = [];
  const check = (outer: readonly Said[], inner: Said): void => {
    if (outer.length === 0) return;
    for (const { path, setting, value } of settingsIn(inner.block, tree)) {
      const broken = outer.find(({ block }) => {
        const above = saidOf(block, path);
        return above !== undefined && setting.loosens(above, value);
      });
      if (broken)
        faults.push({
          path: [...inner.path, ...path],
          message: `${path.join('.')} is looser than ${describe([...broken.path, ...path])}: inner levels may only tighten settings that protect`,
        });
    }
  };
  const checkLevel = (outer: readonly Said[], level: Level, path: Path): void => {
    const own = saidAt(level, path);
    for (const said of own) check(outer, said);
    const above = [...outer, ...own];
    for (const [index, { policy }] of (level.sites ?? []).entries())
      check(above, { path: [...path, 'sites', index, 'policy'], block: policy });
  };
  for (const [name, tenant] of Object.entries(tenants)) {
    const path = ['tenants', name];
    checkLevel([], tenant, path);
    const above = saidAt(tenant, path);
    for (const [group, level] of Object.entries(tenant.groups ?? {}))
      checkLevel(above, level, [...path, 'groups', group]);
    for (const [user, level] of Object.entries(tenant.users ?? {})) {
      const groups = (level.groups ?? []).flatMap((group) =>
        saidAt(groupOf(tenant, group) ?? {}, [...path, 'groups', group]),
      );
      checkLevel([...above, ...groups], level, [...path, 'users', user]);
    }
  }
  return faults;
}

/**
 * Finds values of settings that nothing in this build acts on: they have no effect, and their author must know. The
 * default is no fault, nor is what the build does anyway.
 */
export function unenforcedFaults(file: PolicyFile, tree: SettingTree): PolicyFault[] {
  return blocksOf(file).flatMap(({ path, block }) =>
    settingsIn(block, tree).flatMap(({ path: at, setting, value }) =>
      setting.isAccepted(value)
        ? []
        : [{ path: [...path, ...at], message: `${at.join('.')} would have no effect: ${setting.gap ?? ''}` }],
    ),
  );
}

/** Records of one setting that all levels of a tenant may have together: one person may have those of all. */
const MAX_TENANT_RECORDS = 5000;

/** Finds settings whose records hold together, and are too many for one tenant. */
export function recordFaults(file: PolicyFile, tree: SettingTree): PolicyFault[] {
  const counts = new Map<string, number>();
  return blocksOf(file).flatMap(({ path, block }) =>
    settingsIn(block, tree).flatMap(({ path: at, setting, value }) => {
      if (!setting.isOfRecords || !Array.isArray(value)) return [];
      const [name, key] = [at.join('.'), JSON.stringify([path[1], ...at])];
      const before = counts.get(key) ?? 0;
      counts.set(key, before + value.length);
      if (before > MAX_TENANT_RECORDS || before + value.length <= MAX_TENANT_RECORDS) return [];
      const message = `${name}: the levels of this tenant have more than ${MAX_TENANT_RECORDS} entries together`;
      return [{ path: [...path, ...at], message }];
    }),
  );
}

/** The settings of all levels and of their site rules. */
export function blocksOf({ tenants }: PolicyFile): Said[] {
  const levels = Object.entries(tenants).flatMap(([name, tenant]) => {
    const path = ['tenants', name];
    const inner = (kind: 'groups' | 'users') =>
      Object.entries(tenant[kind] ?? {}).map(([each, level]) => ({ path: [...path, kind, each], level }));
    return [{ path, level: tenant }, ...inner('groups'), ...inner('users')];
  });
  return levels.flatMap(({ path, level }) => [
    ...saidAt(level, path),
    ...(level.sites ?? []).map(({ policy }, index) => ({ path: [...path, 'sites', index, 'policy'], block: policy })),
  ]);
}

/** Returns a group of a tenant. */
export function groupOf(tenant: TenantLevel, name: string): Level | undefined {
  return tenant.groups && Object.hasOwn(tenant.groups, name) ? tenant.groups[name] : undefined;
}

function saidAt(level: Level, path: Path): Said[] {
  return level.policy ? [{ path: [...path, 'policy'], block: level.policy }] : [];
}
