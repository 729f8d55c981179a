import { policyJsonSchema } from '../policy/json-schema.ts';
import { checkoutWith } from './checkout.ts';
import { given, givenPlugins } from './command.ts';
import type { Command } from './command.ts';

/**
 * Prints the content of `host/policy/vitrine.policy.schema.json`, with the settings of external plugins where some are
 * named.
 */
export const policySchema: Command = {
  name: 'policy schema',
  usage: '[--plugins PATH]...',
  about: 'prints the JSON Schema of policy files, for editors',
  async run(args, print) {
    const { many } = given(args, { plugins: 'many' });
    const { settings } = await checkoutWith(givenPlugins(many('plugins')));
    print(JSON.stringify(policyJsonSchema(settings), null, 2));
  },
};
