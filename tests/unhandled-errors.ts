import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Where {@link UnhandledErrors} writes: a JSON array of messages. */
export const UNHANDLED_VARIABLE = 'VITRINE_UNHANDLED';

/** Reports what was thrown outside of all tests, which vitest's JSON does not tell. A reporter of vitest: its default export. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { readonly message?: string }[]): void {
    const file = process.env[UNHANDLED_VARIABLE];
    if (file) writeFileSync(file, JSON.stringify(errors.map(({ message }) => message ?? 'an error without a message')));
  }
}
