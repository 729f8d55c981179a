/**
 * Runs the suites in order and ends with one line, `N passed, N failed`. Arguments select suites to run; none means
 * all. `--long` runs the heavy suites with their full counts (VITRINE_LONG). A folder `tests/<name>` with a `suite.ts`
 * is a suite: a script that counts with `Tally`; with a `long-suite.ts` it runs only with `--long`, or when it is
 * named.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureClient } from '../host/setup/client.mjs';
import { readPlaywright, readVitest } from './reports.ts';
import type { Failure, Report, SlowFile } from './reports.ts';
import { withSecondLook } from './second-look.ts';
import { UNHANDLED_VARIABLE } from './unhandled-errors.ts';
import { reportWalked } from './walked/check.ts';

const root = path.resolve(import.meta.dirname, '..');
const results = mkdtempSync(path.join(tmpdir(), 'vitrine-tests-'));
/** Compiled code, shared by all processes of a run: a host starts in a third of the time. */
const COMPILE_CACHE = path.join(results, 'compile-cache');
/** Longest run of one suite's program; CI has 90 minutes for all. */
const SUITE_MINUTES = { short: 55, long: 180 };

interface Suite {
  readonly name: string;
  readonly isLong?: boolean;
  run(): Promise<Report>;
}

/** Runs a program on this Node with its output shown; resolves with its exit code, never 0 when a signal stopped it. */
function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    });
    const minutes = process.env.VITRINE_LONG === undefined ? SUITE_MINUTES.short : SUITE_MINUTES.long;
    const deadline = setTimeout(() => {
      console.error(`Stopped after ${minutes} minutes: ${args.join(' ')}`);
      child.kill();
    }, minutes * 60_000);
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

/** A tool with one verdict counts as one test. */
async function verdicts(...commands: readonly (readonly string[])[]): Promise<Report> {
  const codes = await Promise.all(commands.map((command) => node(command)));
  const failed = commands.filter((_, index) => codes[index] !== 0);
  const failures = failed.map(([tool = '', ...args]) => ({ file: tool, title: args.join(' ') }));
  return { passed: commands.length - failures.length, failures };
}

/**
 * Reads the counts of a run; a run without counts, or one that failed for another reason than a test, counts as one
 * failure.
 */
function counted(file: string, code: number, read: (report: unknown) => Report): Report {
  const unexplained: Failure = { title: `${path.basename(file, '.json')} ended with exit code ${code}` };
  if (!existsSync(file)) return { passed: 0, failures: [unexplained] };
  const report = read(JSON.parse(readFileSync(file, 'utf8')));
  const isWhole = report.failures.length > 0 || (code === 0 && report.passed > 0);
  return isWhole ? report : { ...report, failures: [unexplained] };
}

function hasFiles(...patterns: readonly string[]): boolean {
  return globSync([...patterns], { cwd: root, exclude: (name) => name === 'node_modules' }).length > 0;
}

const NONE: Report = { passed: 0, failures: [] };

function scriptSuites(): Suite[] {
  return globSync('tests/*/{suite,long-suite}.ts', { cwd: root })
    .sort()
    .map((script) => ({
      name: path.basename(path.dirname(script)),
      isLong: path.basename(script) === 'long-suite.ts',
      async run() {
        const file = path.join(results, `${this.name}.json`);
        const code = await node([script], { VITRINE_RESULTS: file });
        return counted(file, code, (report) => report as Report); // written by Tally
      },
    }));
}

