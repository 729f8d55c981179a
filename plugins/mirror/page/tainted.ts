import { dom, NODE } from '../../../core/page.ts';
import type { Kernel, Root } from '../../../core/page.ts';
import type { Box, TaintedCanvas } from '../tainted-canvas.ts';

/** Points along a side of the grid in which is looked whether something lies over a canvas. */
const GRID = 5;

/**
 * Canvases that hold pixels of another origin: nobody in the page's process may read them, the host can look at the screen. This says
 * where on it they are.
 */
export class Tainted {
  readonly #kernel: Kernel;
  readonly #ask: (canvas: TaintedCanvas) => Promise<boolean>;
  /** Those that something has been shown of. */
  readonly #shown = new WeakSet<Element>();

  constructor(kernel: Kernel, ask: (canvas: TaintedCanvas) => Promise<boolean>) {
    this.#kernel = kernel;
    this.#ask = ask;
  }

  /** Has what shows of a canvas sent to the view; answers with whether that was anything new. Never rejects. */
  async show(element: HTMLCanvasElement): Promise<boolean> {
    const { boundingClientRect, intersectionRect } = await intersection(element);
    const id = this.#kernel.idOf(element);
    const [box, seen] = [contentBox(element, boundingClientRect), boxOf(intersectionRect)];
    const isSeen = id !== 0 && Math.min(...box.slice(2), ...seen.slice(2)) >= 1;
    if (!isSeen || isAltered(element)) return false;
    // What lies over it would be shown twice. What has been shown stays; if there is nothing yet, that is better than nothing.
    if (this.#shown.has(element) && isCovered(element, intersectionRect)) return false;
    const { epoch } = this.#kernel;
    try {
      const isNew = await this.#ask({ epoch, id, width: element.width, height: element.height, box, seen });
      if (isNew) this.#shown.add(element);
      return isNew;
    } catch {
      return false; // the host is gone, or too slow
    }
  }
}

/** Where an element is in its frame's viewport, and what of that is within all that clips it, in other frames too. */
function intersection(element: Element): Promise<IntersectionObserverEntry> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      if (entry) resolve(entry);
    });
    observer.observe(element);
  });
}

function boxOf({ x, y, width, height }: DOMRectReadOnly): Box {
  return [x, y, width, height];
}

/** The content box of a canvas whose border box is at `rect`. */
function contentBox(element: HTMLCanvasElement, rect: DOMRectReadOnly): Box {
  const style = getComputedStyle(element);
  const inset = (side: 'left' | 'right' | 'top' | 'bottom'): number =>
    ['border-?-width', 'padding-?'].reduce(
      (sum, name) => sum + Number.parseFloat(style.getPropertyValue(name.replace('?', side))),
      0,
    );
  const [left, right, top, bottom] = [inset('left'), inset('right'), inset('top'), inset('bottom')];
  const { offsetWidth, offsetHeight } = element;
  const across = scaleOf(rect.width, offsetWidth);
  const down = scaleOf(rect.height, offsetHeight);
  return [
    rect.x + left * across,
    rect.y + top * down,
    rect.width - (left + right) * across,
    rect.height - (top + bottom) * down,
  ];
}

/** By how much transforms scale a length; the layout's lengths are rounded. */
function scaleOf(shown: number, laidOut: number): number {
  return Math.abs(shown - laidOut) < 1 || laidOut === 0 ? 1 : shown / laidOut;
}

/** Whether more is done to what an element shows than to move and scale it: the screen shows that done, and the view would do it again. */
function isAltered(element: Element): boolean {
  for (let at: Node | null = element; at; at = dom.parentNode(at) ?? (at as Partial<ShadowRoot>).host ?? null) {
    if (dom.nodeType(at) !== NODE.element) continue;
    const style = getComputedStyle(at as Element); // by its type
    const { rotate, scale, transform, opacity, filter, mixBlendMode } = style;
    if (rotate !== 'none' || scale.includes('-') || !/^(?:none|matrix\(\d[^,]*, 0, 0, \d.*)$/.test(transform))
      return true;
    if (opacity !== '1' || filter !== 'none' || mixBlendMode !== 'normal') return true;
  }
  return false;
}

/** Whether other elements lie over most of what is seen of one. */
function isCovered(element: Element, { x, y, width, height }: DOMRectReadOnly): boolean {
  const root = dom.rootOf(element) as Root; // it is part of the page
  let covered = 0;
  for (let n = 0; n < GRID * GRID; n++) {
    const across = x + (width * ((n % GRID) + 0.5)) / GRID;
    const down = y + (height * (Math.floor(n / GRID) + 0.5)) / GRID;
    if (dom.elementAt(root, across, down) !== element) covered++;
  }
  return covered > (GRID * GRID) / 2;
}
