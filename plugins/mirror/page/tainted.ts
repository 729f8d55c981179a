import { dom, NODE } from '../../../core/page.ts';
import type { Kernel, Root } from '../../../core/page.ts';
import type { Box, TaintedCanvas } from '../tainted-canvas.ts';

/** Points along a side of the grid at which a canvas is tested for elements that cover it. */
const GRID = 5;

/**
 * Canvases tainted by another origin: nothing in the page's process may read them, but the host can capture the screen. This reports
 * where on the screen they are.
 */
export class Tainted {
  readonly #kernel: Kernel;
  readonly #ask: (canvas: TaintedCanvas) => Promise<boolean>;
  /** Canvases of which a picture has been shown. */
  readonly #shown = new WeakSet<Element>();

  constructor(kernel: Kernel, ask: (canvas: TaintedCanvas) => Promise<boolean>) {
    this.#kernel = kernel;
    this.#ask = ask;
  }

  /** Has the visible part of a canvas sent to the view; resolves to whether it was anything new. Never rejects. */
  async show(element: HTMLCanvasElement): Promise<boolean> {
    const { boundingClientRect, intersectionRect } = await intersection(element);
    const id = this.#kernel.idOf(element);
    const [box, seen] = [contentBox(element, boundingClientRect), boxOf(intersectionRect)];
    const isSeen = id !== 0 && Math.min(...box.slice(2), ...seen.slice(2)) >= 1;
    if (!isSeen || isAltered(element)) return false;
    // Elements that cover it would be shown twice. A shown picture stays; if there is none yet, a covered one is better than none.
    if (this.#shown.has(element) && isCovered(element, intersectionRect)) return false;
    const { epoch } = this.#kernel;
    try {
      const isNew = await this.#ask({ epoch, id, width: element.width, height: element.height, box, seen });
      if (isNew) this.#shown.add(element);
      return isNew;
    } catch {
      return false; // the host is closed, or too slow
    }
  }
}

/** Observes the position of an element in its frame's viewport, and its part that nothing clips, in outer frames either. */
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

/** Returns the content box of a canvas whose border box is at `rect`. */
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

/** Returns the factor by which transforms scale a length; the layout's lengths are rounded. */
function scaleOf(shown: number, laidOut: number): number {
  return Math.abs(shown - laidOut) < 1 || laidOut === 0 ? 1 : shown / laidOut;
}

/** Whether an element is more than moved and scaled: the screen shows the result already, and the view would apply it again. */
function isAltered(element: Element): boolean {
  for (let at: Node | null = element; at; at = dom.parentNode(at) ?? (at as Partial<ShadowRoot>).host ?? null) {
    if (dom.nodeType(at) !== NODE.element) continue;
    const style = getComputedStyle(at as Element); // an element by its type
    const { rotate, scale, transform, opacity, filter, mixBlendMode } = style;
    if (rotate !== 'none' || scale.includes('-') || !/^(?:none|matrix\(\d[^,]*, 0, 0, \d.*)$/.test(transform))
      return true;
    if (opacity !== '1' || filter !== 'none' || mixBlendMode !== 'normal') return true;
  }
  return false;
}

/** Whether other elements cover most of the visible part of an element. */
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
