import * as v from 'valibot';
import { flagSchema } from './flag-file.ts';
import type { FlagFile } from './flag-file.ts';
import { sitePattern } from './host-pattern.ts';
import { blockSchema } from './setting.ts';
import type { SettingsTable } from './settings-table.ts';

/** Settings of one level as written in the file: any of them may be missing. */
export type Block = Readonly<Record<string, unknown>>;

/** Settings of a level for some sites. */
export interface SiteRule {
  readonly match: string | readonly string[];
  readonly policy: Block;
}

/** A tenant, group or user. */
export interface Level {
  readonly policy?: Block;
  readonly sites?: readonly SiteRule[];
}

export interface UserLevel extends Level {
  /** Groups in addition to those that the person's identity names. */
  readonly groups?: readonly string[];
}

export interface TenantLevel extends Level {
  readonly groups?: Readonly<Record<string, Level>>;
  readonly users?: Readonly<Record<string, UserLevel>>;
}

/** A policy file as it is written. */
export interface PolicyFile extends FlagFile {
  readonly tenants: Readonly<Record<string, TenantLevel>>;
}

const name = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(/^[^\p{Cc}]*$/u, 'write a name without control characters'),
);
const optional = v.exactOptional;
const described = <S extends v.GenericSchema>(schema: S, about: string) => v.pipe(schema, v.description(about));

/** The schemas of a policy file and of parts that it uses in several places. */
interface PolicySchemas {
  readonly file: v.GenericSchema;
  /** Schema of a level. */
  readonly policy: v.GenericSchema;
  /** Schema of a rule for some sites. */
  readonly site: v.GenericSchema;
}

const made = new WeakMap<SettingsTable, PolicySchemas>();

/** Creates the schemas of a policy file for these settings. */
export function policySchemas(settings: SettingsTable): PolicySchemas {
  let schemas = made.get(settings);
  if (!schemas) made.set(settings, (schemas = makeSchemas(settings)));
  return schemas;
}

function makeSchemas(settings: SettingsTable): PolicySchemas {
  const policy = blockSchema(settings.level);
  const site = v.strictObject({
    match: described(
      v.union([sitePattern, v.pipe(v.array(sitePattern), v.minLength(1), v.maxLength(1000))]),
      'Pages that the rule is for: host, *.host, host:port, scheme://host/path/*, or *; or a list of these',
    ),
    policy: described(blockSchema(settings.site), 'Settings for these pages'),
  });
  const level = {
    policy: optional(described(policy, 'Settings of this level and those below')),
    sites: optional(
      described(v.pipe(v.array(site), v.maxLength(10_000)), 'Rules for some pages; all matching rules apply'),
    ),
  };
  const user = v.strictObject({
    ...level,
    groups: optional(described(v.array(name), "Groups in addition to those of the person's identity")),
  });
  const tenant = v.strictObject({
    ...level,
    groups: optional(described(v.record(name, v.strictObject(level)), 'Groups by name')),
    users: optional(described(v.record(name, user), 'People by the subject of their identity')),
  });
  const file = v.strictObject({
    tenants: described(
      v.record(name, tenant),
      'Tenants by name; people of other tenants are refused. The embedded default has one tenant, `default`',
    ),
    flags: optional(described(v.record(name, flagSchema), "Flags by capability, in flagd's format")),
    $evaluators: optional(described(v.record(name, v.unknown()), "Shared rules of flags, in flagd's format")),
  });
  return { file, policy, site };
}
