import { stripVTControlCharacters } from 'node:util';

/** A test that failed, or did not run: its file from the root, and its titles from the outermost on. */
export interface Failure {
  /** Absent when it is not the fault of a single test. */
  readonly file?: string;
  readonly title: string;
  /** The tool's message, shortened to a line. */
  readonly reason?: string;
  /** Output of the test, line by line. */
  readonly printed?: readonly string[];
  /** Result of a second run of its file; absent when there was none. */
  readonly again?: 'fails each time' | 'unsteady';
}

/** A test file, and the total time of its tests. */
export interface SlowFile {
  readonly file: string;
  readonly ms: number;
}

/** Result of a run of a test tool. */
export interface Report {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly files?: readonly SlowFile[];
}

interface VitestReport {
  readonly testResults: readonly {
    /** Absolute path. */
    readonly name: string;
    readonly status: string;
    readonly startTime?: number;
    readonly endTime?: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/**
 * Reads vitest's JSON: a skipped test counts as failed, and so does a file that could not be loaded. `errors`: errors
 * outside of all tests.
 */
export function readVitest(report: unknown, errors: readonly string[], root: string): Report {
  const { testResults } = report as VitestReport; // vitest's own format
  const failures: Failure[] = errors.map((message) => ({ title: line(message) }));
  let passed = 0;
  const files: SlowFile[] = [];
  for (const { name, status, startTime = 0, endTime = 0, assertionResults } of testResults) {
    const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    files.push({ file, ms: endTime - startTime });
    if (status === 'failed' && assertionResults.length === 0) failures.push({ file, title: 'could not be run' });
    for (const test of assertionResults) {
      if (test.status === 'passed') passed++;
      else failures.push({ file, title: test.fullName, reason: line(test.failureMessages?.[0]) });
    }
  }
  return { passed, failures, files };
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    /** From the folder of the tests. */
    readonly file: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly {
        readonly duration?: number;
        readonly error?: { readonly message?: string };
        readonly stdout?: readonly { readonly text?: string }[];
      }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

/** Reads Playwright's JSON in the same way. */
export function readPlaywright(report: unknown, folder: string): Report {
  const { suites, errors } = report as PlaywrightReport; // Playwright's own format
  const failures: Failure[] = errors.map(({ message }) => ({ title: line(message) }));
  const times = new Map<string, number>();
  let passed = 0;
  const read = (suite: PlaywrightSuite, above: readonly string[]): void => {
    for (const { title, file, tests } of suite.specs)
      for (const { status, results } of tests) {
        const ms = results.reduce((sum, { duration = 0 }) => sum + duration, 0);
        times.set(`${folder}/${file}`, (times.get(`${folder}/${file}`) ?? 0) + ms);
        if (status === 'expected') passed++;
        else
          failures.push({
            file: `${folder}/${file}`,
            title: [...above, title].join(' '),
            reason: line(results[0]?.error?.message),
            printed: lines((results[0]?.stdout ?? []).map(({ text }) => text ?? '').join('')),
          });
      }
    for (const inner of suite.suites ?? []) read(inner, [...above, inner.title]);
  };
  for (const suite of suites) read(suite, []);
  return { passed, failures, files: [...times].map(([file, ms]) => ({ file, ms })) };
}

const REASON_LENGTH = 600;
const MAX_LINES = 20;

/** The last lines of the output, each shortened. */
function lines(printed: string): string[] {
  const all = printed.split('\n').filter((text) => text.trim() !== '');
  return all.slice(-MAX_LINES).map(line);
}

/** A message without colours on one line. */
function line(message = 'did not run'): string {
  return stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, REASON_LENGTH);
}
