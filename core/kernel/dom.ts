/**
 * DOM access that markup cannot redirect. Named controls of a form and named images and forms of a document hide properties of the same
 * name (`<form><input name="firstChild">`), in every world. The prototypes' own accessors are not affected.
 */
function getter<T extends object, K extends keyof T & string>(prototype: T, name: K): (this: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new TypeError(`${name} is not an accessor`);
  return get as (this: T) => T[K]; // the prototype's own accessor for this property
}

const node = Node.prototype;
const element = Element.prototype;
const nodeTypeOf = getter(node, 'nodeType');
const firstChildOf = getter(node, 'firstChild');
const childNodesOf = getter(node, 'childNodes');
const nextSiblingOf = getter(node, 'nextSibling');
const parentNodeOf = getter(node, 'parentNode');
const isConnectedOf = getter(node, 'isConnected');
const textContentOf = getter(node, 'textContent');
const localNameOf = getter(element, 'localName');
const namespaceOf = getter(element, 'namespaceURI');
const shadowRootOf = getter(element, 'shadowRoot');
const scrollLeftOf = getter(element, 'scrollLeft');
const scrollTopOf = getter(element, 'scrollTop');
const clientLeftOf = getter(element, 'clientLeft');
const clientTopOf = getter(element, 'clientTop');
const clientWidthOf = getter(element, 'clientWidth');
const clientHeightOf = getter(element, 'clientHeight');
const offsetWidthOf = getter(HTMLElement.prototype, 'offsetWidth');
const offsetHeightOf = getter(HTMLElement.prototype, 'offsetHeight');
const scrollingElementOf = getter(Document.prototype, 'scrollingElement');
const dataOf = getter(CharacterData.prototype, 'data');
const activeInDocument = getter(Document.prototype, 'activeElement');
const activeInShadow = getter(ShadowRoot.prototype, 'activeElement');
const documentElementOf = getter(Document.prototype, 'documentElement');
const visibilityOf = getter(Document.prototype, 'visibilityState');
const doctypeOf = getter(Document.prototype, 'doctype');
const compatModeOf = getter(Document.prototype, 'compatMode');
const contentTypeOf = getter(Document.prototype, 'contentType');
const readyStateOf = getter(Document.prototype, 'readyState');
const addressOf = getter(Document.prototype, 'URL');
const titleOf = getter(Document.prototype, 'title');
const bodyOf = getter(Document.prototype, 'body');
const baseOf = getter(node, 'baseURI');
const attributesOf = getter(element, 'attributes');
const sheetsInDocument = getter(Document.prototype, 'adoptedStyleSheets');
const sheetsInShadow = getter(ShadowRoot.prototype, 'adoptedStyleSheets');
const sheetsOf = getter(Document.prototype, 'styleSheets');
const viewTransitionOf = Object.getOwnPropertyDescriptor(Document.prototype, 'activeViewTransition')?.get;
const fontsOf = getter(Document.prototype, 'fonts');
const fullscreenInDocument = getter(Document.prototype, 'fullscreenElement');
const fullscreenInShadow = getter(ShadowRoot.prototype, 'fullscreenElement');
const animationsInDocument = Document.prototype.getAnimations;
const animationsInShadow = ShadowRoot.prototype.getAnimations;
const { contains, getRootNode, compareDocumentPosition } = node;
const { matches, getAttribute, getAttributeNames, hasAttribute, hasAttributes } = element;
const { getAttributeNode, getAttributeNodeNS, getBoundingClientRect, getClientRects, scrollIntoView } = element;
const scrollElementTo: (this: Element, options: ScrollToOptions) => void = element.scrollTo;
const { querySelectorAll } = Document.prototype;
const elementAtInDocument = Document.prototype.elementFromPoint;
const elementAtInShadow = ShadowRoot.prototype.elementFromPoint;

/** Node types that matter here. */
export const NODE = { element: 1, text: 3, cdata: 4, instruction: 7, document: 9, fragment: 11 } as const;

/** Namespace of HTML elements. */
export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/** Compares the node type: a root that came with an adopted node belongs to another realm. */
const isShadow = (root: Document | ShadowRoot): root is ShadowRoot => nodeTypeOf.call(root) === NODE.fragment;

