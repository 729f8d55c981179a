import { defineConfig } from 'playwright/test';
import { PERSON_FLAGS } from './core/testing/person-browser.ts';

const executablePath = process.env.VITRINE_CHROMIUM;
if (!executablePath) throw new Error('VITRINE_CHROMIUM names no browser: run the tests through npm.');

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  workers: 3, // a worker waits a third of its time
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    headless: true,
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: PERSON_FLAGS,
    },
  },
});
