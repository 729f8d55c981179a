import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Images looked at after a poll. */
const POLL_BUDGET = 100;

interface Picture {
  readonly element: HTMLImageElement;
  readonly id: number;
  /** The address that has been sent; null while its `src` says it. */
  address: string | null;
}

/** Which of its candidates an image shows. */
export class Pictures implements Tracker {
  readonly names = ['img', 'source'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #pictures = new Sweep<Picture>();
  #byElement = new WeakMap<Node, Picture>();
  readonly #dirty = new Set<Picture>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    for (const type of ['load', 'error'])
      kernel.listen(type, ({ target }) => {
        if (dom.isNode(target) && this.#touch(target)) kernel.schedule();
      });
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'img')) return;
    const picture = { element, id, address: null };
    this.#pictures.add(picture);
    this.#byElement.set(element, picture);
    this.#dirty.add(picture);
  }

  changed(element: Element): void {
    this.#touch(element);
  }

  reset(): void {
    this.#pictures = new Sweep();
    this.#byElement = new WeakMap();
    this.#dirty.clear();
  }

  collect(full: boolean): void {
    for (const picture of this.#dirty) this.#look(picture);
    this.#dirty.clear();
    if (full) this.#pictures.run(POLL_BUDGET, (picture) => this.#look(picture));
  }

  #touch(element: Node): boolean {
    const picture = this.#byElement.get(element);
    if (picture) this.#dirty.add(picture);
    return picture !== undefined;
  }

  #look(picture: Picture): boolean {
    const { element, id } = picture;
    if (this.#kernel.idOf(element) !== id) return false;
    const { currentSrc } = element;
    // Nothing is chosen yet, or what every browser would choose; `src` is resolved only where it has to be.
    if (currentSrc === '' || currentSrc === picture.address) return true;
    if (picture.address === null && (currentSrc === dom.attribute(element, 'src') || currentSrc === element.src))
      return true;
    picture.address = currentSrc;
    this.#writer.op([OP.picture, id, this.#writer.string(currentSrc)]);
    return true;
  }
}
