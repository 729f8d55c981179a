/**
 * Runs the suites in order and closes with one line, `N passed, N failed`. Arguments name suites to run; none means all.
 * `--long` asks the heavy suites for their full counts (VITRINE_LONG). A folder `tests/<name>` with a `suite.ts` is a
 * suite: a script that counts with `Tally`; with a `long-suite.ts` it runs only with `--long`, or when it is named.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureClient } from '../host/setup/client.mjs';
import type { Outcome } from './tally.ts';

const root = path.resolve(import.meta.dirname, '..');
const results = mkdtempSync(path.join(tmpdir(), 'vitrine-tests-'));
const SUITE_DEADLINE_MS = 40 * 60 * 1000;

interface Suite {
  readonly name: string;
  readonly isLong?: boolean;
  run(): Promise<Outcome>;
}

/** Runs a program on this Node with its output shown; resolves with its exit code, never 0 when it was stopped. */
function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    const deadline = setTimeout(() => {
      console.error(`Stopped after ${SUITE_DEADLINE_MS / 60_000} minutes: ${args.join(' ')}`);
      child.kill();
    }, SUITE_DEADLINE_MS);
    child.once('error', (error) => {
      clearTimeout(deadline);
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => {
      clearTimeout(deadline);
      resolve(code ?? 1);
    });
  });
}

/** A tool that has one verdict counts as one test. */
async function verdicts(...commands: readonly (readonly string[])[]): Promise<Outcome> {
  let passed = 0;
  for (const command of commands) if ((await node(command)) === 0) passed++;
  return { passed, failed: commands.length - passed };
}

/** Reads the counts that a run wrote; a run that wrote none, or failed for another reason than a test, failed once. */
function counted(file: string, code: number, read: (report: unknown) => Outcome): Outcome {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const outcome = read(JSON.parse(readFileSync(file, 'utf8')));
  const unexplained = outcome.failed === 0 && (code !== 0 || outcome.passed === 0);
  return unexplained ? { ...outcome, failed: 1 } : outcome;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** A skipped test is a failed one, and so is a file that could not be loaded. */
function readVitest(report: unknown): Outcome {
  const { numPassedTests, numTotalTests, testResults } = report as VitestReport; // vitest's own format
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests + broken };
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly unknown[];
}

function readPlaywright(report: unknown): Outcome {
  const { stats, errors } = report as PlaywrightReport; // Playwright's own format
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

function hasFiles(...patterns: readonly string[]): boolean {
  return globSync([...patterns], { cwd: root, exclude: (name) => name === 'node_modules' }).length > 0;
}

const NONE: Outcome = { passed: 0, failed: 0 };

function scriptSuites(): Suite[] {
  return globSync('tests/*/{suite,long-suite}.ts', { cwd: root })
    .sort()
    .map((script) => ({
      name: path.basename(path.dirname(script)),
      isLong: path.basename(script) === 'long-suite.ts',
      async run() {
        const file = path.join(results, `${this.name}.json`);
        const code = await node([script], { VITRINE_RESULTS: file });
        return counted(file, code, (report) => report as Outcome); // written by Tally
      },
    }));
}

const suites: readonly Suite[] = [
  {
    name: 'build',
    run: async () =>
      (await ensureClient(process.execPath)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  },
  {
    name: 'lint',
    run: () =>
      verdicts(
        ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
        ['node_modules/eslint/bin/eslint.js', '.'],
      ),
  },
  { name: 'types', run: () => verdicts(['node_modules/typescript/bin/tsc']) },
  {
    name: 'unit',
    async run() {
      if (!hasFiles('{core,plugins,host}/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}')) return NONE;
      const file = path.join(results, 'unit.json');
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      const code = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters]);
      return counted(file, code, readVitest);
    },
  },
  {
    name: 'e2e',
    async run() {
      if (!hasFiles('tests/e2e/**/*.spec.ts')) return NONE;
      const file = path.join(results, 'e2e.json');
      const code = await node(['node_modules/playwright/cli.js', 'test', '--reporter=list,json'], {
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      });
      return counted(file, code, readPlaywright);
    },
  },
  ...scriptSuites(),
];

const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.long) process.env.VITRINE_LONG = '1';
process.env.VITRINE_WITHOUT ??= ''; // everything is tested, whatever the last build has left out

const unknown = positionals.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0)
  throw new Error(`No such suite: ${unknown.join(', ')}. There are ${suites.map((s) => s.name).join(', ')}.`);

/** The build goes ahead of whatever runs the client; only these read nothing but sources. */
const STATIC = ['lint', 'types'];
const inTier = suites.filter(({ isLong }) => values.long || !isLong);
const asked = positionals.length > 0 ? positionals : inTier.map((suite) => suite.name);
const chosen = asked.every((name) => STATIC.includes(name)) ? asked : ['build', ...asked];

const total = { passed: 0, failed: 0 };
const summary: string[] = [];
for (const suite of suites) {
  if (!chosen.includes(suite.name)) continue;
  console.log(`\n== ${suite.name} ==`);
  const start = performance.now();
  const { passed, failed } = await suite.run();
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  summary.push(`${suite.name.padEnd(10)} ${passed + failed} tests, ${failed} of them failed (${seconds} s)`);
}
rmSync(results, { recursive: true, force: true });

console.log(`\n${summary.join('\n')}`);
if (total.passed + total.failed === 0) console.error('No test was run.');
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
