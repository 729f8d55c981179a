import { readPolicy } from '../policy/policy-reader.ts';
import type { Policy } from '../policy/policy.ts';
import { idleSwitches } from '../policy/idle-switches.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { checkoutWith } from './checkout.ts';
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
