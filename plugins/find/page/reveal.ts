import { dom } from '../../../core/page.ts';
import type { Rect } from '../protocol.ts';
import { shownIn } from './place.ts';

/** Opens what hides a node until it is found, as Chromium's own search does: `details`, and `hidden=until-found`, which hears of it. */
export function open(node: Node): void {
  const path: Element[] = [];
  for (let at = shownIn(node); at; at = shownIn(at)) path.push(at);
  path.forEach((element, index) => {
    if (dom.attribute(element, 'hidden') === 'until-found') {
      element.dispatchEvent(new Event('beforematch', { bubbles: true }));
      removeAttribute.call(element, 'hidden');
    }
    if (!dom.isHtml(element, 'details') || dom.hasAttribute(element, 'open')) return;
    const inner = path[index - 1];
    if (!inner || !dom.isHtml(inner, 'summary')) setAttribute.call(element, 'open', '');
  });
}

const { removeAttribute, setAttribute } = Element.prototype;

/**
 * Scrolls a box of a node into the middle of every scroller that does not show it, and of the viewport. `rect` tells where the box is.
 * Returns where it is in the end.
 */
export function scrollTo(node: Node, rect: () => Rect | undefined): Rect | undefined {
  let box = rect();
  const root = dom.documentElement(document);
  for (let element = shownIn(node); box && element && element !== root; element = shownIn(element)) {
    if (!isScroller(element)) continue;
    const outer = dom.box(element);
    const left = outer.left + element.clientLeft;
    const top = outer.top + element.clientTop;
    const by = {
      left: beyond(box.x, box.width, left, element.clientWidth),
      top: beyond(box.y, box.height, top, element.clientHeight),
    };
    if (by.left === 0 && by.top === 0) continue;
    scrollBy.call(element, { ...by, behavior: 'instant' });
    box = rect();
  }
  if (!box) return undefined;
  const by = { left: beyond(box.x, box.width, 0, innerWidth), top: beyond(box.y, box.height, 0, innerHeight) };
  if (by.left === 0 && by.top === 0) return box;
  window.scrollBy({ ...by, behavior: 'instant' });
  return rect();
}

const scrollBy: (this: Element, options: ScrollToOptions) => void = Element.prototype.scrollBy;

function isScroller(element: Element): boolean {
  if (element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight) return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  return [overflowX, overflowY].some((overflow) => overflow !== 'visible' && overflow !== 'clip');
}

/** By how much to scroll so that a stretch is in the middle of a window; 0 when it is shown. */
function beyond(at: number, size: number, start: number, length: number): number {
  if (length <= 0 || (at >= start && at + size <= start + length)) return 0;
  return at + Math.min(size, length) / 2 - (start + length / 2);
}
