import type { Target } from '../protocol/target.ts';
import type { Kernel } from '../contracts/kernel.ts';
import { dom, NODE } from './dom.ts';
import { isOnScrollBar } from './scroll-bars.ts';

/** Maximum number of client rectangles of a node that are tried. */
const MOST_BOXES = 8;
/** Distance in CSS px by which a point is moved inside a rectangle: edges may belong to a neighbour. */
const INSET = 1;

/** A point of this frame's viewport, in CSS px. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The current position of a target, the node at that point, and whether one of its scroll bars is there. */
interface Resolved extends Point {
  readonly hit: boolean;
  readonly node: number;
  readonly bar: boolean;
}

/** The node of a target, while it is part of the page. */
export function nodeOf(kernel: Kernel, { node, epoch }: Target): Node | undefined {
  return node === undefined || (epoch !== undefined && epoch !== kernel.epoch) ? undefined : kernel.nodeOf(node);
}

/**
 * Finds the current position of a target. A node outside the viewport is scrolled into view. Where another element covers it, its other
 * rectangles are tried. Without a node, or when it has no box, the target's own position is used.
 */
export function resolve(kernel: Kernel, target: Target): Resolved {
  const node = nodeOf(kernel, target);
  const element = node && elementOf(node);
  const given = { x: target.x, y: target.y };
  if (!node || !element || isRoot(element)) return answer(kernel, given, undefined);
  const aimed = aim(node, target);
  if (!aimed) return answer(kernel, given, undefined);
  const point = isVisible(element, aimed) ? aimed : (show(element, node, target) ?? aimed);
  if (isHit(kernel, element, point)) return answer(kernel, point, true);
  const other = alternatives(node, point).find((place) => isHit(kernel, element, place));
  return answer(kernel, other ?? point, other !== undefined);
}

/** `hit` undefined: any element counts. */
function answer(kernel: Kernel, { x, y }: Point, hit: boolean | undefined): Resolved {
  const found = deepest(kernel, x, y);
  const shown = found ?? dom.documentElement(document); // nothing is found on the bars of the document
  return {
    x,
    y,
    hit: hit ?? found !== undefined,
    node: found ? sentId(kernel, found) : 0,
    bar: shown !== null && isOnScrollBar(shown, x, y),
  };
}

function elementOf(node: Node): Element | undefined {
  if (dom.isElement(node)) return node;
  const parent = dom.parentNode(node);
  return parent && dom.isElement(parent) ? parent : undefined;
}

/** The root element's box is not useful: it may be shorter than the visible page, and is never out of view. */
function isRoot(element: Element): boolean {
  return element === dom.documentElement(document);
}

function boxOf(node: Node): DOMRect {
  return dom.isElement(node) ? dom.box(node) : rangeOf(node).getBoundingClientRect();
}

function boxesOf(node: Node): DOMRect[] {
  return [...(dom.isElement(node) ? dom.boxes(node) : rangeOf(node).getClientRects())].slice(0, MOST_BOXES);
}

function rangeOf(node: Node): Range {
  const range = new Range();
  range.selectNodeContents(node);
  return range;
}

/** The target's offset, scaled from the box that the person sees to the box here. */
function aim(node: Node, { offset }: Target): Point | undefined {
  const box = boxOf(node);
  if (box.width === 0 && box.height === 0) return undefined;
  if (!offset) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const across = offset.width > 0 ? box.width / offset.width : 1;
  const down = offset.height > 0 ? box.height / offset.height : 1;
  return { x: box.x + offset.x * across, y: box.y + offset.y * down };
}

/** Whether the point is not clipped by a scroller or the viewport. */
function isVisible(element: Element, { x, y }: Point): boolean {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  for (let node = dom.parentNode(element); node && dom.isElement(node) && !isRoot(node); node = dom.parentNode(node)) {
    if (!isScroller(node)) continue;
    const { left, right, top, bottom } = dom.box(node);
    if (x < left || x >= right || y < top || y >= bottom) return false;
  }
  return true;
}

function isScroller(element: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(element);
  return dom.localName(element) !== 'body' && (isScrolling(overflowX) || isScrolling(overflowY));
}

function isScrolling(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'hidden';
}

/** Scrolls by the minimum distance and computes the point again. */
function show(element: Element, node: Node, target: Target): Point | undefined {
  dom.scrollIntoView(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const point = aim(node, target);
  if (!point) return undefined;
  // A node larger than the viewport is already in view, but this point of it is not.
  const left = beyond(point.x, innerWidth);
  const top = beyond(point.y, innerHeight);
  if (left === 0 && top === 0) return point;
  scrollBy({ left, top, behavior: 'instant' });
  return aim(node, target);
}

function beyond(at: number, size: number): number {
  if (at < 0) return at;
  return at >= size ? at - size + INSET : 0;
}

/** Other points of a node: in each of its rectangles the one closest to the point, and the centre. */
function alternatives(node: Node, { x, y }: Point): Point[] {
  return boxesOf(node).flatMap(({ left, right, top, bottom }) => {
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
    return [{ x: clamp(x, left, right), y: clamp(y, top, bottom) }, middle];
  });
}

function clamp(at: number, low: number, high: number): number {
  return high - low > 2 * INSET ? Math.min(Math.max(at, low + INSET), high - INSET) : (low + high) / 2;
}

/**
 * Whether the element at the point is the element or inside it. It may also contain the element (the point is between its lines, or the
 * element has no pointer events), unless it is the whole page.
 */
function isHit(kernel: Kernel, element: Element, { x, y }: Point): boolean {
  const found = deepest(kernel, x, y);
  if (!found) return false;
  if (holds(element, found)) return true;
  return holds(found, element) && !isRoot(found) && dom.localName(found) !== 'body';
}

/** The innermost element at a point, through shadow roots of any mode. */
function deepest(kernel: Kernel, x: number, y: number): Element | undefined {
  let root: Document | ShadowRoot = document;
  let found: Element | undefined;
  for (;;) {
    const inner: Element | null = dom.elementAt(root, x, y);
    if (!inner || inner === found) return found;
    found = inner;
    const shadow = kernel.shadowOf(found);
    if (!shadow) return found;
    root = shadow;
  }
}

/** Whether one node is the other or contains it, through shadow roots. */
function holds(outer: Node, inner: Node): boolean {
  for (let node: Node | null = inner; node;) {
    if (dom.contains(outer, node)) return true;
    const root = dom.rootOf(node);
    node = dom.nodeType(root) === NODE.fragment ? (root as ShadowRoot).host : null;
  }
  return false;
}

/** The id of an element, or of its closest ancestor that has been sent. */
function sentId(kernel: Kernel, element: Element): number {
  for (let node: Node | null = element; node; node = dom.parentNode(node)) {
    const id = kernel.idOf(node);
    if (id !== 0) return id;
  }
  return 0;
}
