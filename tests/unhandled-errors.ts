import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Output file of {@link UnhandledErrors}: a JSON array of messages. */
export const UNHANDLED_VARIABLE = 'VITRINE_UNHANDLED';

/** Fields of a thrown value, and its location in the project, where that is known. */
interface Thrown {
  readonly message?: string;
  readonly stack?: string;
}

/**
 * Reports errors outside of all tests, which vitest's JSON does not include. A reporter of vitest: its default export.
 */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly Thrown[]): void {
    const file = process.env[UNHANDLED_VARIABLE];
    if (file) writeFileSync(file, JSON.stringify(errors.map(describe)));
  }
}

function describe({ message = 'an error without a message', stack = '' }: Thrown): string {
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node_modules|\(?node:/.test(line));
  return ['thrown outside of tests: ' + message, ...places.slice(0, 6)].join('\n');
}
