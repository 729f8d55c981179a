/**
 * DOM access by interface. Forms and documents let the page's names hide their own properties (`<form><input name="remove">`),
 * so nodes of the view are never read, written or called by plain property access. Interfaces of the shell's realm serve every realm.
 */

/** Either kind of root that style sheets can be adopted by. */
export type Root = Document | ShadowRoot;

interface Interface<T> {
  readonly prototype: T;
}

/** The value of an attribute of an interface. */
export function read<T extends object, K extends keyof T>(type: Interface<T>, self: T, key: K): T[K] {
  return Reflect.get(type.prototype, key, self); // the interface's own getter
}

/** Sets an attribute of an interface. */
export function write<T extends object, K extends keyof T>(type: Interface<T>, self: T, key: K, value: T[K]): void {
  Reflect.set(type.prototype, key, value, self);
}

/** The node's parent, a shadow root or document included. */
export const parentOf = (node: Node): Node | null => read(Node, node, 'parentNode');

/** The node as an element, when it is one. */
export function asElement(node: Node | null | undefined): Element | undefined {
  return node && read(Node, node, 'nodeType') === 1 ? (node as Element) : undefined; // nodeType says so
}

/** The element's local name. */
export const nameOf = (element: Element): string => read(Element, element, 'localName');

/** Whether an element is of one of these HTML names. */
export function isHtml(element: Element | null | undefined, ...names: string[]): element is HTMLElement {
  return !!element && names.includes(nameOf(element)) && read(Element, element, 'namespaceURI') === HTML_URI;
}

/** Namespace of HTML. */
export const HTML_URI = 'http://www.w3.org/1999/xhtml';

/** The element's border box in its frame's viewport, in CSS px. */
export const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);

/** The document or shadow root that the node is in, or undefined where it is in neither. */
export function rootOf(node: Node): Root | undefined {
  const root = Node.prototype.getRootNode.call(node);
  const type = read(Node, root, 'nodeType');
  return type === 9 || (type === 11 && 'host' in root) ? (root as Root) : undefined; // a document or a shadow root
}

/** Visits a node and all below it, shadow trees included. */
export function visit(node: Node, each: (node: Node) => void): void {
  const pending: Node[] = [node];
  for (let at = pending.pop(); at; at = pending.pop()) {
    each(at);
    const shadow = asElement(at) && read(Element, at as Element, 'shadowRoot'); // an element, as just asked
    if (shadow) pending.push(shadow);
    for (let child = read(Node, at, 'lastChild'); child; child = read(Node, child, 'previousSibling'))
      pending.push(child);
  }
}
