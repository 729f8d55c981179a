import { readPolicy } from '../policy/policy-reader.ts';
import type { PlacedPolicy, Policy } from '../policy/policy.ts';
import { ownCapabilities } from '../policy/settings-table.ts';
import { saidOf } from '../policy/tightening.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { idleCapability, placeOf, checkoutWith } from './checkout.ts';
import type { Checkout } from './checkout.ts';
import { given, givenPath, givenPlugins } from './command.ts';
import type { Command } from './command.ts';

/** Checks a policy file as the host would: prints all its faults, or a summary. */
export const policyCheck: Command = {
  name: 'policy check',
  usage: 'FILE [--plugins PATH]...',
  about: 'checks a policy file: prints its faults with line and column, or a summary if it is valid',
  async run(args, print) {
    const { positionals, many } = given(args, { plugins: 'many' }, 1);
    const [file] = positionals;
    if (file === undefined) throw new AppError('bad-option', 'no policy file');
    const checkout = await checkoutWith(givenPlugins(many('plugins')));
    const policy = await readPolicy(givenPath(file), checkout.settings);
    for (const line of idleSwitches(policy, checkout)) print(line);
    print(`${policy.file} is valid: ${contentsOf(policy)}.`);
  },
};

function contentsOf({ content }: Policy): string {
  const tenants = Object.values(content.tenants);
  const levels = tenants.flatMap((tenant) => [
    tenant,
    ...Object.values(tenant.groups ?? {}),
    ...Object.values(tenant.users ?? {}),
  ]);
  const counts: readonly (readonly [number, string])[] = [
    [tenants.length, 'tenant'],
    [tenants.flatMap(({ groups = {} }) => Object.keys(groups)).length, 'group'],
    [tenants.flatMap(({ users = {} }) => Object.keys(users)).length, 'user'],
    [levels.flatMap(({ sites = [] }) => sites).length, 'site rule'],
    [Object.keys(content.flags ?? {}).length, 'flag'],
  ];
  return counts.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ');
}

/**
 * Capabilities that switch nothing here: a typing error, a plugin that this host does not serve, or one that only a
 * setting of its own turns on.
 */
function idleSwitches(policy: PlacedPolicy, checkout: Checkout): string[] {
  const own = ownCapabilities(checkout.settings);
  const { tenants, flags = {} } = policy.content;
  const blocks = Object.entries(tenants).flatMap(([name, { policy: own, groups = {}, users = {} }]) => {
    const root = ['tenants', name];
    const inner = (kind: string, levels: typeof groups) =>
      Object.entries(levels).map(([each, level]) => ({ path: [...root, kind, each, 'policy'], block: level.policy }));
    return [{ path: [...root, 'policy'], block: own }, ...inner('groups', groups), ...inner('users', users)];
  });
  const switches = blocks.flatMap(({ path, block = {} }) =>
    Object.entries(saidOf(block, ['capabilities']) ?? {}).map(([name, value]: [string, unknown]) => ({
      path: [...path, 'capabilities', name],
      name,
      value,
    })),
  );
  const named = [...switches, ...Object.keys(flags).map((name) => ({ path: ['flags', name], name }))];
  const warn = (path: readonly string[], warning: string): string => `${placeOf(policy, path)}: warning: ${warning}`;
  return [
    ...named.flatMap(({ path, name }) => {
      const idle = idleCapability(checkout, name);
      return idle === undefined ? [] : [warn(path, idle)];
    }),
    ...switches
      .filter(({ name, value }) => own.includes(name) && value !== false)
      .map(({ path, name }) => warn(path, `this has no effect: ${name} is turned on by client_capabilities.${name}`)),
  ];
}
