import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Images looked at after a poll. */
const POLL_BUDGET = 100;

/** Said of an image that shows none: its address may be one that the view could load. */
const BROKEN = 'about:invalid';

type Image = HTMLImageElement | HTMLObjectElement | HTMLEmbedElement;

interface Picture {
  readonly element: Image;
  readonly id: number;
  /** It is or was loaded only when it came near the view: nobody loads it in the person's browser before it has been loaded here. */
  isLazy: boolean;
  /** The address that has been sent; null while the attributes say it. */
  address: string | null;
}

/** Which of its candidates an image shows, if any; and what objects and embeds show that is no document. */
export class Pictures implements Tracker {
  readonly names = ['img', 'source', 'object', 'embed'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #pictures = new Sweep<Picture>();
  #byElement = new WeakMap<Node, Picture>();
  readonly #dirty = new Set<Picture>();
  /** What has come of the last loading, as far as it has been seen. */
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
      picture.address = null; // the view shows what that says now
      // A change may be seen only after what has come of it; plugins do not say whether it has.
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

  /** The address that an element shows; empty for nothing, or nothing yet. */
  #shown({ element, isLazy }: Picture): string {
    const outcome = this.#outcomes.get(element);
    if (isPlugin(element)) return outcome === 'load' && !holdsDocument(element) ? addressOf(element) : '';
    if (isLazy && outcome === undefined && element.naturalWidth === 0) return '';
    return outcome === 'error' && element.complete && element.naturalWidth === 0 ? BROKEN : element.currentSrc;
  }
}

/** Whether the view shows that address, or keeps what it shows, by the attributes alone; `src` is resolved only where it has to be. */
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
