import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Failure, Report } from './reports.ts';

/** Maximum number of files with failures that are run again: more are not caused by a busy machine. */
const MAX_FILES_AGAIN = 4;

/**
 * Tests with real browsers share the machine with each other. Files with failures are run once more alone: a test that
 * fails again has failed, one that passes is reported as unsteady.
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
  console.log(`\nOnce more, by themselves: ${files.join(', ')}`);
  const { failures } = await run('again', files);
  const fails = (test: Failure): boolean =>
    failures.some(({ file, title }) => file === test.file && title === test.title);
  return {
    ...first,
    passed: first.passed + first.failures.length - failures.length,
    failures,
    unsteady: first.failures.filter((test) => !fails(test)),
  };
}
