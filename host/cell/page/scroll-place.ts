import { setTimeout as delay } from 'node:timers/promises';
import type { CdpSession } from '../../surrogate/cdp-session.ts';

/** Place to which a page is scrolled, in CSS px. */
export interface ScrollPlace {
  readonly x: number;
  readonly y: number;
}

/** Name of the world in which a page is scrolled: its own scripts cannot be in the way. */
const WORLD = 'vitrine-scroll';
/** Deadline of each question, in ms: the page may be busy. */
const DEADLINE_MS = 5000;
/** Interval of the attempts to scroll a page, in ms. */
const AGAIN_MS = 250;
/** Number of attempts after its load: its content may grow. */
const ATTEMPTS = 12;
/** Number of attempts before that: one that never loads is left at its top. */
const MAX_ATTEMPTS = 480;
const STATES = ['loading', 'there', 'elsewhere'] as const;
const MAX_PLACE = 10_000_000;

/** Reads to where a page is scrolled; undefined where it does not answer. Never rejects. */
export async function scrollPlace(page: CdpSession): Promise<ScrollPlace | undefined> {
  try {
    const metrics = await page.send('Page.getLayoutMetrics', undefined, { deadlineMs: DEADLINE_MS });
    const { pageX, pageY } = metrics.cssVisualViewport;
    return { x: bounded(pageX), y: bounded(pageY) };
  } catch {
    return undefined;
  }
}

function bounded(place: number): number {
  return Number.isFinite(place) ? Math.min(MAX_PLACE, Math.max(0, Math.round(place))) : 0;
}

/** Scrolls a page, which may have been loaded meanwhile, back to a place, until it is there or `isOver`: the person has begun to do something else. */
export function scrollBack(page: CdpSession, { x, y }: ScrollPlace, isOver: () => boolean): void {
  if (x === 0 && y === 0) return;
  const run = async (): Promise<void> => {
    let before = MAX_ATTEMPTS;
    let after = ATTEMPTS;
    while (before > 0 && after > 0 && !isOver() && !page.closed.aborted) {
      const state = await attempt(page, { x, y });
      if (state === 'there') return;
      if (state === 'elsewhere') after -= 1;
      else before -= 1;
      await delay(AGAIN_MS, undefined, { ref: false });
    }
  };
  void run();
}

/** Scrolls once; `elsewhere`: the page is loaded, and not as long as it was. Never rejects. */
async function attempt(page: CdpSession, { x, y }: ScrollPlace): Promise<(typeof STATES)[number]> {
  const deadline = { deadlineMs: DEADLINE_MS };
  try {
    const { frameTree } = await page.send('Page.getFrameTree', undefined, deadline);
    const { id: frameId, url } = frameTree.frame;
    if (url === 'about:blank') return 'loading';
    const world = { frameId, worldName: WORLD };
    const { executionContextId: contextId } = await page.send('Page.createIsolatedWorld', world, deadline);
    const expression = `scrollTo({ left: ${x}, top: ${y}, behavior: 'instant' });
      Math.abs(scrollX - ${x}) < 2 && Math.abs(scrollY - ${y}) < 2 ? 'there'
        : document.readyState === 'complete' ? 'elsewhere' : 'loading'`;
    const { result } = await page.send('Runtime.evaluate', { expression, contextId, returnByValue: true }, deadline);
    return STATES.find((each) => each === result.value) ?? 'loading';
  } catch {
    return 'loading'; // its document has just been replaced, or is busy: the next attempt may do
  }
}
