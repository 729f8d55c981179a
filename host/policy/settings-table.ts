import { AppError } from '../../core/protocol/errors.ts';
import type { Declaring } from '../../core/contracts/setting.ts';
import { CORE_RECORDS } from './capabilities.ts';
import type { ClientSetting } from './capabilities.ts';
import { refusal, settingsOf } from './declared-settings.ts';
import type { DeclaredSettings } from './declared-settings.ts';
import { leavesOf, Setting } from './setting.ts';
import type { SettingTree } from './setting.ts';
import { PERSON_SETTINGS, SITE_SETTINGS } from './settings.ts';

/** All settings: those of the core, and those that plugins declare. */
export interface SettingsTable {
  /** Settings of a tenant, a group or a user. */
  readonly level: SettingTree;
  /** Settings of a rule for some sites. */
  readonly site: SettingTree;
  /** The settings of `level` as a list. */
  readonly leaves: readonly { readonly path: readonly string[]; readonly setting: Setting<unknown> }[];
  readonly client: readonly ClientSetting[];
  /** Declarations of plugins. {@link settingsTable} builds the same table from them in another process. */
  readonly declared: readonly DeclaredSettings[];
  /** Gaps that it was built with. */
  readonly gaps: Gaps;
}

/** Reasons why nothing on this machine acts on settings of the core, by path (`section.name`). */
export type Gaps = Readonly<Record<string, string>>;

/**
 * Builds the table of settings. Versions of one plugin may declare the same settings if the declarations are equal.
 *
 * @throws AppError `bad-plugin` naming the plugin and the setting that is invalid or already declared by another.
 */
export function settingsTable(declared: readonly DeclaredSettings[], gaps: Gaps = {}): SettingsTable {
  const site = sectionsOf(SITE_SETTINGS, gaps);
  const person = sectionsOf(PERSON_SETTINGS, gaps);
  const client: ClientSetting[] = [];
  const seen = new Map<string, string>();
  for (const each of declared) {
    const same = seen.get(each.plugin);
    if (same === JSON.stringify(each.settings)) continue;
    if (same !== undefined) throw unusable(each, 'all versions of a plugin must declare the same settings');
    seen.set(each.plugin, JSON.stringify(each.settings));
    try {
      add({ site, person, client }, each);
    } catch (thrown) {
      if (thrown instanceof AppError) throw unusable(each, thrown.message);
      throw thrown;
    }
  }
  const level: SettingTree = { ...site, ...person };
  const leaves = leavesOf(level);
  const paths = new Set(leaves.map(({ path }) => path.join('.')));
  for (const { path, setting } of leaves)
    for (const needed of setting.needs)
      if (!paths.has(needed))
        throw new AppError('bad-plugin', `${path.join('.')} needs the setting ${needed}, which does not exist`);
  return { site, level, leaves, client, declared, gaps };
}

function unusable({ plugin }: DeclaredSettings, reason: string): AppError {
  return new AppError('bad-plugin', `${plugin}: ${reason}`);
}

type Sections = Record<string, Setting<unknown> | Record<string, Setting<unknown> | SettingTree>>;

interface Tables {
  readonly site: Sections;
  readonly person: Sections;
  readonly client: ClientSetting[];
}

/** The section of a person's settings to which plugins of this checkout may add: the specification's client capabilities. */
const CLIENT_CAPABILITIES = 'client_capabilities';

/** Names of the client capabilities that have a setting of their own, those of plugins included. */
export function ownCapabilities({ level }: Pick<SettingsTable, 'level'>): string[] {
  return Object.keys(level[CLIENT_CAPABILITIES] ?? {});
}

function sectionsOf(settings: SettingTree, gaps: Gaps): Sections {
  const sections: Sections = {};
  for (const [section, entry] of Object.entries(settings)) {
    if (entry instanceof Setting) {
      sections[section] = entry;
      continue;
    }
    const own: Record<string, Setting<unknown> | SettingTree> = { ...entry };
    for (const [name, each] of Object.entries(own)) {
      const gap = gaps[`${section}.${name}`];
      if (each instanceof Setting && gap !== undefined) own[name] = each.unenforced(gap);
    }
    sections[section] = own;
  }
  return sections;
}

function add({ site, person, client }: Tables, { plugin, settings, isExternal, isLeftOut }: DeclaredSettings): void {
  for (const [name, leaves] of Object.entries(settingsOf(settings))) {
    const sections = name === CLIENT_CAPABILITIES ? person : site;
    const isThere = Object.hasOwn(sections, name) || Object.hasOwn(person, name);
    const section = isThere ? sections[name] : (sections[name] = {});
    if (!section || section instanceof Setting || (isExternal && isThere))
      throw refusal(name, 'this setting is already declared');
    for (const [leaf, setting] of Object.entries(leaves)) {
      if (Object.hasOwn(section, leaf)) throw refusal(`${name}.${leaf}`, 'this setting is already declared');
      section[leaf] = isLeftOut ? setting.unenforced(`the plugin ${plugin} is not part of this build`) : setting;
      for (const at of settings[name]?.[leaf]?.client ?? []) {
        const isTaken = CORE_RECORDS.includes(at) || client.some((other) => overlap(other.at.join('.'), at));
        if (isTaken) throw refusal(`${name}.${leaf}`, `${at} is already used in the client's capabilities`);
        const places = at.split('.');
        client.push({ path: [name, leaf], at: places, ...(!isExternal && { key: places.at(-1) ?? at }) });
      }
    }
  }
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The table of the core's settings only. */
export const coreSettings = settingsTable([]);

/** Declarations of plugins. @param leftOut plugins of the checkout that are not part of the build */
export function declaredBy(
  plugins: readonly { readonly manifest: Declaring & { readonly id: string }; readonly external: boolean }[],
  leftOut: readonly (Declaring & { readonly id: string })[] = [],
): DeclaredSettings[] {
  const declared = ({ id, settings }: Declaring & { readonly id: string }, isExternal: boolean, isLeftOut: boolean) =>
    settings ? [{ plugin: id, settings, isExternal, isLeftOut }] : [];
  return [
    ...plugins.flatMap(({ manifest, external }) => declared(manifest, external, false)),
    ...leftOut.flatMap((manifest) => declared(manifest, false, true)),
  ];
}
