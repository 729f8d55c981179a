import * as v from 'valibot';
import { flagFaults } from './flag-file.ts';
import { targetingFaults } from './flag-provider.ts';
import { policyFile, policyFileSchema } from './policy-file.ts';
import type { PolicyFile, TenantLevel } from './policy-file.ts';
import { PolicyError } from './policy-error.ts';
import type { PolicyFault, Position } from './policy-error.ts';
import { placed, readText } from './policy-text.ts';
import { saidOf, looseningFaults } from './tightening.ts';

/** A policy that is in order. */
export interface Policy {
  /** How the file is called in messages. */
  readonly file: string;
  readonly content: PolicyFile;
}

/** A policy with the places of what it says. */
export interface PlacedPolicy extends Policy {
  /** Where something stands in the file. */
  place(path: readonly (string | number)[]): Position;
}

/** A policy file larger than this, in characters, is none. */
const MAX_LENGTH = 4 * 1024 * 1024;

/**
 * Reads the text of a policy file.
 *
 * @throws PolicyError naming every fault with line, column and reason.
 */
export function parsePolicy(source: string, file: string): PlacedPolicy {
  if (source.length > MAX_LENGTH)
    throw new PolicyError(file, [{ line: 1, column: 1, message: `the file is longer than ${MAX_LENGTH} characters` }]);
  const outcome = readText(source);
  if ('faults' in outcome) throw new PolicyError(file, outcome.faults);
  const { text } = outcome;
  const lists = listFaults(policyFileSchema, text.value, []);
  if (lists.length > 0) throw new PolicyError(file, placed(text, lists));
  const parsed = v.safeParse(policyFile, text.value);
  if (!parsed.success) throw new PolicyError(file, placed(text, parsed.issues.flatMap(shapeFaults)));
  const content = parsed.output;
  const describe = (path: readonly (string | number)[]): string => `line ${text.place(path).line}`;
  const faults = [
    ...Object.entries(content.tenants).flatMap(([name, tenant]) => memberFaults(tenant, ['tenants', name])),
    ...bandwidthFaults(content),
    ...looseningFaults(content, describe),
    ...flagFaults(content),
  ];
  if (faults.length === 0) faults.push(...targetingFaults(content));
  if (faults.length > 0) throw new PolicyError(file, placed(text, faults));
  return { file, content, place: (path) => text.place(path) };
}

type Issue = v.BaseIssue<unknown>;

/** What an issue of the schema means to whoever wrote the file. Of a union, the issues of the member that comes closest. */
function shapeFaults(issue: Issue): PolicyFault[] {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const last = path.at(-1);
  if (issue.expected === 'never' && last !== undefined) {
    const known = keysAt(policyFileSchema, path.slice(0, -1));
    return [
      {
        path,
        key: true,
        message: `${JSON.stringify(last)} is no key here${known.length > 0 ? `: there are ${known.join(', ')}` : ''}`,
      },
    ];
  }
  if (issue.kind === 'schema' && issue.received === 'undefined' && last !== undefined && issue.input === undefined)
    return [{ path: path.slice(0, -1), message: `${JSON.stringify(last)} is missing` }];
  const where = path.length > 0 ? `${path.filter((step) => typeof step === 'string').at(-1) ?? ''}: ` : '';
  return [{ path, key: isKeyIssue(issue), message: `${where}${reason(issue)}` }];
}

function isKeyIssue(issue: Issue): boolean {
  return issue.path?.at(-1)?.origin === 'key';
}

function reason(issue: Issue): string {
  const { message, expected, received } = issue;
  if (!message.startsWith('Invalid')) return message;
  const hint = expected === 'boolean' && typeof issue.input === 'string' ? ': write true or false, without quotes' : '';
  return `${expected ?? 'something else'} is expected, not ${received}${hint}`;
}

/** Lists where names with values belong, which the schema library takes for objects. */
function listFaults(schema: unknown, value: unknown, path: readonly (string | number)[]): PolicyFault[] {
  const { type, entries = {}, value: each, item } = bare(schema) as Shape & { readonly entries?: Shape };
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => listFaults(each ?? entries[name], inner, [...path, name]));
  if (type === 'strict_object' || type === 'record')
    return [{ path, message: `${String(path.at(-1) ?? 'the file')}: names with values are expected, not a list` }];
  return value.flatMap((inner, index) => listFaults(item, inner, [...path, index]));
}

/** The keys that an object in the schema knows. */
function keysAt(schema: unknown, path: readonly (string | number)[]): string[] {
  let at = bare(schema);
  for (const step of path) at = bare(at['entries'] ? (at['entries'] as Shape)[step] : (at['value'] ?? at['item']));
  return Object.keys((at['entries'] as Shape | undefined) ?? {});
}

type Shape = Readonly<Record<string, unknown>>;

/** A schema without what wraps it; of a union, the member that has a shape. */
function bare(schema: unknown): Shape {
  const shape = (schema ?? {}) as Shape; // schemas are plain objects
  return 'wrapped' in shape ? bare(shape['wrapped']) : shape;
}

function memberFaults(tenant: TenantLevel, path: readonly string[]): PolicyFault[] {
  const known = new Set(Object.keys(tenant.groups ?? {}));
  const there = known.size > 0 ? `: there are ${[...known].join(', ')}` : '';
  return Object.entries(tenant.users ?? {}).flatMap(([user, { groups = [] }]) =>
    groups.flatMap((group, index) =>
      known.has(group)
        ? []
        : [
            {
              path: [...path, 'users', user, 'groups', index],
              message: `there is no group ${JSON.stringify(group)} in this tenant${there}`,
            },
          ],
    ),
  );
}

const THRESHOLDS = ['warn_megabytes', 'exceed_megabytes', 'block_megabytes'];

/** Thresholds of one level that come in the wrong order. */
function bandwidthFaults({ tenants }: PolicyFile): PolicyFault[] {
  const levels = Object.entries(tenants).flatMap(([name, tenant]) => [
    { path: ['tenants', name], level: tenant },
    ...Object.entries(tenant.groups ?? {}).map(([group, level]) => ({
      path: ['tenants', name, 'groups', group],
      level,
    })),
    ...Object.entries(tenant.users ?? {}).map(([user, level]) => ({ path: ['tenants', name, 'users', user], level })),
  ]);
  return levels.flatMap(({ path, level }) => {
    const said = THRESHOLDS.map((key) => ({ key, value: saidOf(level.policy ?? {}, ['bandwidth', key]) }));
    const given = said.filter((each): each is { key: string; value: number } => typeof each.value === 'number');
    return given.flatMap(({ key, value }, index) => {
      const before = given[index - 1];
      return before && before.value > value
        ? [{ path: [...path, 'policy', 'bandwidth', key], message: `${key} is below ${before.key}` }]
        : [];
    });
  });
}
