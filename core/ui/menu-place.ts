/** A point or a box in the window, in CSS px. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Distance from the edges of the window, in px. */
const MARGIN = 8;

const clamp = (at: number, size: number, room: number): number => Math.max(MARGIN, Math.min(at, room - size - MARGIN));

/**
 * Puts a menu below a place, or above it where there is more room, or else wherever it is whole; `beside` puts a submenu at the side of its
 * item. All are mirrored where text runs from right to left.
 */
export function placeMenu(menu: HTMLElement, place: Place, beside: boolean): void {
  const { clientWidth, clientHeight } = menu.ownerDocument.documentElement;
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { x, y, width: placeWidth = 0, height: placeHeight = 0 } = place;
  const isRtl = getComputedStyle(menu).direction === 'rtl';
  let left: number;
  let top: number;
  if (beside) {
    const [right, before] = [x + placeWidth, x - width];
    const [wanted, other] = isRtl ? [before, right] : [right, before];
    const fits = (at: number): boolean => at >= MARGIN && at + width <= clientWidth - MARGIN;
    left = fits(wanted) ? wanted : other;
    top = y - parseFloat(getComputedStyle(menu).paddingBlockStart);
  } else {
    left = isRtl ? x + placeWidth - width : x;
    const below = y + placeHeight;
    top = below + height <= clientHeight - MARGIN || y < height + MARGIN ? below : y - height;
  }
  menu.style.left = `${clamp(left, width, clientWidth)}px`;
  menu.style.top = `${clamp(top, height, clientHeight)}px`;
}
