import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Where {@link UnhandledErrors} writes: a JSON array of messages. */
export const UNHANDLED_VARIABLE = 'VITRINE_UNHANDLED';

/** What a thrown value says of itself, and the place in the project that it comes from, where that is known. */
interface Thrown {
  readonly message?: string;
  readonly stack?: string;
}

/** Reports what was thrown outside of all tests, which vitest's JSON does not tell. A reporter of vitest: its default export. */
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
