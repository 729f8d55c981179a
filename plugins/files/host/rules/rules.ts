import { compilePattern, siteOf } from '../../../../host/plugin.ts';
import type { FileFindings, SettingValues, SizeLimit } from '../../../../host/plugin.ts';
import type { manifest } from '../../manifest.ts';
import { isNamedAs, isOneOf, isSurelyOneOf } from './file-types.ts';

type FileRule = SettingValues<typeof manifest>['transfers']['rules'][number];

const MIB = 1024 * 1024;
/** From the loosest to the strictest. */
const ACTIONS = ['allow', 'quarantine', 'block'] as const;

/** A file as rules see it before anything of it is known. */
export interface NamedFile {
  readonly name: string;
  readonly direction: 'down' | 'up';
  /** The page, and where the file comes from. */
  readonly addresses: readonly string[];
}

interface KnownFile extends NamedFile {
  readonly type: FileFindings['type'];
  readonly size: number;
}

/** The rule that decides about a file. */
export interface RuleVerdict {
  readonly action: FileRule['action'];
  /** Its place in the policy. */
  readonly rule: string;
  readonly message?: string;
}

/** The strictest rule that matches a file; of several, the outermost one with a message for the person. */
export function ruleFor(file: KnownFile, rules: readonly FileRule[]): RuleVerdict | undefined {
  const matching = rules.filter(
    (rule) =>
      isFor(rule, file) &&
      (rule.types === undefined || isOneOf(rule.types, file.type, file.name)) &&
      (rule.not_types === undefined || !isSurelyOneOf(rule.not_types, file.type, file.name)) &&
      (rule.over_megabytes === undefined || file.size > rule.over_megabytes * MIB),
  );
  const action = ACTIONS.findLast((each) => matching.some((rule) => rule.action === each));
  const strictest = matching.filter((rule) => rule.action === action);
  const chosen = strictest.find(({ message }) => message !== undefined) ?? strictest[0];
  return chosen && { action: chosen.action, ...namesOf(chosen) };
}

/** The size past which a file is blocked whatever is in it: by rules that ask for no type, or for that of its name. */
export function limitOf(file: NamedFile, rules: readonly FileRule[]): SizeLimit | undefined {
  let limit: SizeLimit | undefined;
  for (const rule of rules) {
    const { action, types, not_types: others, over_megabytes: most = Infinity } = rule;
    if (action !== 'block' || others !== undefined || most * MIB >= (limit?.bytes ?? Infinity)) continue;
    if (isFor(rule, file) && (types === undefined || isNamedAs(types, file.name)))
      limit = { bytes: Math.floor(most * MIB), ...namesOf(rule) };
  }
  return limit;
}

const namesOf = ({ origin, message }: FileRule): Omit<RuleVerdict, 'action'> => ({
  rule: origin,
  ...(message !== undefined && { message }),
});

function isFor({ on = 'both', sites }: FileRule, { direction, addresses }: NamedFile): boolean {
  const isOfWay = on === 'both' || on === (direction === 'down' ? 'download' : 'upload');
  return isOfWay && (sites === undefined || addresses.some((address) => isOn(sites, address)));
}

/** Patterns are compiled once for each list: a policy keeps its lists while it holds. */
const compiled = new WeakMap<readonly string[], readonly ((url: URL) => boolean)[]>();

function isOn(sites: readonly string[], address: string): boolean {
  const url = siteOf(address);
  if (!url) return false;
  let patterns = compiled.get(sites);
  if (!patterns) compiled.set(sites, (patterns = sites.map(compilePattern)));
  return patterns.some((matches) => matches(url));
}
