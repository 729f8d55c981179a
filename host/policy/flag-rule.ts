import { isOperator } from './flag-provider.ts';
import { namesIn } from './flag-file.ts';
import type { PolicyFault } from './policy-error.ts';

type Path = readonly (string | number)[];

/** Facts that rules may use: the flag context, and those that flagd adds. */
const FACTS = ['targetingKey', 'tenant', 'groups', 'user', 'browser', '$flagd'];
const BROWSER_FACTS = ['name', 'version', 'mobile'];
/** Operators whose arguments do not refer to the person, or are not rules. */
const OWN_SCOPE = ['map', 'filter', 'reduce', 'all', 'none', 'some', 'every', 'eachKey', 'pipe', 'preserve'];

/**
 * Finds rules that have no effect: unknown operators, unknown facts, missing shared rules, shares that cannot be
 * assigned. Reads the file as written, as `flagFaults` does.
 */
export function ruleFaults(file: unknown): PolicyFault[] {
  const flags = namesIn(file, 'flags');
  const $evaluators = namesIn(file, '$evaluators');
  const shared = Object.keys($evaluators);
  return [
    ...Object.keys(flags).flatMap((name) =>
      faultsIn(namesIn(flags, name)['targeting'], ['flags', name, 'targeting'], shared, shared),
    ),
    // flagd inserts shared rules from the first to the last: a shared rule that is already inserted is not expanded
    // again.
    ...Object.entries($evaluators).flatMap(([name, rule], index) =>
      faultsIn(rule, ['$evaluators', name], shared, shared.slice(index + 1)),
    ),
  ];
}

function faultsIn(rule: unknown, path: Path, shared: readonly string[], usable: readonly string[]): PolicyFault[] {
  if (typeof rule !== 'object' || rule === null) return [];
  if (Array.isArray(rule)) return rule.flatMap((each, index) => faultsIn(each, [...path, index], shared, usable));
  const [[operator, given] = [undefined, undefined], second] = Object.entries(rule);
  if (operator === undefined) return [];
  const own = [...path, operator];
  if (second)
    return [
      {
        path: [...path, second[0]],
        key: true,
        message: `${second[0]} is beside ${operator}: a rule has one operator`,
      },
    ];
  if (operator === '$ref') return refFaults(given, own, shared, usable);
  if (!isOperator(operator)) return [{ path: own, key: true, message: `unknown operator ${operator}` }];
  if (operator === 'var' || operator === 'val') return factFaults(given, own);
  if (OWN_SCOPE.includes(operator)) return [];
  return [...(operator === 'fractional' ? shareFaults(given, own) : []), ...faultsIn(given, own, shared, usable)];
}

/** Maximum sum of the shares in flagd. */
const MAX_SHARES = 2 ** 31 - 1;

/**
 * Finds buckets that flagd cannot assign: it would use the flag's default without a report. Shares that a rule computes
 * are not checked.
 */
function shareFaults(given: unknown, path: Path): PolicyFault[] {
  if (isRule(given)) return [];
  const args: readonly unknown[] = Array.isArray(given) ? given : [];
  const first = typeof args[0] === 'string' || isRule(args[0]) ? 1 : 0; // which identifies people
  const faults: PolicyFault[] = [];
  let total = 0;
  for (const [index, bucket] of args.slice(first).entries()) {
    const at = [...path, first + index];
    const parts: readonly unknown[] = Array.isArray(bucket) ? bucket : [];
    const [variant, share = 1, more] = parts;
    if (isRule(bucket) || isRule(share)) total = NaN;
    else if (variant === undefined || more !== undefined)
      faults.push({ path: at, message: `fractional: expected [variant, share], not ${JSON.stringify(bucket)}` });
    else if (typeof share !== 'number' || !Number.isInteger(share) || share < 0)
      faults.push({
        path: [...at, 1],
        message: `fractional: expected a whole number of at least 0 as share, not ${JSON.stringify(share)}`,
      });
    else total += share;
  }
  if (faults.length > 0) return faults;
  if (total === 0) return [{ path, message: 'fractional: the shares add up to 0: no person gets a variant' }];
  return total > MAX_SHARES ? [{ path, message: `fractional: the shares add up to more than ${MAX_SHARES}` }] : [];
}

function isRule(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refFaults(name: unknown, path: Path, shared: readonly string[], usable: readonly string[]): PolicyFault[] {
  if (typeof name === 'string' && usable.includes(name)) return [];
  const isThere = typeof name === 'string' && shared.includes(name);
  const message = isThere
    ? `$ref: ${name} is not further down: a shared rule may only use those below it`
    : `$ref: unknown rule ${JSON.stringify(name)} in $evaluators${shared.length > 0 ? `: expected one of ${shared.join(', ')}` : ''}`;
  return [{ path, message }];
}

function factFaults(given: unknown, path: Path): PolicyFault[] {
  const fact: unknown = Array.isArray(given) ? given[0] : given;
  if (typeof fact !== 'string' || fact === '') return [];
  const [name = '', part] = fact.split('.');
  const known = name === 'browser' && part !== undefined ? BROWSER_FACTS : FACTS;
  if (known.includes(known === FACTS ? name : (part ?? ''))) return [];
  const there = [...FACTS.slice(0, -2), ...BROWSER_FACTS.map((each) => `browser.${each}`)];
  return [{ path, message: `unknown fact ${JSON.stringify(fact)}: expected one of ${there.join(', ')}` }];
}
