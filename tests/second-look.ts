import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Failure, Report } from './reports.ts';

/** Maximum number of files with failures that are run again: more are not caused by a busy machine. */
const MAX_FILES_AGAIN = 4;

/**
 * Runs the files with failures once more, alone, to tell tests that are wrong from unsteady ones. A test that failed in
 * one of the two runs counts as failed.
 *
 * @param run runs the files, all of them where none are named
 */
export async function withSecondLook(
  root: string,
  run: (name: string, files: readonly string[]) => Promise<Report>,
): Promise<Report> {
  const first = await run('first', []);
  const files = [...new Set(first.failures.map(({ file }) => file))].filter((file) => file !== undefined);
  const areTests = first.failures.every(({ file }) => file !== undefined && existsSync(path.join(root, file)));
  if (files.length === 0 || files.length > MAX_FILES_AGAIN || !areTests) return first;
  console.log(`\nA second run of files with failures, for diagnosis: ${files.join(', ')}`);
  const { failures } = await run('again', files);
  const isIn = (list: readonly Failure[], test: Failure): boolean =>
    list.some(({ file, title }) => file === test.file && title === test.title);
  const before = first.failures.map((test): Failure => ({
    ...test,
    again: isIn(failures, test) ? 'fails each time' : 'unsteady',
  }));
  const only = failures
    .filter((test) => !isIn(first.failures, test))
    .map((test): Failure => ({ ...test, again: 'unsteady' }));
  const tests = only.filter(({ file }) => file !== undefined).length;
  return { ...first, passed: first.passed - tests, failures: [...before, ...only] };
}
