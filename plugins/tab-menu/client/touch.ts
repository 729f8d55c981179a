/** Time for which two fingers rest before the menu opens, in ms: longer than a press of one, which is the browser's, the page's or ours. */
export const HOLD_MS = 600;
/** Distance that a finger may move meanwhile, in CSS px: hands are not still. */
const SLOP_PX = 12;

interface Point {
  readonly x: number;
  readonly y: number;
}

const pointsOf = ({ touches }: TouchEvent): Point[] => [...touches].map(({ clientX: x, clientY: y }) => ({ x, y }));

/**
 * Calls back when exactly two fingers have rested. Scrolling and zooming move them; a browser that takes the touches over cancels them. Returns
 * the function that hears each touch event, and one that ends it.
 */
export function twoFingers(onRest: () => void): { readonly touch: (event: TouchEvent) => void; end(): void } {
  let begun: readonly Point[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(timer);
  const isStill = (event: TouchEvent): boolean => {
    const now = pointsOf(event);
    return (
      now.length === begun.length &&
      begun.every(({ x, y }, index) => Math.hypot((now[index]?.x ?? x) - x, (now[index]?.y ?? y) - y) <= SLOP_PX)
    );
  };
  return {
    end,
    touch: (event) => {
      if (event.type === 'touchmove' && isStill(event)) return;
      end();
      if (event.type !== 'touchstart' || event.touches.length !== 2) return;
      begun = pointsOf(event);
      timer = setTimeout(onRest, HOLD_MS);
    },
  };
}
