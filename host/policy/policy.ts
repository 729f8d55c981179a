import { flagFaults } from './flag-file.ts';
import { targetingFaults } from './flag-provider.ts';
import { ruleFaults } from './flag-rule.ts';
import type { Block, PolicyFile, TenantLevel } from './policy-file.ts';
import { PolicyError } from './policy-error.ts';
import type { PolicyFault, Position } from './policy-error.ts';
import { readShape } from './policy-shape.ts';
import { placed, readText } from './policy-text.ts';
import type { SettingsTable } from './settings-table.ts';
import { looseningFaults, recordFaults, saidOf, unenforcedFaults } from './tightening.ts';

/** A valid policy. */
export interface Policy {
  /** Name of the file in messages. */
  readonly file: string;
  readonly content: PolicyFile;
}

/** A policy with the positions of its values. */
export interface PlacedPolicy extends Policy {
  /** Position of a value in the file. */
  place(path: readonly (string | number)[]): Position;
}

/** Maximum length of a policy file, in characters. */
export const MAX_LENGTH = 4 * 1024 * 1024;

/** Creates the error for a file that is too long. */
export function tooLong(file: string): PolicyError {
  return new PolicyError(file, [{ line: 1, column: 1, message: `the file is longer than ${MAX_LENGTH} characters` }]);
}

/**
 * Parses the text of a policy file with these settings.
 *
 * @throws PolicyError naming every fault with line, column and reason.
 */
export function parsePolicy(source: string, file: string, settings: SettingsTable): PlacedPolicy {
  if (source.length > MAX_LENGTH) throw tooLong(file);
  const outcome = readText(source);
  if ('faults' in outcome) throw new PolicyError(file, outcome.faults);
  const { text } = outcome;
  const { content, faults: shapeFaults } = readShape(text.value, settings);
  const flagged = [...flagFaults(text.value), ...ruleFaults(text.value)];
  if (!content) throw new PolicyError(file, placed(text, [...shapeFaults, ...flagged]));
  const describe = (path: readonly (string | number)[]): string => `line ${text.place(path).line}`;
  const faults = [
    ...shapeFaults,
    ...Object.entries(content.tenants).flatMap(([name, tenant]) => memberFaults(text.value, tenant, ['tenants', name])),
    ...bandwidthFaults(content),
    ...looseningFaults(content, settings.level, describe),
    ...unenforcedFaults(content, settings.level),
    ...recordFaults(content, settings.level),
    ...flagged,
  ];
  if (faults.length === 0) faults.push(...targetingFaults(content));
  if (faults.length === 0) faults.push(...sizeFaults(content));
  if (faults.length > 0) throw new PolicyError(file, placed(text, faults));
  return { file, content, place: (path) => text.place(path) };
}

/** Maximum length of a file with its aliases expanded, in characters: no slice of it is larger. */
const MAX_CONTENT = 32 * 1024 * 1024;

function sizeFaults(content: PolicyFile): PolicyFault[] {
  const message = `with its aliases expanded it has more than ${MAX_CONTENT} characters`;
  try {
    return JSON.stringify(content).length > MAX_CONTENT ? [{ path: [], message }] : [];
  } catch {
    return [{ path: [], message }]; // longer than a string can be
  }
}

/** Finds users' groups that the tenant does not have. An invalid group counts as present. */
function memberFaults(file: unknown, tenant: TenantLevel, path: readonly string[]): PolicyFault[] {
  const groupsThere = saidOf(file as Block, [...path, 'groups']) ?? {}; // it was read into this tenant
  if (typeof groupsThere !== 'object') return [];
  const known = new Set(Object.keys(groupsThere));
  const there = known.size > 0 ? `: expected one of ${[...known].join(', ')}` : '';
  return Object.entries(tenant.users ?? {}).flatMap(([user, { groups = [] }]) =>
    groups.flatMap((group, index) =>
      known.has(group)
        ? []
        : [
            {
              path: [...path, 'users', user, 'groups', index],
              message: `unknown group ${JSON.stringify(group)} in this tenant${there}`,
            },
          ],
    ),
  );
}

const THRESHOLDS = ['warn_megabytes', 'exceed_megabytes', 'block_megabytes'];

/** Finds thresholds of one level that are in the wrong order. */
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
