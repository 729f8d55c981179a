import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
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

interface Canvas {
  readonly element: HTMLCanvasElement;
  readonly id: number;
  width: number;
  height: number;
  /** The picture that has been sent, as a data address; empty for none. */
  picture: string;
  /** When it may be read again, and how long it waits after that, in ms. */
  nextAt: number;
  restMs: number;
}

/** Sizes and pictures of canvases. Those that hold pixels of other origins cannot be read and stay empty. */
export class Canvases implements Tracker {
  readonly names = ['canvas'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #canvases = new Sweep<Canvas>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'canvas')) return;
    this.#canvases.add({ element, id, width: -1, height: -1, picture: '', nextAt: 0, restMs: SHORTEST_MS });
  }

  reset(): void {
    this.#canvases = new Sweep();
  }

  collect(full: boolean): void {
    this.#canvases.run(full ? POLL_BUDGET : FLUSH_BUDGET, (canvas) => {
      const { element, id } = canvas;
      if (this.#kernel.idOf(element) !== id) return false;
      // A transferred canvas changes its size without its attributes.
      const { width, height } = element;
      if (width !== canvas.width || height !== canvas.height) {
        canvas.width = width;
        canvas.height = height;
        this.#writer.op([OP.canvas, id, width, height]);
      }
      if (full) this.#read(canvas);
      return true;
    });
  }

  #read(canvas: Canvas): void {
    const begin = performance.now();
    const { element, id, width, height } = canvas;
    if (begin < canvas.nextAt || width * height === 0 || width * height > MAX_PIXELS) return;
    const picture = pictureOf(element);
    const end = performance.now();
    const isNew = picture !== canvas.picture && picture.length <= MAX_PICTURE_UNITS;
    canvas.restMs = isNew ? SHORTEST_MS : Math.min(LONGEST_MS, canvas.restMs * 2);
    canvas.nextAt = end + Math.max(canvas.restMs, REST_FACTOR * (end - begin));
    if (!isNew) return;
    canvas.picture = picture;
    this.#writer.op([OP.picture, id, this.#writer.string(picture)]);
  }
}

/** A canvas's pixels as a PNG data address; empty when they may not be read. */
function pictureOf(element: HTMLCanvasElement): string {
  try {
    const address = HTMLCanvasElement.prototype.toDataURL.call(element, 'image/png');
    return address.startsWith('data:image/png') ? address : '';
  } catch {
    return ''; // pixels of another origin
  }
}
