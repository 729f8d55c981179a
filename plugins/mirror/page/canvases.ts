import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Canvases looked at in one flush, and after a poll. */
const FLUSH_BUDGET = 20;
const POLL_BUDGET = 100;

interface Canvas {
  readonly element: HTMLCanvasElement;
  readonly id: number;
  width: number;
  height: number;
}

/** Sizes of canvases: those of a transferred one change without their attributes. */
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
    if (dom.isHtml(element, 'canvas')) this.#canvases.add({ element, id, width: -1, height: -1 });
  }

  reset(): void {
    this.#canvases = new Sweep();
  }

  collect(full: boolean): void {
    this.#canvases.run(full ? POLL_BUDGET : FLUSH_BUDGET, (canvas) => {
      const { element, id } = canvas;
      if (this.#kernel.idOf(element) !== id) return false;
      const { width, height } = element;
      if (width === canvas.width && height === canvas.height) return true;
      canvas.width = width;
      canvas.height = height;
      this.#writer.op([OP.canvas, id, width, height]);
      return true;
    });
  }
}
