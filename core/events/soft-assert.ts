import type { Report } from './report.ts';

/** Reports a broken invariant and continues (S-147). */
export function softAssert(condition: boolean, what: string, report: Report): void {
  if (!condition) report('tc-soft-assert', { what }, { level: 'error', force: true });
}
