import { hostAndPort } from '../base/host-name.ts';
import type { Person } from '../base/person.ts';
import { compilePattern, siteOf } from './host-pattern.ts';
import type { Matches } from './host-pattern.ts';
import type { PersonPolicyData, SiteVoice } from './person-policy-data.ts';
import type { Block } from './policy-file.ts';
import type { SettingsTable } from './settings-table.ts';
import type { Settings } from './settings.ts';
import { saidOf } from './tightening.ts';

/** Person of a decision. */
export type Subject = Pick<Person, 'subject' | 'tenant' | 'groups'>;

/** Something that a level of the file says of a setting. */
export interface Rule {
  /** Whose it is: `tenant acme`, `group staff`, `user anna`, each with ` on *.example.org` for a site rule. */
  readonly level: string;
  /** Where the value stands in the file: keys and indexes from its root. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Trace of the value of one setting. */
export interface Traced {
  /** The setting's path: `copy_paste.disable_copy`. */
  readonly setting: string;
  readonly value: unknown;
  /** The rule that made it; absent when nothing in the file speaks of it. */
  readonly decidedBy?: Rule;
  /** All that spoke of it, from the outermost. */
  readonly rules: readonly Rule[];
}

/** Settings of a person on a page, with their traces. */
export interface Decision {
  /** False for people of a tenant that the policy does not know: they are refused. */
  readonly known: boolean;
  readonly settings: Settings;
  /** All groups that count: those of the identity, and those of the file. */
  readonly groups: readonly string[];
  trace(): readonly Traced[];
}

interface Voice {
  readonly level: string;
  /** The same without patterns of sites: `tenant acme`, `tenant acme, sites[2]`. */
  readonly place: string;
  readonly path: readonly (string | number)[];
  readonly block: Block;
}

/**
 * Decides for one person: in general, on a page, or for something of several sites, such as a file, where the settings of all of them hold. Those
 * that protect have their strictest value then; the address of a blob is that of the site that has made it.
 *
 * @param now the time in ms, by which an exit from read-only has ended or not
 */
export function decideFor(
  person: PersonPolicyData,
  { leaves }: Pick<SettingsTable, 'leaves'>,
  address: string | readonly string[] = [],
  now = Date.now(),
): Decision {
  const urls = [address].flat().flatMap((each) => siteOf(each) ?? []);
  const voices = voicesOf(person, urls);
  const traced = leaves.map(({ path, setting }): Traced => {
    const rules: Rule[] = [];
    let value = setting.fallback;
    let decidedBy: Rule | undefined;
    for (const voice of voices) {
      const said = saidOf(voice.block, path);
      if (said === undefined) continue;
      const rule = { level: voice.level, path: [...voice.path, ...path], value: said };
      const placed = setting.placed(said, voice.place);
      const joined = rules.length === 0 ? placed : setting.join(value, placed);
      if (decidedBy === undefined || !isSame(joined, value)) decidedBy = rule;
      value = joined;
      rules.push(rule);
    }
    return { setting: path.join('.'), value, rules, ...(decidedBy && { decidedBy }) };
  });
  const decision: Decision = {
    known: person.known,
    settings: nested(traced) as unknown as Settings, // made of the same leaves
    groups: person.groups,
    trace: () => traced,
  };
  return hasExit(person, urls, now) && mayExit(decision) ? afterExit(decision) : onEntry(decision);
}

/** Whether a person may leave read-only where this decision holds. */
export function mayExit({ known, settings }: Decision): boolean {
  return known && settings.persistent_policy.upgrade_action !== 'none';
}

function hasExit({ exits }: PersonPolicyData, urls: readonly URL[], now: number): boolean {
  const hasLeft = (url: URL): boolean => {
    const own = hostAndPort(url);
    return own !== undefined && exits.some(({ host, until }) => host === own && until >= now);
  };
  return urls.length > 0 && urls.every(hasLeft);
}

/** Where pages are entered read-only, they open no tabs (S-094). */
function onEntry(decision: Decision): Decision {
  const { settings } = decision;
  if (settings.persistent_policy.entry_action !== 'read_only') return decision;
  const persistent_policy = { ...settings.persistent_policy, new_tabs: false };
  return { ...decision, settings: { ...settings, persistent_policy } };
}

/** The policy's read-only entry no longer applies to a person who has left read-only there. */
function afterExit(decision: Decision): Decision {
  const { settings } = decision;
  const persistent_policy = { ...settings.persistent_policy, entry_action: 'read_write' } as const;
  return { ...decision, settings: { ...settings, persistent_policy } };
}

/** All blocks that hold, the outermost first: levels, then their site rules. */
function voicesOf({ levels }: PersonPolicyData, urls: readonly URL[]): Voice[] {
  const own = levels.flatMap(({ name, path, policy }) =>
    policy ? [{ level: name, place: name, path: [...path, 'policy'], block: policy }] : [],
  );
  const sites = levels.flatMap(({ name, path, sites = [] }) =>
    sites
      .filter((rule) => matchersOf(rule).some((matches) => urls.some(matches)))
      .map(({ index, match, policy }) => ({
        level: `${name} on ${match.join(', ')}`,
        place: `${name}, sites[${index}]`,
        path: [...path, 'sites', index, 'policy'],
        block: policy,
      })),
  );
  return [...own, ...sites];
}

const compiled = new WeakMap<SiteVoice, readonly Matches[]>();

function matchersOf(rule: SiteVoice): readonly Matches[] {
  let matchers = compiled.get(rule);
  if (!matchers) compiled.set(rule, (matchers = rule.match.map(compilePattern)));
  return matchers;
}

function nested(traced: readonly Traced[]): Block {
  const root: Record<string, unknown> = {};
  for (const { setting, value } of traced) {
    const path = setting.split('.');
    const last = path.pop() ?? '';
    let at = root;
    for (const name of path) at = (at[name] ??= {}) as Record<string, unknown>; // only sections stand on the way
    at[last] = value;
  }
  return root;
}

/** Whether two values of a setting are the same; both are JSON. Without Node's own comparison: plugin tests decide in a browser, too. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
