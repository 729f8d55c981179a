import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { BLACK, copyOf, endsBlack, glanceAt, lastingOf, pictureOf } from './canvas-pixels.ts';
import type { Lasting } from './canvas-pixels.ts';
import type { Tainted } from './tainted.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Canvases checked in one flush, and after a poll. */
const FLUSH_BUDGET = 20;
const POLL_BUDGET = 100;
/** Reading pixels back stalls the page: the pause after a reading is this many times its duration. */
const REST_FACTOR = 20;
/** Shortest and longest pause between two readings, in ms; each reading that finds nothing new doubles it. */
const SHORTEST_MS = 100;
const LONGEST_MS = 1000;
/** Largest canvas that is read, in pixels, and largest picture that is sent, in UTF-16 units. */
const MAX_PIXELS = 4096 * 4096;
const MAX_PICTURE_UNITS = 4 * 1024 * 1024;
/** Time for which a canvas without drawings is checked in every frame after it was added, or after an act of the person, in ms; later it is checked rarely. */
const FIRST_MS = 10_000;
const ACTS = ['pointerdown', 'keydown'];
/** The same after a resource has come, and how often between two acts: pages that poll would have all frames checked. */
const RESOURCE_MS = 2000;
const MOST_RESOURCES = 30;
/** Number of unchanged thumbnails after which a canvas is read anyway: small changes do not show in them. */
const PATIENCE = 10;
/** Maximum number of canvases that are checked in a frame. */
const MOST_WATCHED = 16;

/** State of a canvas of the page, independent of what was sent. */
interface Drawing {
  readonly element: HTMLCanvasElement;
  /** Undefined until something has been drawn. */
  lasting?: Lasting;
  picture: string;
  /** Time at which it may be read again, and the pause after that, in ms. */
  nextAt: number;
  restMs: number;
  glance: string;
  patience: number;
  /** Copy of pixels that were only readable in their frame, to be read later. */
  copy?: HTMLCanvasElement | undefined;
  /** Time until which it is checked in every frame. */
  until: number;
}

interface Canvas {
  readonly id: number;
  readonly drawing: Drawing;
  width: number;
  height: number;
  /** Last picture sent, as a data address; empty for none. */
  sent: string;
}

/** Sizes and pictures of canvases. Tainted ones cannot be read here: the host shows what is on the surrogate's screen. */
export class Canvases implements Tracker {
  readonly names = ['canvas'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #tainted: Tainted;
  readonly #drawings = new WeakMap<Element, Drawing>();
  #canvases = new Sweep<Canvas>();
  /** Drawings to be checked in the next frame. */
  readonly #watched = new Set<Drawing>();
  /** Canvases without drawings that are checked rarely. */
  #idle = new Set<Drawing>();
  #isWaiting = false;
  #resources = 0;

  constructor(kernel: Kernel, writer: Writer, tainted: Tainted) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#tainted = tainted;
    for (const type of ACTS)
      kernel.listen(type, () => {
        this.#resources = 0;
        this.#expect(FIRST_MS);
      });
    new PerformanceObserver(() => {
      if (this.#idle.size > 0 && ++this.#resources <= MOST_RESOURCES) this.#expect(RESOURCE_MS);
    }).observe({ type: 'resource' });
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'canvas')) return;
    const known = this.#drawings.get(element);
    const initial = { picture: '', nextAt: 0, restMs: SHORTEST_MS, glance: '', patience: PATIENCE };
    const drawing = known ?? { element, ...initial, until: performance.now() + FIRST_MS };
    this.#drawings.set(element, drawing);
    this.#canvases.add({ id, drawing, width: -1, height: -1, sent: '' });
    this.#watch(drawing);
    if (known) return;
    // Pixels drawn so far may be lost after this frame, whose callbacks may be over.
    this.#look(drawing);
    // Those drawn in the next callbacks may be lost after the next one, which may come before the timer of the watch.
    requestAnimationFrame(() => this.#look(drawing));
  }

  /** A page that draws once on a new canvas does so with its insertion. */
  isUrgent(records: readonly MutationRecord[]): boolean {
    return records.some(({ addedNodes }) => addedNodes.length > 0 && [...addedNodes].some(holdsCanvas));
  }

  reset(): void {
    this.#canvases = new Sweep();
  }

