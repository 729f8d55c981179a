// Entry of every npm script: plain Node (20 or newer), no dependencies. It installs missing packages, picks Node 24,
// finds a Chromium, builds the client when its sources changed, then runs the command.
import { buildClient, ensureClient } from './setup/client.mjs';
import { findChromium, findHeadlessShell, takeOption } from './setup/chromium.mjs';
import { ensureDependencies, findNode } from './setup/dependencies.mjs';
import { run, SetupError } from './setup/process.mjs';

/**
 * @typedef {object} Task
 * @property {readonly string[]} command arguments of Node 24; the person's arguments follow
 * @property {boolean} [chromium] needs a Chromium, passed on as VITRINE_CHROMIUM
 * @property {boolean} [shell] uses the headless shell where there is one, passed on as VITRINE_HEADLESS_SHELL
 * @property {boolean} [client] needs a built client
 */

/** @type {Record<string, Task>} */
const TASKS = {
  start: { command: ['host/main.ts'], chromium: true, client: true },
  dev: { command: ['host/setup/dev.ts'], chromium: true },
  build: { command: [] },
  'build:types': { command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'] },
  lint: { command: ['tests/run.ts', 'lint'] },
  types: { command: ['node_modules/typescript/bin/tsc'] },
  test: { command: ['tests/run.ts'], chromium: true, shell: true },
  'test:unit': { command: ['node_modules/vitest/vitest.mjs', 'run'], chromium: true, shell: true, client: true },
  'test:e2e': { command: ['node_modules/playwright/cli.js', 'test'], chromium: true, shell: true, client: true },
  'test:long': { command: ['tests/run.ts', '--long'], chromium: true, shell: true },
  size: { command: ['tests/run.ts', 'bundle'] },
  bench: { command: ['tests/bench/main.ts'], chromium: true, client: true },
  fidelity: { command: ['tests/fidelity/main.ts'], chromium: true, client: true },
  walks: { command: ['tests/walks/long-suite.ts'], chromium: true, client: true },
  requirements: { command: ['tests/requirements/main.ts'] },
  vitrine: { command: ['host/cli/main.ts'] },
  run: { command: [], chromium: true, client: true },
};

/** Commands of `vitrine` that are tasks of this script; all others are in host/cli. */
const WORDS = ['start', 'build'];
const BUILD_USAGE = `Usage: vitrine build [--without NAME,NAME]
builds the client; --without: leaves plugins out of client, page and host, until the next build`;

/** @param {string[]} argv @returns {{ name: string, args: string[] }} the task and its arguments */
function understood(argv) {
  const [name = '', ...rest] = argv;
  const separator = rest.indexOf('--');
  const args = separator < 0 ? rest : rest.toSpliced(separator, 1);
  const [word = '', ...more] = args;
  return name === 'vitrine' && WORDS.includes(word) ? { name: word, args: more } : { name, args };
}

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const { name, args } = understood(argv);
  const task = TASKS[name];
  if (!task) throw new SetupError(`Unknown command "${name}".`, `Commands: ${Object.keys(TASKS).join(', ')}.`);
  const asksHelp = [...WORDS, 'dev'].includes(name) && args.some((arg) => arg === '--help' || arg === '-h');
  if (name === 'build' && asksHelp) {
    console.log(BUILD_USAGE);
    return 0;
  }

  await ensureDependencies();
  const node = await findNode();
  if (name === 'build') {
    process.env.VITRINE_WITHOUT = takeOption(args, '--without') ?? process.env.VITRINE_WITHOUT ?? '';
    if (args.length > 0) throw new SetupError(`Unknown arguments of build: ${args.join(' ')}.`, BUILD_USAGE);
    return buildClient(node);
  }
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env };
  if (task.chromium && !asksHelp) {
    const asked = name === 'start' || name === 'dev' ? takeOption(args, '--chromium') : undefined;
    env.VITRINE_CHROMIUM = await findChromium(asked, node);
  }
  if (task.shell) env.VITRINE_HEADLESS_SHELL = (await findHeadlessShell()) ?? '';
  if (task.client && !asksHelp && (await ensureClient(node)) !== 0) {
    throw new SetupError('The client could not be built.', 'Correct the error above and start again.');
  }
  return run(node, [...task.command, ...args], { env });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}\n${error.advice}`);
  process.exitCode = 1;
}
