import { NAMESPACE } from '../ops.ts';
import { BLOCKED_ELEMENT, createElement, isResource, setAttribute } from './allowlist.ts';
import { isHtml, nameOf, read } from './dom.ts';
import { FRAMED } from './framed-object.ts';
import type { Realm } from './realm.ts';
import type { Sheets } from './sheets.ts';

const MARK = 'data-vitrine-picture';

/**
 * What images, canvases, videos, objects and embeds show. A canvas of a frame without scripts is a box without content, objects and
 * embeds load nothing here: their picture is put there by a rule. A video's is its poster.
 */
export class Pictures {
  readonly #realm: Realm;
  readonly #sheets: Sheets;
  readonly #rules = new WeakMap<Element, CSSStyleRule>();
  /** The number of the picture that an element shows: a later one may be there earlier. */
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
      set(element, 'srcset', density === undefined ? undefined : address);
      set(element, 'src', url || undefined);
    }
  }

  /** Sizes a canvas, in CSS px of its bitmap: until its picture comes it is transparent. */
  canvas(element: Element, width: number, height: number): void {
    if (!isHtml(element, 'canvas')) return;
    const rule = this.#rule(element);
    if (this.#shown.has(element)) return;
    const size = `width='${Math.max(0, width)}' height='${Math.max(0, height)}'`;
    this.#set(rule, `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' ${size}/%3E`);
  }

  /** An object that has nothing to fall back on is a box of its own kind, whatever rules say. */
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
      this.#put(element, url);
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
    rule.style.setProperty('content', `url("${url}")`, 'important');
  }
}

/** Setting an attribute of an image again would load it again. */
function set(element: Element, name: string, value: string | undefined): void {
  if (Element.prototype.getAttribute.call(element, name) !== (value ?? null)) setAttribute(element, name, value);
}
