import { writeFileSync } from 'node:fs';

/** What a suite found, as `tests/run.ts` adds it up. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts the checks of a suite that is a plain script (`tests/<name>/suite.ts`). Each prints a line; `finish` hands the
 * counts to `tests/run.ts` and sets the exit code.
 */
export class Tally {
  #passed = 0;
  #failed = 0;

  /** Runs one check: it passes unless it throws or resolves with a text that says what is wrong. */
  async check(title: string, body: () => string | undefined | Promise<string | undefined>): Promise<void> {
    let fault: string | undefined;
    try {
      fault = await body();
    } catch (error) {
      fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    if (fault === undefined) this.#passed++;
    else this.#failed++;
    console.log(fault === undefined ? `  ok    ${title}` : `  FAIL  ${title}\n        ${fault}`);
  }

  finish(): void {
    const outcome: Outcome = { passed: this.#passed, failed: this.#failed };
    if (process.env.VITRINE_RESULTS) writeFileSync(process.env.VITRINE_RESULTS, JSON.stringify(outcome));
    process.exitCode = outcome.failed > 0 || outcome.passed === 0 ? 1 : 0;
  }
}
