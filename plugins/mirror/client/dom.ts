/**
 * DOM access by interface. Forms and documents let the page's names hide their own properties (`<form><input name="remove">`),
 * so nodes of the view are never read, written or called by plain property access. Interfaces of the shell's realm serve every realm.
 */

/** Either kind of root that style sheets can be adopted by. */
export type Root = Document | ShadowRoot;

interface Interface<T> {
  readonly prototype: T;
}

/** Reads an attribute of an interface. */
export function read<T extends object, K extends keyof T>(type: Interface<T>, self: T, key: K): T[K] {
  return Reflect.get(type.prototype, key, self); // the interface's own getter
}

/** Sets an attribute of an interface. */
export function write<T extends object, K extends keyof T>(type: Interface<T>, self: T, key: K, value: T[K]): void {
  Reflect.set(type.prototype, key, value, self);
}

/** Returns the getter of an attribute, for attributes that are read often. */
function getter<T extends object, K extends keyof T & string>({ prototype }: Interface<T>, key: K): (self: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get as (this: T) => T[K]; // of the interface itself
  return (self) => get.call(self);
}

/** The node's parent, a shadow root or document included. */
export const parentOf = getter(Node, 'parentNode');
/** The kind of a node, as the DOM numbers it. */
export const typeOf = getter(Node, 'nodeType');
/** The element's local name. */
export const nameOf = getter(Element, 'localName');
/** The element's namespace. */
export const namespaceOf = getter(Element, 'namespaceURI');
const firstOf = getter(Node, 'firstChild');
const nextOf = getter(Node, 'nextSibling');
/** The shadow root of an element. */
export const shadowOf = getter(Element, 'shadowRoot');

/** Returns the node as an element, if it is one. */
export function asElement(node: Node | null | undefined): Element | undefined {
  return node && typeOf(node) === 1 ? (node as Element) : undefined; // by its nodeType
}

/** Whether an element has one of these HTML names. */
export function isHtml(element: Element | null | undefined, ...names: string[]): element is HTMLElement {
  return !!element && names.includes(nameOf(element)) && namespaceOf(element) === HTML_URI;
}

/** Namespace of HTML. */
export const HTML_URI = 'http://www.w3.org/1999/xhtml';

/** The element's border box in its frame's viewport, in CSS px. */
export const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);

/** Returns the document or shadow root of the node, or undefined if it is in neither. */
export function rootOf(node: Node): Root | undefined {
  const root = Node.prototype.getRootNode.call(node);
  const type = typeOf(root);
  return type === 9 || (type === 11 && 'host' in root) ? (root as Root) : undefined; // a document or a shadow root
}

/** Returns the focused element of a document, through shadow roots. */
export function activeIn(document: Document): Element | null {
  let active = read(Document, document, 'activeElement');
  for (let inner = active; inner; inner = shadowOf(inner)?.activeElement ?? null) active = inner;
  return active;
}

/** Visits a node and all its descendants, shadow trees included. */
export function visit(top: Node, each: (node: Node) => void): void {
  const pending = [top];
  for (let node = pending.pop(); node; node = pending.pop()) {
    each(node);
    const element = asElement(node);
    const shadow = element && shadowOf(element);
    if (shadow) pending.push(shadow);
    for (let child = firstOf(node); child; child = nextOf(child)) pending.push(child);
  }
}
