import type { Page } from 'playwright';

/** Periods in which the main thread of a tab was blocked, all its documents included. */
export interface Freezes {
  /** Lengths of tasks of 50 ms and more, in ms. */
  readonly tasks: readonly number[];
  /** Lengths of animation frames of 50 ms and more, in ms, and the part of them for styles, layout and painting. */
  readonly frames: readonly { readonly ms: number; readonly rendering: number }[];
}

interface Watched extends Window {
  vitrineFreezes?: { tasks: number[]; frames: { ms: number; rendering: number }[] };
}

/** Records freezes of all pages that are opened in the tab from now on. */
export async function watchFreezes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window !== top) return;
    const seen: Required<Watched>['vitrineFreezes'] = { tasks: [], frames: [] };
    (window as Watched).vitrineFreezes = seen;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { duration, startTime, renderStart } = entry as PerformanceEntry & { renderStart: number };
        seen.frames.push({ ms: duration, rendering: renderStart === 0 ? 0 : startTime + duration - renderStart });
      }
    }).observe({ type: 'long-animation-frame', buffered: true });
  });
}

/** The freezes so far. */
export function freezesOf(page: Page): Promise<Freezes> {
  return page.evaluate(() => (window as Watched).vitrineFreezes ?? { tasks: [], frames: [] });
}

/** The longest of the recorded tasks, which take at least 50 ms; 0 when there is none. */
export function longest(tasks: readonly number[]): number {
  return Math.max(0, ...tasks);
}
