import type { Page } from 'playwright';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** Deadline for one picture of one page, in milliseconds. */
const PAGE_MS = PATIENCE_MS;

/** Names the current step, so that a timeout can name it. */
export type Step = (name: string) => void;

/**
 * Runs `work` on a page and always closes the page afterwards. Throws what `work` throws, or, after the deadline, an error that
 * names the last step.
 */
export async function onPage<T>(page: Page, work: (step: Step) => Promise<T>): Promise<T> {
  let current = 'opening';
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${PAGE_MS / 1000} s passed: ${current}`)), PAGE_MS);
  });
  const working = work((name) => (current = name));
  working.catch(() => undefined); // errors because the page was closed have been reported as a timeout
  try {
    return await Promise.race([working, expired]);
  } finally {
    clearTimeout(timer);
    await page.close().catch(() => undefined); // a browser that has ended has no page to close
  }
}
