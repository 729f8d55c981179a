import * as v from 'valibot';
import type { Schema } from '../../core/protocol/message.ts';
import type { Capabilities } from './capabilities.ts';
import type { Assignment } from './flags.ts';

/** Capabilities of a person, as sent at pairing. Plain JSON. */
export interface Grant {
  readonly capabilities: Capabilities;
  /** Values of flags, by capability. */
  readonly flags: readonly (readonly [capability: string, assignment: Assignment])[];
}

/** Grants of one person. Asynchronous: flags are evaluated where their provider is. */
export interface PersonGrants {
  /** Returns the person's capabilities on a page, flags included. `userAgent` is that of their browser. */
  grant(url: string, userAgent: string): Promise<Grant>;
}

const MAX_NAME = 1000;
const MAX_ENTRIES = 100_000;
const text = v.pipe(v.string(), v.maxLength(MAX_NAME));
const assignment = v.strictObject({ value: v.union([v.boolean(), text]), variant: text, reason: text });

/** Schema of a grant that another process has sent. */
export const grantSchema: Schema<Grant> = v.strictObject({
  capabilities: v.pipe(v.record(text, v.unknown()), v.maxEntries(MAX_ENTRIES)),
  flags: v.pipe(v.array(v.tuple([text, assignment])), v.maxLength(MAX_ENTRIES)),
});
