import { NAMESPACE } from '../ops.ts';
import { BLOCKED_ELEMENT, createElement, FRAME_SANDBOX, isResource, setAttribute } from './allowlist.ts';
import { isHtml, nameOf, read, write } from './dom.ts';
import type { Realm } from './realm.ts';
import { FRAMED } from './sheets.ts';
import type { Sheets } from './sheets.ts';

const MARK = 'data-vitrine-picture';
/** Where frames must be allowed scripts, canvases are real canvases, and rules cannot set their content. */
const CAN_DRAW = FRAME_SANDBOX.includes('allow-scripts');

/**
 * Pictures of images, canvases, videos, objects and embeds. A canvas of a frame without scripts is a box without content, objects and
 * embeds load nothing here: a rule sets their picture. That of a video is its poster.
 */
export class Pictures {
  readonly #realm: Realm;
  readonly #sheets: Sheets;
  readonly #rules = new WeakMap<Element, CSSStyleRule>();
  /** Number of the picture that an element shows: a later one may be loaded earlier. */
  readonly #shown = new WeakMap<Element, number>();
  #count = 0;

  constructor(realm: Realm, sheets: Sheets) {
    this.#realm = realm;
    this.#sheets = sheets;
  }

  /** Shows an address in an image or canvas; empty: nothing. A density may follow it: `/c/i/x 2x`. */
  show(element: Element, address: string): void {
    const [url = '', density] = address.split(' ');
    if (isHtml(element, 'object') && url !== '' && !read(Element, element, 'firstElementChild')) this.#hollow(element);
    if (isHtml(element, 'canvas', 'object', 'v-embed', 'video')) this.#preload(element, url);
    else if (nameOf(element) === 'image') setAttribute(element, 'href', url);
    else if (isHtml(element, 'img', 'input')) {
      // Beside the candidate, an address of its own would be another one, of density 1.
      set(element, 'srcset', density === undefined ? undefined : address);
      set(element, 'src', density === undefined && url !== '' ? url : undefined);
    }
  }

  /** Sets the size of a canvas, in CSS px of its bitmap: until its picture is loaded it is transparent. */
  canvas(element: Element, width: number, height: number): void {
    if (!isHtml(element, 'canvas')) return;
    if (CAN_DRAW) {
      resize(element as HTMLCanvasElement, width, height); // by its name
      return;
    }
    const rule = this.#rule(element);
    if (this.#shown.has(element)) return;
    const size = `width='${Math.max(0, width)}' height='${Math.max(0, height)}'`;
    this.#set(rule, `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' ${size}/%3E`);
  }

  /** An object without fallback content is a box of its own kind, which rules cannot change. */
  #hollow(object: Element): void {
    Node.prototype.appendChild.call(object, createElement(this.#realm, NAMESPACE.html, BLOCKED_ELEMENT));
  }

  /** The old picture stays until the new one can be painted. */
  #preload(element: Element, url: string): void {
    const number = ++this.#count;
    if (!isResource(url)) {
      if (nameOf(element) === 'canvas') return;
      this.#shown.set(element, number);
      this.#put(element, '');
      return;
    }
    const image = new this.#realm.window.Image();
    image.src = url;
    const show = (): void => {
      if (image.naturalWidth === 0 || number < (this.#shown.get(element) ?? 0)) return;
      this.#shown.set(element, number);
      if (CAN_DRAW && nameOf(element) === 'canvas') draw(element as HTMLCanvasElement, image);
      else this.#put(element, url);
    };
    image.decode().then(show, show);
  }

  #put(element: Element, url: string): void {
    if (nameOf(element) === 'video') set(element, 'poster', url || undefined);
    else if (url === '') this.#rule(element).style.removeProperty('content');
    else this.#set(this.#rule(element), url);
  }

  #rule(element: Element): CSSStyleRule {
    const known = this.#rules.get(element);
    if (known) return known;
    const mark = `${++this.#count}`;
    Element.prototype.setAttribute.call(element, MARK, mark);
    const rule = this.#sheets.rule(`[${MARK}="${mark}"]:not([${FRAMED}]){}`);
    this.#rules.set(element, rule);
    return rule;
  }

  #set(rule: CSSStyleRule, url: string): void {
    rule.style.setProperty('content', `url(${JSON.stringify(url)})`, 'important');
  }
}

/** Setting an attribute of an image again would load it again. */
function set(element: Element, name: string, value: string | undefined): void {
  if (Element.prototype.getAttribute.call(element, name) !== (value ?? null)) setAttribute(element, name, value);
}

/** Setting the size of a canvas clears it. */
function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (read(HTMLCanvasElement, canvas, 'width') !== width) write(HTMLCanvasElement, canvas, 'width', width);
  if (read(HTMLCanvasElement, canvas, 'height') !== height) write(HTMLCanvasElement, canvas, 'height', height);
}

function draw(canvas: HTMLCanvasElement, image: HTMLImageElement): void {
  const [width, height] = [read(HTMLCanvasElement, canvas, 'width'), read(HTMLCanvasElement, canvas, 'height')];
  const context = HTMLCanvasElement.prototype.getContext.call(canvas, '2d') as CanvasRenderingContext2D | null; // of that kind
  context?.clearRect(0, 0, width, height);
  context?.drawImage(image, 0, 0, width, height);
}
