import { policySchemas } from './policy-file.ts';
import type { SettingsTable } from './settings-table.ts';

/** A JSON Schema, draft 2020-12. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The fields that are read of a valibot schema or action: both are plain objects. */
interface Part {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly Part[];
  readonly wrapped?: Part;
  readonly entries?: Readonly<Record<string, Part>>;
  readonly key?: Part;
  readonly value?: Part;
  readonly item?: Part;
  readonly options?: readonly unknown[];
  readonly requirement?: unknown;
  readonly description?: string;
  readonly metadata?: { readonly accepted?: readonly unknown[] };
}

const ACTIONS: Readonly<Record<string, (part: Part) => JsonSchema>> = {
  description: ({ description }) => ({ description }),
  // A setting that nothing acts on: no other value is accepted.
  metadata: ({ metadata: { accepted = [] } = {} }) => (accepted.length > 0 ? { enum: accepted } : { not: {} }),
  regex: ({ requirement }) => ({ pattern: (requirement as RegExp).source }),
  min_length: ({ requirement }) => ({ minLength: requirement }),
  max_length: ({ requirement }) => ({ maxLength: requirement }),
  min_value: ({ requirement }) => ({ minimum: requirement }),
  max_value: ({ requirement }) => ({ maximum: requirement }),
  min_entries: ({ requirement }) => ({ minProperties: requirement }),
  integer: () => ({ type: 'integer' }),
  finite: () => ({}),
  transform: () => ({}), // schema of the input: the file holds the values before transforms
};

type Convert = (part: Part | undefined) => JsonSchema;

const SCHEMAS: Readonly<Record<string, (part: Part, convert: Convert) => JsonSchema>> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  unknown: () => ({}),
  picklist: ({ options }) => ({ enum: options }),
  union: ({ options = [] }, convert) => ({ anyOf: options.map((option) => convert(option as Part)) }),
  array: ({ item }, convert) => ({ type: 'array', items: convert(item) }),
  record: ({ key, value }, convert) => ({
    type: 'object',
    propertyNames: convert(key),
    additionalProperties: convert(value),
  }),
  strict_object: ({ entries = {} }, convert) => {
    const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'exact_optional');
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, convert(entry)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  },
  exact_optional: ({ wrapped }, convert) => convert(wrapped),
};

/** Converts one schema; its parts are converted by `convert`. */
function converted(part: Part, convert: Convert): JsonSchema {
  const { pipe: [schema = part, ...actions] = [] } = part;
  // A pipe's first member may be a pipe itself.
  const base = schema === part ? table(SCHEMAS, schema)(schema, convert) : convert(schema);
  return actions.reduce((result, action) => {
    const added = action.kind === 'schema' ? convert(action) : table(ACTIONS, action)(action);
    return withAll(result, forArray(added, result));
  }, base);
}

/** Adds keywords to a schema. The later of two types or bounds is the narrower one; of two patterns, both hold. */
function withAll(schema: JsonSchema, added: JsonSchema): JsonSchema {
  if (!('pattern' in added && 'pattern' in schema)) return { ...schema, ...added };
  const { allOf = [] } = schema;
  return { ...schema, allOf: [...(allOf as readonly JsonSchema[]), added] }; // made here
}

/** Length limits of arrays have their own keywords. */
function forArray(added: JsonSchema, { type }: JsonSchema): JsonSchema {
  if (type !== 'array') return added;
  const names: Readonly<Record<string, string>> = { minLength: 'minItems', maxLength: 'maxItems' };
  return Object.fromEntries(Object.entries(added).map(([name, value]) => [names[name] ?? name, value]));
}

function table<T>(of: Readonly<Record<string, T>>, { type }: Part): T {
  const found = of[type];
  if (!found) throw new TypeError(`no JSON Schema is known for ${type}`);
  return found;
}

/**
 * Returns the published schema of policy files, for editors: it describes a file's shape, not the rules between levels.
 */
export function policyJsonSchema(settings: SettingsTable): JsonSchema {
  const { file, ...definitions } = policySchemas(settings);
  // A schema used in several places is published once, under its name.
  const names = new Map<unknown, string>(Object.entries(definitions).map(([name, schema]) => [schema, name]));
  const convert: Convert = (part) => {
    const name = names.get(part);
    if (name !== undefined) return { $ref: `#/$defs/${name}` };
    return part ? converted(part, convert) : {};
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policy of Vitrine',
    ...convert(file), // see Part
    $defs: Object.fromEntries(
      Object.entries(definitions).map(([name, schema]) => [name, converted(schema as unknown as Part, convert)]),
    ),
  };
}
