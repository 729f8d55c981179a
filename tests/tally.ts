import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Failure, Report } from './reports.ts';

/**
 * Counts the checks of a suite that is a plain script (`tests/<name>/suite.ts`). Each prints a line; `finish` passes
 * the counts to `tests/run.ts` and sets the exit code.
 */
export class Tally {
  #passed = 0;
  readonly #failures: Failure[] = [];

  /** Runs one check: it fails when it throws or resolves with a text, the reason. */
  async check(title: string, body: () => string | undefined | Promise<string | undefined>): Promise<void> {
    let fault: string | undefined;
    try {
      fault = await body();
    } catch (error) {
      fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    if (fault === undefined) this.#passed++;
    else this.#failures.push({ file: path.relative('', process.argv[1] ?? ''), title, reason: fault });
    console.log(fault === undefined ? `  ok    ${title}` : `  FAIL  ${title}\n        ${fault}`);
  }

  finish(): void {
    const report: Report = { passed: this.#passed, failures: this.#failures };
    if (process.env.VITRINE_RESULTS) writeFileSync(process.env.VITRINE_RESULTS, JSON.stringify(report));
    process.exitCode = report.failures.length > 0 || report.passed === 0 ? 1 : 0;
  }
}
