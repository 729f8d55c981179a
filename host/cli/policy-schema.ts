import { policyJsonSchema } from '../policy/json-schema.ts';
import { given } from './command.ts';
import type { Command } from './command.ts';

/** Prints what `host/policy/vitrine.policy.schema.json` holds. */
export const policySchema: Command = {
  name: 'policy schema',
  usage: '',
  about: 'prints the JSON Schema of policy files, for editors',
  async run(args, print) {
    given(args, {});
    print(JSON.stringify(policyJsonSchema(), null, 2));
  },
};
