import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { BLACK, copyOf, endsBlack, glanceAt, lastingOf, pictureOf } from './canvas-pixels.ts';
import type { Lasting } from './canvas-pixels.ts';
import type { Tainted } from './tainted.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Canvases looked at in one flush, and after a poll. */
const FLUSH_BUDGET = 20;
const POLL_BUDGET = 100;
/** Reading pixels back stalls the page: a canvas waits this many times as long as its last reading took. */
const REST_FACTOR = 20;
/** Shortest and longest time between two readings, in ms; each that finds nothing new doubles the wait. */
const SHORTEST_MS = 100;
const LONGEST_MS = 1000;
/** Largest canvas that is read, in pixels, and largest picture that is sent, in UTF-16 units. */
const MAX_PIXELS = 4096 * 4096;
const MAX_PICTURE_UNITS = 4 * 1024 * 1024;
/** How long a canvas that nothing has been drawn on is looked at in every frame, in ms; later only now and then. */
const FIRST_MS = 10_000;
/** Glances that see nothing new between two readings all the same: small changes do not show from afar. */
const PATIENCE = 10;
/** Most canvases that are looked at in a frame. */
const MOST_WATCHED = 16;

/** What a canvas of the page has shown, whatever has been sent of it. */
interface Drawing {
  readonly element: HTMLCanvasElement;
  /** Undefined until something has been drawn. */
  lasting?: Lasting;
  picture: string;
  /** When it may be read again, and how long it waits after that, in ms. */
  nextAt: number;
  restMs: number;
  glance: string;
  patience: number;
  /** A copy of what could only be seen in its frame, to be read when there is time. */
  copy?: HTMLCanvasElement | undefined;
  readonly since: number;
}

interface Canvas {
  readonly id: number;
  readonly drawing: Drawing;
  width: number;
  height: number;
  /** The picture that has been sent, as a data address; empty for none. */
  sent: string;
}

/** Sizes and pictures of canvases. Those that hold pixels of other origins cannot be read: the host shows what it sees of them. */
export class Canvases implements Tracker {
  readonly names = ['canvas'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #tainted: Tainted;
  readonly #drawings = new WeakMap<Element, Drawing>();
  #canvases = new Sweep<Canvas>();
  /** Drawings to be looked at in the next frame. */
  readonly #watched = new Set<Drawing>();
  #isWaiting = false;

  constructor(kernel: Kernel, writer: Writer, tainted: Tainted) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#tainted = tainted;
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'canvas')) return;
    const known = this.#drawings.get(element);
    const begun = { picture: '', nextAt: 0, restMs: SHORTEST_MS, glance: '', patience: PATIENCE };
    const drawing = known ?? { element, ...begun, since: performance.now() };
    this.#drawings.set(element, drawing);
    this.#canvases.add({ id, drawing, width: -1, height: -1, sent: '' });
    this.#watch(drawing);
    // What has been drawn while the document was read may be gone after the first frame, which may come before the timer of the watch.
    if (!known) requestAnimationFrame(() => this.#look(drawing));
  }

  reset(): void {
    this.#canvases = new Sweep();
  }

  collect(full: boolean): void {
    this.#canvases.run(full ? POLL_BUDGET : FLUSH_BUDGET, (canvas) => {
      const { id, drawing } = canvas;
      const { element } = drawing;
      if (this.#kernel.idOf(element) !== id) return false;
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

  /** Answers with whether it was time to. */
  #read(drawing: Drawing, element: HTMLCanvasElement): boolean {
    const begin = performance.now();
    const pixels = element.width * element.height;
    if (begin < drawing.nextAt || pixels === 0 || pixels > MAX_PIXELS) return false;
    const picture = pictureOf(element);
    if (picture === undefined) {
      drawing.picture = '';
      drawing.nextAt = Infinity; // until it is known what has come of it
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
    // What the page does in the next frame has been asked for by then, mostly within this one: it goes first.
    setTimeout(() => requestAnimationFrame(() => this.#lookAll()));
  }

  #lookAll(): void {
    this.#isWaiting = false;
    const watched = [...this.#watched];
    this.#watched.clear();
    for (const drawing of watched) this.#look(drawing);
  }

  /** Within a frame, after the page has drawn. */
  #look(drawing: Drawing): void {
    const { element } = drawing;
    if (this.#kernel.idOf(element) === 0) return;
    let glance = element.width * element.height > MAX_PIXELS ? '' : glanceAt(element);
    if (glance === BLACK && drawing.glance !== '' && endsBlack(element)) glance = ''; // which says nothing of what was drawn
    if (glance === undefined) {
      drawing.lasting = 'always';
      return;
    }
    if (glance !== '') drawing.lasting ??= lastingOf(element);
    if (drawing.lasting === 'always') return;
    if (drawing.lasting === 'frame' || performance.now() - drawing.since < FIRST_MS) this.#watch(drawing);
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

/** Says when a canvas may be looked at again. */
function rest(drawing: Drawing, isNew: boolean, begin: number): void {
  const end = performance.now();
  drawing.restMs = isNew ? SHORTEST_MS : Math.min(LONGEST_MS, drawing.restMs * 2);
  drawing.nextAt = end + Math.max(drawing.restMs, REST_FACTOR * (end - begin));
}
