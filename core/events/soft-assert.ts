import type { Report } from './report.ts';

/** Reports what should never be, and lets it be (S-147). */
export function softAssert(condition: boolean, what: string, report: Report): void {
  if (!condition) report('tc-soft-assert', { what }, { level: 'error', force: true });
}
