import { dom } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { DOCUMENT_ID, OP, SCROLL_SCALE } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

interface Offsets {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/** Scroll offsets of the document and its scrollers. Browsers report them once a frame at most. */
export class Scrolling implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  /** Everything that has ever been scrolled, with the last offsets sent. */
  readonly #scrolled = new Map<Node, Offsets | null>();
  readonly #dirty = new Set<Node>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    kernel.listen('scroll', ({ target }) => {
      if (dom.isNode(target)) this.#dirty.add(target);
      kernel.schedule();
    });
  }

  reset(): void {
    for (const node of this.#scrolled.keys()) this.#dirty.add(node);
    this.#scrolled.clear();
  }

  collect(full: boolean): void {
    if (full) this.#lookForReturned();
    for (const node of this.#dirty) this.#write(node);
    this.#dirty.clear();
  }

  /** A scroller that was removed and inserted again has a new id, and its offsets are sent again. */
  #lookForReturned(): void {
    for (const [node, sent] of this.#scrolled) {
      const id = this.#kernel.idOf(node);
      if (id === 0) {
        if (!dom.isConnected(node)) this.#scrolled.set(node, null);
      } else if (sent?.id !== id) this.#dirty.add(node);
    }
  }

  #write(node: Node): void {
    const id = this.#kernel.idOf(node);
    if (id === 0) {
      this.#scrolled.set(node, null);
      return;
    }
    const isDocument = id === DOCUMENT_ID;
    const x = Math.round((isDocument ? scrollX : dom.scrollLeft(node as Element)) * SCROLL_SCALE); // roots fire no scroll event
    const y = Math.round((isDocument ? scrollY : dom.scrollTop(node as Element)) * SCROLL_SCALE);
    const sent = this.#scrolled.get(node);
    if (sent?.id === id && sent.x === x && sent.y === y) return;
    this.#scrolled.set(node, { id, x, y });
    this.#writer.op([OP.scroll, id, x, y]);
  }
}
