import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { Densities } from './density.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Images checked after a poll. */
const POLL_BUDGET = 100;

/** Sent for an image that shows nothing: the view might be able to load its address. */
const BROKEN = 'about:invalid';

type Image = HTMLImageElement | HTMLObjectElement | HTMLEmbedElement;

interface Picture {
  readonly element: Image;
  readonly id: number;
  /** Whether it is or was lazy-loaded: the person's browser loads it only after the surrogate has. */
  isLazy: boolean;
  /** Last address sent, with its density; null while the attributes say it. */
  address: string | null;
}

/** Candidate that an image shows, if any; and the content of objects and embeds that is no document. */
export class Pictures implements Tracker {
  readonly names = ['img', 'source', 'object', 'embed'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #pictures = new Sweep<Picture>();
  #byElement = new WeakMap<Node, Picture>();
  readonly #dirty = new Set<Picture>();
  readonly #densities = new Densities((image) => {
    if (this.#touch(image)) this.#kernel.schedule();
  });
  /** Result of the last load, as far as it has been seen. */
  readonly #outcomes = new WeakMap<Node, string>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    for (const type of ['load', 'error'])
      kernel.listen(type, ({ target }) => {
        if (!dom.isNode(target)) return;
        this.#outcomes.set(target, type);
        if (this.#touch(target)) kernel.schedule();
      });
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'img') && !isPlugin(element)) return;
    const picture = { element, id, isLazy: false, address: null };
    this.#pictures.add(picture);
    this.#byElement.set(element, picture);
    this.#dirty.add(picture);
  }

  changed(element: Element, _id: number, attribute: string): void {
    const picture = this.#byElement.get(element);
    if (picture && attribute === 'src') {
      picture.address = null; // the view shows the attribute now
      // The change may be seen only after the load has ended; plugins do not report whether it has.
      if (!isPlugin(picture.element) && !picture.element.complete) this.#outcomes.delete(element);
    }
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
    picture.isLazy ||= !isPlugin(element) && element.loading === 'lazy' && !/^data:/i.test(element.src);
    const address = this.#shown(picture);
    if (address === picture.address || isSaid(picture, address)) return true;
    picture.address = address;
    this.#writer.op([OP.picture, id, address]);
    return true;
  }

  /** Returns the address that an element shows, with its density; empty for nothing, or nothing yet. */
  #shown({ element, isLazy }: Picture): string {
    const outcome = this.#outcomes.get(element);
    if (isPlugin(element)) return outcome === 'load' && !holdsDocument(element) ? addressOf(element) : '';
    if (isLazy && outcome === undefined && element.naturalWidth === 0) return '';
    if (outcome === 'error' && element.complete && element.naturalWidth === 0) return BROKEN;
    return element.currentSrc && element.currentSrc + this.#densities.suffix(element);
  }
}

/** Whether the view already shows that address, or the attributes alone make it do so; `src` is resolved only where needed. */
function isSaid({ element, isLazy, address: sent }: Picture, address: string): boolean {
  if (isPlugin(element)) return sent === null && address === '';
  return (
    address === '' ||
    (sent === null && !isLazy && (address === dom.attribute(element, 'src') || address === element.src))
  );
}

function isPlugin(element: Element): element is HTMLObjectElement | HTMLEmbedElement {
  return dom.isHtml(element, 'object') || dom.isHtml(element, 'embed');
}

function addressOf(element: HTMLObjectElement | HTMLEmbedElement): string {
  return dom.isHtml(element, 'object') ? element.data : element.src;
}

function holdsDocument(element: HTMLObjectElement | HTMLEmbedElement): boolean {
  return dom.isHtml(element, 'object') ? element.contentWindow !== null : element.getSVGDocument() !== null;
}
