/** The `vitrine` command: one file per command. `vitrine start` and `vitrine build` are tasks of the set-up: `host/setup.mjs`. */
import path from 'node:path';
import { toAppError } from '../../core/protocol/errors.ts';
import type { Command } from './command.ts';
import { createPlugin } from './create-plugin.ts';
import { pluginVerbs } from './plugin-verbs.ts';
import { policyCheck } from './policy-check.ts';
import { policyExplain } from './policy-explain.ts';
import { policySchema } from './policy-schema.ts';
import { rolloutShow } from './rollout-show.ts';

const OWN: readonly Command[] = [policyCheck, policyExplain, policySchema, rolloutShow, createPlugin];

function usage(commands: readonly Command[]): string {
  const rows = commands.flatMap(({ name, usage, about }) => [`  vitrine ${name} ${usage}`.trimEnd(), `      ${about}`]);
  return [
    'Usage:',
    '  vitrine start [options]',
    '      starts the host: vitrine start --help',
    '  vitrine build [--without NAME,NAME]',
    '      builds the client; --without: leaves plugins out',
    ...rows,
  ].join('\n');
}

const root = path.dirname(path.dirname(import.meta.dirname));

/** Reports a plugin that cannot be read. */
function reported(thrown: unknown): undefined {
  console.error(toAppError(thrown).message);
}

/** Runs the command that the arguments name. Resolves with the exit code: 1 for a failure, 2 for invalid arguments. */
async function run(args: readonly string[]): Promise<number> {
  const named = (commands: readonly Command[]): Command | undefined =>
    commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  // Plugins are read only where none of the commands here is meant.
  const verbs = named(OWN) ? [] : await pluginVerbs(root).catch(reported);
  if (!verbs) return 1;
  const commands = [...OWN, ...verbs];
  const command = named(commands);
  if (!command) {
    const asks = args.length === 0 || args.some((arg) => ['--help', '-h', 'help'].includes(arg));
    if (asks) console.log(usage(commands));
    else console.error(`Unknown command: ${args.join(' ')}\n${usage(commands)}`);
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