/** Safe access to nodes of the page; each member works like the DOM member of that name. */
export const dom = {
  nodeType: (n: Node): number => nodeTypeOf.call(n),
  firstChild: (n: Node): Node | null => firstChildOf.call(n),
  child: (n: Node, index: number): Node | undefined => childNodesOf.call(n)[index],
  nextSibling: (n: Node): Node | null => nextSiblingOf.call(n),
  parentNode: (n: Node): Node | null => parentNodeOf.call(n),
  isConnected: (n: Node): boolean => isConnectedOf.call(n),
  textContent: (n: Node): string => textContentOf.call(n) ?? '',
  contains: (n: Node, other: Node): boolean => contains.call(n, other),
  rootOf: (n: Node): Node => getRootNode.call(n),
  /** Whether `n` comes before `other` in their tree. */
  precedes: (n: Node, other: Node): boolean =>
    (compareDocumentPosition.call(n, other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  data: (text: CharacterData): string => dataOf.call(text),
  localName: (e: Element): string => localNameOf.call(e),
  namespace: (e: Element): string | null => namespaceOf.call(e),
  openShadow: (e: Element): ShadowRoot | null => shadowRootOf.call(e),
  scrollLeft: (e: Element): number => scrollLeftOf.call(e),
  scrollTop: (e: Element): number => scrollTopOf.call(e),
  clientLeft: (e: Element): number => clientLeftOf.call(e),
  clientTop: (e: Element): number => clientTopOf.call(e),
  clientWidth: (e: Element): number => clientWidthOf.call(e),
  clientHeight: (e: Element): number => clientHeightOf.call(e),
  offsetWidth: (e: HTMLElement): number => offsetWidthOf.call(e),
  offsetHeight: (e: HTMLElement): number => offsetHeightOf.call(e),
  matches: (e: Element, selector: string): boolean => matches.call(e, selector),
  attribute: (e: Element, name: string): string | null => getAttribute.call(e, name),
  attributeNames: (e: Element): string[] => getAttributeNames.call(e),
  attributeNode: (e: Element, name: string): Attr | null => getAttributeNode.call(e, name),
  attributeNodeOf: (e: Element, namespace: string | null, name: string): Attr | null =>
    getAttributeNodeNS.call(e, namespace, name),
  attributes: (e: Element): NamedNodeMap => attributesOf.call(e),
  hasAttribute: (e: Element, name: string): boolean => hasAttribute.call(e, name),
  hasAttributes: (e: Element): boolean => hasAttributes.call(e),
  box: (e: Element): DOMRect => getBoundingClientRect.call(e),
  boxes: (e: Element): DOMRectList => getClientRects.call(e),
  scrollIntoView: (e: Element, options: ScrollIntoViewOptions): void => scrollIntoView.call(e, options),
  scrollTo: (e: Element, options: ScrollToOptions): void => scrollElementTo.call(e, options),
  documentElement: (d: Document): Element | null => documentElementOf.call(d), // null in an empty document
  scrollingElement: (d: Document): Element | null => scrollingElementOf.call(d), // null where the body scrolls apart from the root
  doctype: (d: Document): DocumentType | null => doctypeOf.call(d),
  compatMode: (d: Document): string => compatModeOf.call(d),
  contentType: (d: Document): string => contentTypeOf.call(d),
  readyState: (d: Document): DocumentReadyState => readyStateOf.call(d),
  address: (d: Document): string => addressOf.call(d),
  title: (d: Document): string => titleOf.call(d),
  body: (d: Document): HTMLElement | null => bodyOf.call(d), // null until it is parsed, and in documents that are not HTML
  /** All elements of the document that match, except those in shadow trees. */
  all: (d: Document, selector: string): Element[] => [...querySelectorAll.call(d, selector)],
  base: (n: Node): string => baseOf.call(n),
  isVisible: (d: Document): boolean => visibilityOf.call(d) === 'visible',
  activeElement: (root: Document | ShadowRoot): Element | null =>
    isShadow(root) ? activeInShadow.call(root) : activeInDocument.call(root),
  sheets: (d: Document): StyleSheetList => sheetsOf.call(d),
  adoptedSheets: (root: Document | ShadowRoot): CSSStyleSheet[] =>
    isShadow(root) ? sheetsInShadow.call(root) : sheetsInDocument.call(root),
  viewTransition: (d: Document): ViewTransition | null =>
    (viewTransitionOf?.call(d) as ViewTransition | null | undefined) ?? null, // not in every browser
  fonts: (d: Document): FontFaceSet => fontsOf.call(d),
  /** Brings style up to date. */
  animations: (root: Document | ShadowRoot): Animation[] =>
    isShadow(root) ? animationsInShadow.call(root) : animationsInDocument.call(root),
  fullscreenElement: (root: Document | ShadowRoot): Element | null =>
    isShadow(root) ? fullscreenInShadow.call(root) : fullscreenInDocument.call(root),
  elementAt: (root: Document | ShadowRoot, x: number, y: number): Element | null =>
    isShadow(root) ? elementAtInShadow.call(root, x, y) : elementAtInDocument.call(root, x, y),
  /** Whether an event's target is a node. Listeners of a document only get events whose target is a node or the window. */
  isNode: (target: EventTarget | null): target is Node => target !== null && target !== window,
  /** Compares the name, not the class: an adopted element may be of another realm. */
  isHtml: <K extends keyof HTMLElementTagNameMap>(n: Node, name: K): n is HTMLElementTagNameMap[K] =>
    nodeTypeOf.call(n) === NODE.element &&
    localNameOf.call(n as Element) === name &&
    namespaceOf.call(n as Element) === HTML_NAMESPACE,
  isText: (n: Node): n is Text => nodeTypeOf.call(n) === NODE.text || nodeTypeOf.call(n) === NODE.cdata,
  isElement: (n: Node): n is Element => nodeTypeOf.call(n) === NODE.element,
} as const;