const suites: readonly Suite[] = [
  {
    name: 'build',
    run: async () =>
      (await ensureClient(process.execPath)) === 0
        ? { ...NONE, passed: 1 }
        : { ...NONE, failures: [{ file: 'rollup.config.ts', title: 'builds the client' }] },
  },
  {
    name: 'lint',
    run: async () =>
      verdicts(
        ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
        ['node_modules/eslint/bin/eslint.js', '.'],
      ),
  },
  { name: 'types', run: async () => verdicts(['node_modules/typescript/bin/tsc']) },
  {
    name: 'unit',
    async run() {
      if (!hasFiles('{core,plugins,host}/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}')) return NONE;
      return withSecondLook(root, async (name, files) => {
        const file = path.join(results, `unit-${name}.json`);
        const unhandled = path.join(results, `unhandled-${name}.json`);
        const reporters = ['--reporter=default', '--reporter=json', '--reporter=./tests/unhandled-errors.ts'];
        const options = [...reporters, `--outputFile.json=${file}`];
        if (files.length > 0) options.push('--maxWorkers=1', ...files);
        const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...options];
        const code = await node(vitest, { [UNHANDLED_VARIABLE]: unhandled });
        return counted(file, code, (report) => {
          const errors = existsSync(unhandled) ? (JSON.parse(readFileSync(unhandled, 'utf8')) as string[]) : []; // our own
          return readVitest(report, errors, root);
        });
      });
    },
  },
  {
    name: 'e2e',
    async run() {
      if (!hasFiles('tests/e2e/**/*.spec.ts')) return NONE;
      const walked = mkdtempSync(path.join(results, 'walked-'));
      const report = await withSecondLook(root, async (name, files) => {
        const file = path.join(results, `e2e-${name}.json`);
        const options = ['--reporter=list,json', ...(files.length > 0 ? ['--workers=1', ...files] : [])];
        const code = await node(['node_modules/playwright/cli.js', 'test', ...options], {
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
          ...(name === 'first' && { VITRINE_WALKED: walked }),
        });
        return counted(file, code, (found) => readPlaywright(found, 'tests/e2e'));
      });
      // Some parts come by chance, and a short run may miss one: only the long one fails for it.
      const { passed, failures } = reportWalked(walked);
      if (!values.long) return report;
      return { ...report, passed: report.passed + passed, failures: [...report.failures, ...failures] };
    },
  },
  ...scriptSuites(),
];

const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.long) process.env.VITRINE_LONG = '1';
process.env.VITRINE_WITHOUT ??= ''; // all plugins are tested, whatever the last build has left out

const unknown = positionals.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0)
  throw new Error(`No such suite: ${unknown.join(', ')}. There are ${suites.map((s) => s.name).join(', ')}.`);

/** The build runs before all suites that run the client; only these read nothing but sources. */
const STATIC = ['lint', 'types'];
const inTier = suites.filter(({ isLong }) => values.long || !isLong);
const asked = positionals.length > 0 ? positionals : inTier.map((suite) => suite.name);
const chosen = asked.every((name) => STATIC.includes(name)) ? asked : ['build', ...asked];

let passed = 0;
const failures: Failure[] = [];
const slow: SlowFile[] = [];
const summary: string[] = [];

async function report(suite: Suite): Promise<void> {
  console.log(`\n== ${suite.name} ==`);
  const start = performance.now();
  const found = await suite.run();
  passed += found.passed;
  failures.push(...found.failures);
  slow.push(...(found.files ?? []));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const tests = found.passed + found.failures.length;
  summary.push(`${suite.name.padEnd(10)} ${tests} tests, ${found.failures.length} of them failed (${seconds} s)`);
}

const inOrder = suites.filter(({ name }) => chosen.includes(name));
const isStatic = ({ name }: Suite): boolean => STATIC.includes(name);
const isScript = ({ name, isLong }: Suite): boolean =>
  !isLong && existsSync(path.join(root, 'tests', name, 'suite.ts'));
const named = (...names: readonly string[]): Suite[] => inOrder.filter(({ name }) => names.includes(name));
const running = new Map<Suite, Promise<void>>();

/** Runs suites in parallel once others have ended. */
function begin(suites: readonly Suite[], after: readonly Suite[]): void {
  const ready = Promise.all(after.flatMap((suite) => running.get(suite) ?? []));
  for (const suite of suites)
    running.set(
      suite,
      ready.then(() => report(suite)),
    );
}

// Suites that have workers of their own, or time pictures, run alone; the others, of one process each, in parallel. Lint,
// which is one process in the end, may go on beside the unit tests.
begin([...named('build'), ...inOrder.filter(isStatic)], []);
begin(named('unit'), named('build', 'types'));
begin(named('e2e'), [...running.keys()]);
begin(inOrder.filter(isScript), [...running.keys()]);
for (const suite of inOrder.filter(({ isLong }) => isLong)) begin([suite], [...running.keys()]);
await Promise.all(running.values());
rmSync(results, { recursive: true, force: true });

const AGAIN = {
  unsteady: 'unsteady: it passed in a second run, with its file alone',
  'fails each time': 'it failed in a second run, too',
};

function listFailures(): void {
  if (failures.length > 0) console.log('\nFailed:');
  for (const { file, title, reason, again, printed = [] } of failures) {
    console.log(`  ${file === undefined ? '' : `${file}: `}${title}`);
    for (const line of [reason, again && AGAIN[again], ...printed])
      if (line !== undefined) console.log(`      ${line}`);
  }
}

/** Number of the slowest files that are listed. */
const SLOWEST = 12;
const slowest = slow.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
if (slowest.length > 0) console.log('\nSlowest files:');
for (const { file, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
listFailures();
console.log(`\n${summary.join('\n')}`);
if (passed + failures.length === 0) console.error('No test was run.');
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
