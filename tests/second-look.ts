import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Failure, Report } from './reports.ts';

/** Failures in more files than that are no accident of a busy machine. */
const MAX_FILES_AGAIN = 4;

/**
 * Runs the files with failures once more by themselves, to tell tests that are wrong from those that are unsteady. Both have failed: a
 * test that passes at the second try counts as failed, too.
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
  return { ...first, unsteady: first.failures.filter((test) => !fails(test)) };
}
