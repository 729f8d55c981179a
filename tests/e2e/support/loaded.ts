import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright/test';

/** Time for what a chunk does as soon as it is there, in ms. */
const BEGIN_MS = 500;

/** Waits until the browser has loaded a chunk of the client: `find.bar`. */
export async function loaded(page: Page, chunk: string): Promise<void> {
  await page.waitForFunction(
    (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/${name}-`)),
    chunk,
  );
  await delay(BEGIN_MS);
}
