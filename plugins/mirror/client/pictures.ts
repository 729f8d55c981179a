import { isResource, setAttribute } from './allowlist.ts';
import { isHtml, nameOf } from './dom.ts';
import type { Realm } from './realm.ts';
import type { Sheets } from './sheets.ts';

const MARK = 'data-vitrine-picture';

/** What images and canvases show. A canvas of a frame without scripts is a box without content: its picture is put there by a rule. */
export class Pictures {
  readonly #realm: Realm;
  readonly #sheets: Sheets;
  readonly #rules = new WeakMap<Element, CSSStyleRule>();
  readonly #shown = new WeakSet<Element>();
  #count = 0;

  constructor(realm: Realm, sheets: Sheets) {
    this.#realm = realm;
    this.#sheets = sheets;
  }

  /** Shows an address in an image or canvas; empty: nothing. A density may follow it: `/c/i/x 2x`. */
  show(element: Element, address: string): void {
    const [url = '', density] = address.split(' ');
    if (isHtml(element, 'canvas')) this.#preload(element, url);
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

  /** The old picture stays until the new one can be painted. */
  #preload(canvas: Element, url: string): void {
    if (!isResource(url)) return;
    const rule = this.#rule(canvas);
    const image = new this.#realm.window.Image();
    image.src = url;
    const show = (): void => {
      if (image.naturalWidth === 0) return;
      this.#shown.add(canvas);
      this.#set(rule, url);
    };
    image.decode().then(show, show);
  }

  #rule(canvas: Element): CSSStyleRule {
    const known = this.#rules.get(canvas);
    if (known) return known;
    const mark = `${++this.#count}`;
    Element.prototype.setAttribute.call(canvas, MARK, mark);
    const rule = this.#sheets.rule(`[${MARK}="${mark}"]{}`);
    this.#rules.set(canvas, rule);
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