  collect(full: boolean): void {
    this.#canvases.run(full ? POLL_BUDGET : FLUSH_BUDGET, (canvas) => {
      const { id, drawing } = canvas;
      const { element } = drawing;
      if (this.#kernel.idOf(element) !== id) {
        this.#idle.delete(drawing);
        return false;
      }
      // A transferred canvas changes its size without its attributes.
      const { width, height } = element;
      if (width !== canvas.width || height !== canvas.height) {
        canvas.width = width;
        canvas.height = height;
        this.#writer.op([OP.canvas, id, width, height]);
      }
      if (full) this.#poll(drawing);
      if (drawing.picture !== canvas.sent) {
        canvas.sent = drawing.picture;
        this.#writer.op([OP.picture, id, drawing.picture]);
      }
      return true;
    });
  }

  #poll(drawing: Drawing): void {
    if (drawing.lasting !== 'frame') this.#read(drawing, drawing.element);
    else if (drawing.copy && this.#read(drawing, drawing.copy)) drawing.copy = undefined;
    if (drawing.lasting !== 'always') this.#watch(drawing);
  }

  /** Returns whether it was time to read. */
  #read(drawing: Drawing, element: HTMLCanvasElement): boolean {
    const begin = performance.now();
    const pixels = element.width * element.height;
    if (begin < drawing.nextAt || pixels === 0 || pixels > MAX_PIXELS) return false;
    const picture = pictureOf(element);
    if (picture === undefined) {
      drawing.picture = '';
      drawing.nextAt = Infinity; // until the result is known
      void this.#tainted.show(drawing.element).then((isNew) => rest(drawing, isNew, begin));
      return true;
    }
    const isNew = picture !== drawing.picture && picture.length <= MAX_PICTURE_UNITS;
    rest(drawing, isNew, begin);
    if (isNew) drawing.picture = picture;
    return true;
  }

  #watch(drawing: Drawing): void {
    if (this.#watched.size < MOST_WATCHED) this.#watched.add(drawing);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    // Runs after the page's own callbacks of the next frame: most of them have been requested within this frame.
    setTimeout(() => requestAnimationFrame(() => this.#lookAll()));
  }

  #lookAll(): void {
    this.#isWaiting = false;
    const watched = [...this.#watched];
    this.#watched.clear();
    for (const drawing of watched) this.#look(drawing);
  }

  /** The person has acted, or a resource has come: a viewer, say, may draw now, and once. */
  #expect(forMs: number): void {
    const idle = this.#idle;
    this.#idle = new Set();
    for (const drawing of idle) {
      drawing.until = performance.now() + forMs;
      this.#watch(drawing);
    }
  }

  /** Runs within a frame, after the page has drawn. */
  #look(drawing: Drawing): void {
    const { element } = drawing;
    if (this.#kernel.idOf(element) === 0) return;
    let glance = element.width * element.height > MAX_PIXELS ? '' : glanceAt(element);
    if (glance === BLACK && drawing.glance !== '' && endsBlack(element)) glance = ''; // black says nothing about the drawing
    if (glance === undefined) {
      drawing.lasting = 'always';
      return;
    }
    if (glance !== '') drawing.lasting ??= lastingOf(element);
    if (drawing.lasting === 'always') return;
    if (drawing.lasting === 'frame' || performance.now() < drawing.until) this.#watch(drawing);
    else if (this.#idle.size < MOST_WATCHED) this.#idle.add(drawing);
    if (glance === '' || (glance === drawing.glance && --drawing.patience > 0)) return;
    drawing.glance = glance;
    drawing.patience = PATIENCE;
    if (!this.#read(drawing, element)) drawing.copy = copyOf(element, drawing.copy);
    else {
      drawing.copy = undefined;
      this.#kernel.schedule();
    }
  }
}

/** Sets the time at which a canvas may be checked again. */
function rest(drawing: Drawing, isNew: boolean, begin: number): void {
  const end = performance.now();
  drawing.restMs = isNew ? SHORTEST_MS : Math.min(LONGEST_MS, drawing.restMs * 2);
  drawing.nextAt = end + Math.max(drawing.restMs, REST_FACTOR * (end - begin));
}

function holdsCanvas(node: Node): boolean {
  if (!dom.isElement(node)) return false;
  return dom.isHtml(node, 'canvas') || Element.prototype.getElementsByTagName.call(node, 'canvas').length > 0;
}
