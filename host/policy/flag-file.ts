import * as v from 'valibot';
import type { PolicyFault } from './policy-error.ts';

/** A flag in flagd's format, whose values are those of a capability: off, on, or the name of a variant. */
export interface Flag {
  readonly state: 'ENABLED' | 'DISABLED';
  readonly variants: Readonly<Record<string, boolean | string>>;
  readonly defaultVariant: string;
  readonly targeting?: unknown;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
}

/** The part of a policy file that is a flagd file. */
export interface FlagFile {
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly $evaluators?: Readonly<Record<string, unknown>>;
}

const text = v.pipe(v.string(), v.maxLength(200));
const variant = v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/, 'write letters, digits, _, . and -'));

export const flagSchema = v.strictObject({
  state: v.picklist(['ENABLED', 'DISABLED']),
  variants: v.pipe(v.record(variant, v.union([v.boolean(), variant])), v.minEntries(1)),
  defaultVariant: variant,
  targeting: v.exactOptional(v.pipe(v.unknown(), v.description('A JsonLogic rule that yields the name of a variant'))),
  metadata: v.exactOptional(v.record(text, v.union([text, v.number(), v.boolean()]))),
});

/** Returns the named entries of a file that may be malformed; none where the value is not an object. */
export function namesIn(file: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof file !== 'object' || file === null || Array.isArray(file) || !Object.hasOwn(file, name)) return {};
  const found = (file as Readonly<Record<string, unknown>>)[name]; // it has it
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {};
}

/**
 * Finds faults of flags beyond their shape: variants that do not exist. Paths start at the file's root. Reads the file
 * as written, so that a malformed part of a flag does not hide other faults.
 */
export function flagFaults(file: unknown): PolicyFault[] {
  const flags = namesIn(file, 'flags');
  return Object.keys(flags).flatMap((name) => {
    const flag = namesIn(flags, name);
    const known = Object.keys(namesIn(flag, 'variants'));
    if (known.length === 0) return []; // which is a fault itself
    const missing = (variantName: unknown, ...path: (string | number)[]): PolicyFault[] =>
      typeof variantName !== 'string' || known.includes(variantName)
        ? []
        : [
            {
              path: ['flags', name, ...path],
              message: `unknown variant ${variantName}: expected one of ${known.join(', ')}`,
            },
          ];
    return [
      ...missing(flag['defaultVariant'], 'defaultVariant'),
      ...outcomes(flag['targeting'], ['targeting']).flatMap(({ variant: outcome, path }) => missing(outcome, ...path)),
    ];
  });
}

interface Outcome {
  readonly variant: string;
  readonly path: readonly (string | number)[];
}

/** Variants that a rule names and that can be seen without evaluation: results of `if`, buckets of `fractional`. */
function outcomes(rule: unknown, path: readonly (string | number)[]): Outcome[] {
  if (typeof rule === 'string') return [{ variant: rule, path }];
  if (typeof rule !== 'object' || rule === null) return [];
  const [operator, given] = Object.entries(rule)[0] ?? [];
  if (operator === undefined || !Array.isArray(given)) return [];
  const args: readonly unknown[] = given;
  const at = (index: number): Outcome[] => outcomes(args[index], [...path, operator, index]);
  if (operator === 'if')
    return args.flatMap((_, index) => (index % 2 === 1 || index === args.length - 1 ? at(index) : []));
  if (operator !== 'fractional') return [];
  return args.flatMap((bucket, index) =>
    Array.isArray(bucket) && typeof bucket[0] === 'string'
      ? [{ variant: bucket[0], path: [...path, operator, index, 0] }]
      : [],
  );
}
