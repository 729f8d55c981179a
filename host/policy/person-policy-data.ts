import * as v from 'valibot';
import type { Schema } from '../../core/protocol/message.ts';
import { sitePattern } from './host-pattern.ts';
import type { Block } from './policy-file.ts';
import { valueSchema } from './setting.ts';
import type { SettingsTable } from './settings-table.ts';

/** Pages for which a level has a rule. */
export interface SiteVoice {
  /** Index of the rule among those of its level in the file. */
  readonly index: number;
  readonly match: readonly string[];
  readonly policy: Block;
}

/** One level of the file that applies to a person: their tenant, one of their groups, or the user. */
export interface LevelVoice {
  /** Its name in traces: `tenant acme`, `group staff`, `user anna`. */
  readonly name: string;
  /** Place of the level in the file: keys from its root. */
  readonly path: readonly string[];
  readonly policy?: Block;
  readonly sites?: readonly SiteVoice[];
}

/** A site on which a person has left read-only. */
export interface ReadOnlyExit {
  /** Host of the site, with its port where it has one. */
  readonly host: string;
  /** End of the exit, in ms since 1970. */
  readonly until: number;
}

/** The whole policy for one person, as plain JSON: a process can decide with it without the policy file. */
export interface PersonPolicyData {
  /** Revision of the policy that it was taken from; a later one is larger. */
  readonly revision: number;
  readonly tenant: string;
  readonly subject: string;
  /** All groups that apply: those of the identity, and those of the file. */
  readonly groups: readonly string[];
  /** False for people of a tenant that the policy does not know: they are refused. */
  readonly known: boolean;
  /** Levels that set something, the outermost first. */
  readonly levels: readonly LevelVoice[];
  /** The oldest first. */
  readonly exits: readonly ReadOnlyExit[];
}

/** Maximum number of sites on which one person has left read-only at a time. */
export const MAX_PERSON_EXITS = 200;

const MAX_LEVELS = 10_002;
const optional = v.exactOptional;
const name = v.pipe(v.string(), v.maxLength(1000));
const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Schema of data that another process has sent, down to the value of each setting. */
export function personPolicyData({ level, site }: SettingsTable): Schema<PersonPolicyData> {
  const rule = v.strictObject({
    index: whole,
    match: v.pipe(v.array(sitePattern), v.minLength(1), v.maxLength(1000)),
    policy: valueSchema(site),
  });
  const voice = v.strictObject({
    name,
    path: v.pipe(v.array(name), v.maxLength(4)),
    policy: optional(valueSchema(level)),
    sites: optional(v.pipe(v.array(rule), v.maxLength(10_000))),
  });
  const schema = v.strictObject({
    revision: whole,
    tenant: name,
    subject: name,
    groups: v.pipe(v.array(name), v.maxLength(MAX_LEVELS)),
    known: v.boolean(),
    levels: v.pipe(v.array(voice), v.maxLength(MAX_LEVELS)),
    exits: v.pipe(
      v.array(v.strictObject({ host: v.pipe(v.string(), v.maxLength(300)), until: whole })),
      v.maxLength(MAX_PERSON_EXITS),
    ),
  });
  return schema as unknown as Schema<PersonPolicyData>; // blocks are records of their settings
}
