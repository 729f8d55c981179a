import { dom, HTML_NAMESPACE } from './dom.ts';

/** Side of the square at the end of the scroll bars by which a person resizes an element (`resize`), in CSS px. */
const RESIZER_PX = 16;
/** Values of `overflow`, of one or both directions, by which an element may have scroll bars. */
const BARS = /auto|scroll/;

/** Whether a point of this frame's viewport lies on a scroll bar of the element there. Bars that lie over the content are part of it. */
export function isOnScrollBar(element: Element, x: number, y: number): boolean {
  if (dom.namespace(element) !== HTML_NAMESPACE) return false;
  if (element === dom.documentElement(document)) {
    const root = dom.scrollingElement(document) ?? element;
    return x >= dom.clientWidth(root) || y >= dom.clientHeight(root);
  }
  const style = getComputedStyle(element);
  if (!BARS.test(style.overflow)) return false;
  const [across, down] = axesOf(element as HTMLElement, style, { x, y }); // by its namespace
  if (across.length === 0 && down.length === 0) return false; // inline: it has no bars, whatever its style says
  if (isOnBorder(across) || isOnBorder(down)) return false;
  if (isInContent(across) && isInContent(down)) return false;
  const isAtEnd = across.size - across.at < RESIZER_PX && down.size - down.at < RESIZER_PX;
  return !(isAtEnd && style.resize !== 'none');
}

/** One direction of a box, in CSS px from the outer edge of its border. */
interface Axis {
  /** The point. */
  readonly at: number;
  readonly size: number;
  readonly borders: readonly [number, number];
  /** The part inside of borders and scroll bars. */
  readonly start: number;
  readonly length: number;
}

/** The point may be in a box that is scaled; one that is turned is taken for its upright surroundings. */
function axesOf(
  element: HTMLElement,
  style: CSSStyleDeclaration,
  { x, y }: { readonly x: number; readonly y: number },
): [Axis, Axis] {
  const box = dom.box(element);
  const [width, height] = [dom.offsetWidth(element), dom.offsetHeight(element)];
  const px = (value: string): number => parseFloat(value) || 0; // an element without a box has none
  return [
    {
      at: ((x - box.x) / box.width) * width,
      size: width,
      borders: [px(style.borderLeftWidth), px(style.borderRightWidth)],
      start: dom.clientLeft(element),
      length: dom.clientWidth(element),
    },
    {
      at: ((y - box.y) / box.height) * height,
      size: height,
      borders: [px(style.borderTopWidth), px(style.borderBottomWidth)],
      start: dom.clientTop(element),
      length: dom.clientHeight(element),
    },
  ];
}

function isOnBorder({ at, size, borders: [first, last] }: Axis): boolean {
  return at < first || at >= size - last;
}

function isInContent({ at, start, length }: Axis): boolean {
  return at >= start && at < start + length;
}
