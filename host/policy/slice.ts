import type { Subject } from './decision.ts';
import type { LevelVoice, PersonPolicyData, ReadOnlyExit, SiteVoice } from './person-policy-data.ts';
import type { Level, SiteRule, TenantLevel, UserLevel } from './policy-file.ts';
import type { Policy } from './policy.ts';
import { groupOf } from './tightening.ts';

/** State of an engine from which a slice is taken. */
interface SliceState {
  readonly revision: number;
  readonly exits: readonly ReadOnlyExit[];
}

/**
 * Takes the part of a policy that applies to one person. The file may be absent: then every setting has its default.
 * Shares its blocks with the policy: send it or read it, never change it.
 */
export function sliceOf(
  policy: Policy | undefined,
  subject: Subject,
  { revision, exits }: SliceState = { revision: 0, exits: [] },
): PersonPolicyData {
  const tenants = policy?.content.tenants;
  const tenant = tenants && Object.hasOwn(tenants, subject.tenant) ? tenants[subject.tenant] : undefined;
  const groups = tenant ? groupsOf(tenant, subject) : [...subject.groups];
  return {
    revision,
    tenant: subject.tenant,
    subject: subject.subject,
    groups,
    known: policy === undefined || tenant !== undefined,
    levels: tenant ? levelsOf(tenant, subject, groups) : [],
    exits,
  };
}

function groupsOf(tenant: TenantLevel, subject: Subject): string[] {
  return [...new Set([...subject.groups, ...(userOf(tenant, subject)?.groups ?? [])])];
}

function userOf(tenant: TenantLevel, { subject }: Subject): UserLevel | undefined {
  return tenant.users && Object.hasOwn(tenant.users, subject) ? tenant.users[subject] : undefined;
}

/** Levels that set something, the outermost first. */
function levelsOf(tenant: TenantLevel, person: Subject, groups: readonly string[]): LevelVoice[] {
  const root = ['tenants', person.tenant];
  const counted = new Set(groups);
  // Groups in the order of the file, so that the order in which an identity names them has no effect.
  const named = Object.keys(tenant.groups ?? {}).filter((name) => counted.has(name));
  return [
    voiceOf(`tenant ${person.tenant}`, root, tenant),
    ...named.map((name) => voiceOf(`group ${name}`, [...root, 'groups', name], groupOf(tenant, name))),
    voiceOf(`user ${person.subject}`, [...root, 'users', person.subject], userOf(tenant, person)),
  ].filter((voice) => voice.policy !== undefined || voice.sites !== undefined);
}

function voiceOf(name: string, path: readonly string[], level: Level | undefined): LevelVoice {
  return {
    name,
    path,
    ...(level?.policy && { policy: level.policy }),
    ...(level?.sites && { sites: sitesOf(level.sites) }),
  };
}

/** Site rules as slices hold them: the same objects each time, so that their patterns are compiled once. */
const sites = new WeakMap<readonly SiteRule[], readonly SiteVoice[]>();

function sitesOf(rules: readonly SiteRule[]): readonly SiteVoice[] {
  let voices = sites.get(rules);
  if (!voices) {
    voices = rules.map(({ match, policy }, index) => ({ index, match: [match].flat(), policy }));
    sites.set(rules, voices);
  }
  return voices;
}
