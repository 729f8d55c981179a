import type { Page } from 'playwright/test';

/** In documents that a tab opens from now on, no timer of one of these times, in ms, ever fires: a slow machine may take longer. */
export async function neverFires(page: Page, times: readonly number[]): Promise<void> {
  await page.addInitScript((never) => {
    const start = window.setTimeout.bind(window) as (...given: unknown[]) => number; // all that there is to pass
    const patient = (...given: unknown[]): number => (never.includes(Number(given[1])) ? 0 : start(...given));
    window.setTimeout = patient as typeof window.setTimeout; // it takes the same
  }, times);
}
