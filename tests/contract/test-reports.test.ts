import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlaywright, readVitest } from '../reports.ts';
import type { Failure, Report } from '../reports.ts';
import { withSecondLook } from '../second-look.ts';

const root = path.resolve(import.meta.dirname, '../..');
const FILES = [
  'tests/reports.ts',
  'tests/tally.ts',
  'tests/run.ts',
  'tests/second-look.ts',
  'tests/unhandled-errors.ts',
];
const failure = (title: string, file = 'tests/reports.ts'): Failure => ({ file, title });

/** Answers with a report for the first run and one for the second; records the files of each run. */
function runs(first: readonly Failure[], again: readonly Failure[] = []) {
  const asked: (readonly string[])[] = [];
  const run = async (name: string, files: readonly string[]): Promise<Report> => {
    asked.push(files);
    return { passed: 7, failures: name === 'first' ? first : again };
  };
  return { asked, run };
}

describe('a second run of failures', () => {
  it('counts a test that passes alone as failed, and says that it is unsteady', async () => {
    const { asked, run } = runs([failure('wrong'), failure('unsteady')], [failure('wrong')]);
    expect(await withSecondLook(root, run)).toEqual({
      passed: 7,
      failures: [
        { ...failure('wrong'), again: 'fails each time' },
        { ...failure('unsteady'), again: 'unsteady' },
      ],
    });
    expect(asked).toEqual([[], ['tests/reports.ts']]);
  });

  it('counts a test that fails in the second run only as failed', async () => {
    const { run } = runs([failure('wrong')], [failure('other'), { title: 'unit ended with exit code 1' }]);
    expect(await withSecondLook(root, run)).toEqual({
      passed: 6,
      failures: [
        { ...failure('wrong'), again: 'unsteady' },
        { ...failure('other'), again: 'unsteady' },
        { title: 'unit ended with exit code 1', again: 'unsteady' },
      ],
    });
  });

  it.each([
    ['nothing has failed', []],
    ['many files have', FILES.map((file) => failure('x', file))],
    ['something has that is no test', [{ title: 'unit ended with exit code 1' }]],
  ])('does not happen when %s', async (_when, failures) => {
    const { asked, run } = runs(failures);
    expect((await withSecondLook(root, run)).failures).toEqual(failures);
    expect(asked).toEqual([[]]);
  });
});

describe('the reports of the test tools', () => {
  it('have the time of each file, and count a skipped test as failed', () => {
    const test = { status: 'skipped', fullName: 'a b' };
    const testResults = [
      { name: `${root}/x.test.ts`, status: 'passed', startTime: 5, endTime: 12, assertionResults: [test] },
    ];
    const { passed, failures, files } = readVitest({ testResults }, [], root);
    expect({ passed, failures, files }).toEqual({
      passed: 0,
      failures: [{ file: 'x.test.ts', title: 'a b', reason: 'did not run' }],
      files: [{ file: 'x.test.ts', ms: 7 }],
    });
  });

  it('count a flaky test of Playwright as failed', () => {
    const tests = [{ status: 'flaky', results: [{ duration: 20, error: { message: 'no' } }, { duration: 10 }] }];
    const suites = [{ title: '', specs: [{ title: 'opens', file: 'x.spec.ts', tests }] }];
    const { passed, failures, files } = readPlaywright({ suites, errors: [] }, 'tests/e2e');
    expect([passed, failures.map(({ title }) => title.trim())]).toEqual([0, ['opens']]);
    expect(files).toEqual([{ file: 'tests/e2e/x.spec.ts', ms: 30 }]);
  });
});
