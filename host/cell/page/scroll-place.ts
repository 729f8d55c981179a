import { onAbort } from '../../../core/protocol/on-abort.ts';
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
/** Time after its load for which a page is scrolled again when its content has grown, in ms, and the interval of that. */
const GROWS_MS = 3000;
const AGAIN_MS = 250;
const MAX_PLACE = 10_000_000;

/** Reads to where a page is scrolled; the top where it does not answer. Never rejects. */
export async function scrollPlace(page: CdpSession | undefined): Promise<ScrollPlace> {
  try {
    const metrics = await page?.send('Page.getLayoutMetrics', undefined, { deadlineMs: DEADLINE_MS });
    const { pageX = 0, pageY = 0 } = metrics?.cssVisualViewport ?? {};
    return { x: bounded(pageX), y: bounded(pageY) };
  } catch {
    return { x: 0, y: 0 };
  }
}

function bounded(place: number): number {
  return Number.isFinite(place) ? Math.min(MAX_PLACE, Math.max(0, Math.round(place))) : 0;
}

/** Scrolls a page that is loading back to a place, until it is there or `isOver`: the person has begun to do something else. */
export function scrollBack(page: CdpSession, { x, y }: ScrollPlace, isOver: () => boolean): void {
  if (x === 0 && y === 0) return;
  let isDone = false;
  let timer: NodeJS.Timeout | undefined;
  const attempt = async (): Promise<void> => {
    isDone ||= isOver() || page.closed.aborted;
    if (isDone) return;
    try {
      const { frameTree } = await page.send('Page.getFrameTree', undefined, { deadlineMs: DEADLINE_MS });
      const world = { frameId: frameTree.frame.id, worldName: WORLD };
      const { executionContextId } = await page.send('Page.createIsolatedWorld', world, { deadlineMs: DEADLINE_MS });
      const expression = `scrollTo(${x}, ${y}); Math.abs(scrollX - ${x}) < 2 && Math.abs(scrollY - ${y}) < 2`;
      const asked = { expression, contextId: executionContextId, returnByValue: true };
      const { result } = await page.send('Runtime.evaluate', asked, { deadlineMs: DEADLINE_MS });
      isDone ||= result.value === true;
    } catch {
      // its document has just been replaced, or is busy: the next attempt may do
    }
  };
  const loaded = (): void => {
    const until = performance.now() + GROWS_MS;
    const again = async (): Promise<void> => {
      await attempt();
      if (!isDone && performance.now() < until) timer = setTimeout(() => void again(), AGAIN_MS).unref();
      else isDone = true;
    };
    clearTimeout(timer);
    void again();
  };
  page.on('Page.domContentEventFired', () => void attempt());
  page.on('Page.loadEventFired', () => {
    if (!isDone) loaded();
  });
  onAbort(page.closed, () => clearTimeout(timer));
}
