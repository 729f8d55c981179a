import { defineConfig } from 'playwright/test';
import { PATIENCE_MS, TEST_LIMIT_MS } from './core/testing/patience.ts';
import { PERSON_FLAGS } from './core/testing/person-browser.ts';
import { IS_LONG } from './core/testing/tier.ts';
import { SLOW_FILES } from './tests/slow-files.ts';

if (!process.env.VITRINE_CHROMIUM) throw new Error('VITRINE_CHROMIUM names no browser: run the tests through npm.');

/** The runner begins the files of the first project first, those of a project in the order of their names. */
const slow = SLOW_FILES.filter((file) => file.endsWith('.spec.ts')).map((file) => `**/${file}`);

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'slow', testMatch: slow },
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: slow },
  ],
  outputDir: 'test-results',
  workers: 2, // three take as long together, and each test longer
  ...(!IS_LONG && { grepInvert: /@long/ }),
  retries: 0,
  forbidOnly: true,
  timeout: TEST_LIMIT_MS,
  expect: { timeout: PATIENCE_MS },
  reporter: 'list',
  use: {
    headless: true,
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { args: PERSON_FLAGS },
  },
});
