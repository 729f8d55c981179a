import { levelPolicySchema, policyFileSchema, siteRuleSchema } from './policy-file.ts';

/** A JSON Schema, draft 2020-12. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** What is read of a schema or an action of valibot's: both are plain objects. */
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
}

const ACTIONS: Readonly<Record<string, (part: Part) => JsonSchema>> = {
  description: ({ description }) => ({ description }),
  regex: ({ requirement }) => ({ pattern: (requirement as RegExp).source }),
  min_length: ({ requirement }) => ({ minLength: requirement }),
  max_length: ({ requirement }) => ({ maxLength: requirement }),
  min_value: ({ requirement }) => ({ minimum: requirement }),
  max_value: ({ requirement }) => ({ maximum: requirement }),
  min_entries: ({ requirement }) => ({ minProperties: requirement }),
  integer: () => ({ type: 'integer' }),
  finite: () => ({}),
  transform: () => ({}), // of what has been read: the file holds what comes before
};

const SCHEMAS: Readonly<Record<string, (part: Part) => JsonSchema>> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  unknown: () => ({}),
  picklist: ({ options }) => ({ enum: options }),
  union: ({ options = [] }) => ({ anyOf: options.map((option) => convert(option as Part)) }),
  array: ({ item }) => ({ type: 'array', items: convert(item) }),
  record: ({ key, value }) => ({ type: 'object', propertyNames: convert(key), additionalProperties: convert(value) }),
  strict_object: ({ entries = {} }) => {
    const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'exact_optional');
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, convert(entry)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  },
  exact_optional: ({ wrapped }) => convert(wrapped),
};

/** Schemas that stand in several places, by the name under which they are published once. */
const DEFINITIONS: Readonly<Record<string, unknown>> = { policy: levelPolicySchema, site: siteRuleSchema };

function convert(part: Part | undefined, isDefinition = false): JsonSchema {
  if (!part) return {};
  const defined = Object.entries(DEFINITIONS).find(([, schema]) => schema === part)?.[0];
  if (defined !== undefined && !isDefinition) return { $ref: `#/$defs/${defined}` };
  const { pipe: [schema = part, ...actions] = [] } = part;
  // A pipe's first member may be a pipe itself.
  const base = schema === part ? table(SCHEMAS, schema)(schema) : convert(schema);
  return actions.reduce((result, action) => {
    const added = action.kind === 'schema' ? convert(action) : table(ACTIONS, action)(action);
    return { ...result, ...forArray(added, result) };
  }, base);
}

/** Lengths of lists have names of their own. */
function forArray(added: JsonSchema, { type }: JsonSchema): JsonSchema {
  if (type !== 'array') return added;
  const names: Readonly<Record<string, string>> = { minLength: 'minItems', maxLength: 'maxItems' };
  return Object.fromEntries(Object.entries(added).map(([name, value]) => [names[name] ?? name, value]));
}

function table(of: Readonly<Record<string, (part: Part) => JsonSchema>>, { type }: Part): (part: Part) => JsonSchema {
  const found = of[type];
  if (!found) throw new TypeError(`no JSON Schema is known for ${type}`);
  return found;
}

/** The published schema of policy files, for editors: it holds of a file's shape, not of what levels may say together. */
export function policyJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policy of Vitrine',
    ...convert(policyFileSchema),
    $defs: Object.fromEntries(
      Object.entries(DEFINITIONS).map(([name, schema]) => [name, convert(schema as Part, true)]), // see Part
    ),
  };
}
