import type { Person } from '../link.ts';
import { compilePattern } from './host-pattern.ts';
import type { Matches } from './host-pattern.ts';
import type { Block, Level, SiteRule, TenantLevel } from './policy-file.ts';
import type { Policy } from './policy.ts';
import type { Settings } from './settings.ts';
import { groupOf, LEAVES, saidOf } from './tightening.ts';

/** Whom a decision is about. */
export type Subject = Pick<Person, 'subject' | 'tenant' | 'groups'>;

/** Something that a level of the file says of a setting. */
export interface Rule {
  /** Whose it is: `tenant acme`, `group staff`, `user anna`, each with ` on *.example.org` for a site rule. */
  readonly level: string;
  /** Where the value stands in the file: keys and indexes from its root. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** How the value of one setting came about. */
export interface Traced {
  /** The setting's path: `copy_paste.disable_copy`. */
  readonly setting: string;
  readonly value: unknown;
  /** The rule that made it; absent when nothing in the file speaks of it. */
  readonly decidedBy?: Rule;
  /** All that spoke of it, from the outermost. */
  readonly rules: readonly Rule[];
}

/** What holds for a person on a page, and why. */
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
  readonly path: readonly (string | number)[];
  readonly block: Block;
}

/** Decides. The file may be absent: then everything is as it is by default. */
export function decide(policy: Policy | undefined, subject: Subject, address?: string): Decision {
  const url = address === undefined ? undefined : (URL.parse(address) ?? undefined);
  const tenants = policy?.content.tenants;
  const tenant = tenants && Object.hasOwn(tenants, subject.tenant) ? tenants[subject.tenant] : undefined;
  const groups = tenant ? groupsOf(tenant, subject) : [...subject.groups];
  const voices = tenant ? voicesOf(tenant, subject, groups, url) : [];
  const traced = LEAVES.map(({ path, setting }): Traced => {
    const rules: Rule[] = [];
    let value = setting.fallback;
    let decidedBy: Rule | undefined;
    for (const voice of voices) {
      const said = saidOf(voice.block, path);
      if (said === undefined) continue;
      const rule = { level: voice.level, path: [...voice.path, ...path], value: said };
      const joined = rules.length === 0 ? said : setting.join(value, said);
      if (decidedBy === undefined || !isSame(joined, value)) decidedBy = rule;
      value = joined;
      rules.push(rule);
    }
    return { setting: path.join('.'), value, rules, ...(decidedBy && { decidedBy }) };
  });
  return {
    known: policy === undefined || tenant !== undefined,
    settings: nested(traced) as unknown as Settings, // made of the same leaves
    groups,
    trace: () => traced,
  };
}

function groupsOf(tenant: TenantLevel, { subject, groups }: Subject): string[] {
  const user = tenant.users && Object.hasOwn(tenant.users, subject) ? tenant.users[subject] : undefined;
  return [...new Set([...groups, ...(user?.groups ?? [])])];
}

/** All blocks that hold, the outermost first: levels, then their site rules. */
function voicesOf(tenant: TenantLevel, person: Subject, groups: readonly string[], url: URL | undefined): Voice[] {
  const root = ['tenants', person.tenant];
  const user = tenant.users && Object.hasOwn(tenant.users, person.subject) ? tenant.users[person.subject] : undefined;
  // Groups as the file orders them, so that the order in which an identity names them changes nothing.
  const named = Object.keys(tenant.groups ?? {}).filter((name) => groups.includes(name));
  const levels: { readonly name: string; readonly path: readonly string[]; readonly level: Level }[] = [
    { name: `tenant ${person.tenant}`, path: root, level: tenant },
    ...named.map((name) => ({
      name: `group ${name}`,
      path: [...root, 'groups', name],
      level: groupOf(tenant, name) ?? {},
    })),
    ...(user ? [{ name: `user ${person.subject}`, path: [...root, 'users', person.subject], level: user }] : []),
  ];
  const own = levels.flatMap(({ name, path, level }) =>
    level.policy ? [{ level: name, path: [...path, 'policy'], block: level.policy }] : [],
  );
  if (!url) return own;
  const sites = levels.flatMap(({ name, path, level }) =>
    (level.sites ?? []).flatMap((rule, index) =>
      patternsOf(rule).some(({ matches }) => matches(url))
        ? [
            {
              level: `${name} on ${[rule.match].flat().join(', ')}`,
              path: [...path, 'sites', index, 'policy'],
              block: rule.policy,
            },
          ]
        : [],
    ),
  );
  return [...own, ...sites];
}

interface Pattern {
  readonly text: string;
  readonly matches: Matches;
}

const compiled = new WeakMap<SiteRule, readonly Pattern[]>();

function patternsOf(rule: SiteRule): readonly Pattern[] {
  let patterns = compiled.get(rule);
  if (!patterns) {
    patterns = [rule.match].flat().map((text) => ({ text, matches: compilePattern(text) }));
    compiled.set(rule, patterns);
  }
  return patterns;
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
