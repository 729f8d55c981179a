import { isHtml, read, write } from './dom.ts';
import { Echo } from './echo.ts';
import type { Gestures } from './gestures.ts';
import type { Realm } from './realm.ts';

interface Offset {
  readonly left: number;
  readonly top: number;
}

/** Layouts round differently: offsets that differ by less than this, in CSS px, are the same. */
const TOLERANCE_PX = 1.5;

const same = (a: Offset, b: Offset): boolean =>
  Math.abs(a.left - b.left) < TOLERANCE_PX && Math.abs(a.top - b.top) < TOLERANCE_PX;

/** Scrolling of one document and its scrollers, by the surrogate and by the person. */
export class Scrolling {
  readonly #realm: Realm;
  readonly #onLocal: (scroller: Node, left: number, top: number) => void;
  readonly #echo = new Echo<Node, Offset>(same);
  /** Offsets set by the surrogate or by features. */
  readonly #placed = new WeakMap<Node, Offset>();
  /** Offsets that were out of reach because the content was still too small. */
  readonly #wanted = new Map<Node, Offset>();
  readonly #gestures: Gestures;

  /** `onLocal` is called when the person scrolls: with the document or an element, and its offset in CSS px. */
  constructor(
    realm: Realm,
    gestures: Gestures,
    signal: AbortSignal,
    onLocal: (scroller: Node, left: number, top: number) => void,
  ) {
    this.#realm = realm;
    this.#gestures = gestures;
    this.#onLocal = onLocal;
    const options = { capture: true, passive: true, signal };
    const { document } = realm;
    document.addEventListener('scroll', (event) => this.#scrolled(event), options);
    document.addEventListener('load', () => this.settle(), options);
    signal.addEventListener('abort', () => this.#echo.dispose());
  }

  /** Called when the surrogate has scrolled; `scroller` is the document or an element. */
  remote(scroller: Node, left: number, top: number): void {
    this.#echo.remote(scroller, { left, top }, () => {
      this.#wanted.delete(scroller);
      this.place(scroller, left, top);
      if (!same(this.#offset(scroller), { left, top })) this.#wanted.set(scroller, { left, top });
    });
  }

  /** Scrolls without calling `onLocal`. */
  place(scroller: Node, left: number, top: number): void {
    const element = this.#element(scroller);
    if (!element) return;
    Reflect.apply(Element.prototype.scrollTo, element, [{ left, top, behavior: 'instant' }]);
    if (isHtml(element, 'input')) write(Element, element, 'scrollLeft', left); // WebKit scrolls the text of a field only this way
    this.#placed.set(scroller, this.#offset(scroller));
  }

  /** Runs a function that may scroll the document, and restores the offset. */
  keep(run: () => void): void {
    const { document } = this.#realm;
    const { left, top } = this.#offset(document);
    run();
    this.place(document, left, top);
  }

  /** Retries offsets that were out of reach: the content has grown. */
  settle(): void {
    for (const [scroller, { left, top }] of this.#wanted) {
      this.place(scroller, left, top);
      if (same(this.#offset(scroller), { left, top })) this.#wanted.delete(scroller);
    }
  }

  #scrolled(event: Event): void {
    const scroller = event.composedPath()[0] as Node; // scroll events go to documents and elements
    const offset = this.#offset(scroller);
    const placed = this.#placed.get(scroller);
    if (placed && same(placed, offset)) return;
    // A scroll bar may be held still for a while before it is moved on.
    if (!this.#gestures.isHeld && !this.#gestures.caused(event)) return;
    this.#gestures.goesOn(event);
    this.#placed.delete(scroller);
    this.#wanted.delete(scroller);
    this.#echo.local(scroller, offset);
    this.#onLocal(scroller, offset.left, offset.top);
  }

  #element(scroller: Node): Element | null {
    const { document } = this.#realm;
    return scroller === document ? read(Document, document, 'scrollingElement') : (scroller as Element); // by the contract of `remote`
  }

  #offset(scroller: Node): Offset {
    const element = this.#element(scroller);
    return element
      ? { left: read(Element, element, 'scrollLeft'), top: read(Element, element, 'scrollTop') }
      : { left: 0, top: 0 };
  }
}
