import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';

export const VIEW = 'iframe[data-vitrine-frame="main"]';

/** Times at which something was shown in a tab, in milliseconds since the navigation started. */
interface Shown {
  /** The document was complete, its pictures included, and the next frame had started. */
  readonly final: number;
  /** The client showed anything; undefined where the page was opened directly. */
  readonly first: number | undefined;
  /** The client requested a surrogate. */
  readonly pair: number | undefined;
}

const BOUND_MS = 60_000;

/**
 * Opens a page in a tab of its own, directly or at the host, until it is complete, and closes the tab. Throws at the
 * timeout.
 */
export async function showing(context: BrowserContext, url: string, frame?: string, readingMs = 0): Promise<Shown> {
  const tab = await context.newPage();
  try {
    await tab.goto(url, { waitUntil: 'commit' });
    const shown = await tab.evaluate(watchIt, { frame, bound: BOUND_MS });
    await delay(readingMs);
    return shown;
  } finally {
    await tab.close();
  }
}

/** Runs in the tab. */
function watchIt({ frame, bound }: { frame: string | undefined; bound: number }): Promise<Shown> {
  return new Promise((resolve, reject) => {
    let first: number | undefined;
    const look = (): void => {
      const root = document.documentElement;
      if (root.dataset.vitrineShown !== undefined) first ??= performance.now();
      const page = frame === undefined ? document : document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
      const isFinal = page?.querySelector(':root[data-ready="1"]') && Array.from(page.images).every((i) => i.complete);
      if (isFinal) {
        const [pair] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/r/pair'));
        requestAnimationFrame(() => resolve({ final: performance.now(), first, pair: pair?.startTime }));
      } else if (performance.now() > bound) reject(new Error(`not shown: ${root.dataset.vitrineState ?? ''}`));
      else requestAnimationFrame(look);
    };
    look();
  });
}
