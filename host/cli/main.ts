/** The `vitrine` command: one file per command. `vitrine start` and `vitrine build` are tasks of the set-up: `host/setup.mjs`. */
import { toAppError } from '../../core/protocol/errors.ts';
import type { Command } from './command.ts';
import { createPlugin } from './create-plugin.ts';
import { policyCheck } from './policy-check.ts';
import { policyExplain } from './policy-explain.ts';
import { policySchema } from './policy-schema.ts';
import { rolloutShow } from './rollout-show.ts';

const COMMANDS: readonly Command[] = [policyCheck, policyExplain, policySchema, rolloutShow, createPlugin];

function usage(): string {
  const rows = COMMANDS.flatMap(({ name, usage, about }) => [`  vitrine ${name} ${usage}`.trimEnd(), `      ${about}`]);
  return [
    'Usage:',
    '  vitrine start [options]',
    '      starts the host: vitrine start --help',
    '  vitrine build [--without NAME,NAME]',
    '      builds the client; --without: leaves plugins out',
    ...rows,
  ].join('\n');
}

/** Runs the command that the arguments name. Resolves with the exit code: 1 for a failure, 2 for invalid arguments. */
async function run(args: readonly string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (!command) {
    const asks = args.length === 0 || args.some((arg) => ['--help', '-h', 'help'].includes(arg));
    if (asks) console.log(usage());
    else console.error(`Unknown command: ${args.join(' ')}\n${usage()}`);
    return asks ? 0 : 2;
  }
  const own = args.slice(command.name.split(' ').length);
  const line = `Usage: vitrine ${command.name} ${command.usage}`.trimEnd();
  if (own.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(`${line}\n${command.about}`);
    return 0;
  }
  try {
    await command.run(own, (text) => console.log(text));
    return 0;
  } catch (thrown) {
    const error = toAppError(thrown);
    console.error(error.message);
    if (error.code === 'internal') console.error(error.cause ?? thrown);
    if (error.code !== 'bad-option') return 1;
    console.error(line);
    return 2;
  }
}

process.exitCode = await run(process.argv.slice(2));
