/** An element of a document, or of a shadow root in it, in tree order. */
export interface Seen {
  /** Namespace and local name. */
  readonly name: string;
  readonly depth: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text directly in it. */
  readonly text: string;
  /** Computed values of {@link COMPUTED}. */
  readonly style: readonly string[];
}

/** Properties whose computed values are compared: those that the generated texts set, and what parsing decides by itself. */
export const COMPUTED = [
  'display',
  'color',
  'direction',
  'visibility',
  'font-weight',
  'text-decoration-line',
  'list-style-type',
];

/**
 * All elements of the document, or of the view that a selector names. It runs in a page and must be self-contained: pages hide members
 * by names, so it uses accessors of interfaces.
 */
export function snapshot({
  view,
  computed,
}: {
  readonly view: string | undefined;
  readonly computed: readonly string[];
}): Seen[] {
  const NAMES: Readonly<Record<string, string>> = {
    'http://www.w3.org/1999/xhtml': '',
    'http://www.w3.org/2000/svg': 'svg:',
    'http://www.w3.org/1998/Math/MathML': 'math:',
  };
  const get = <T extends object, K extends keyof T & string>(type: { prototype: T }, key: K, self: T): T[K] =>
    Reflect.get(type.prototype, key, self);
  const root = view === undefined ? document : document.querySelector<HTMLIFrameElement>(view)?.contentDocument;
  // In the page halves' world closed roots are seen, too; the view has them open.
  const { chrome } = globalThis as {
    chrome?: { dom?: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null } };
  }; // an extension's
  const shadowOf = (element: Element): ShadowRoot | null =>
    element instanceof HTMLElement && chrome?.dom
      ? chrome.dom.openOrClosedShadowRoot(element)
      : get(Element, 'shadowRoot', element);
  const seen: Seen[] = [];
  const look = (element: Element, depth: number): void => {
    const names = Element.prototype.getAttributeNames.call(element);
    const children = [...get(Node, 'childNodes', element)];
    const texts = children.filter((child) => get(Node, 'nodeType', child) === Node.TEXT_NODE);
    const style = getComputedStyle(element);
    seen.push({
      name: (NAMES[get(Element, 'namespaceURI', element) ?? ''] ?? 'other:') + get(Element, 'localName', element),
      depth,
      attributes: Object.fromEntries(
        names.map((name) => [name, Element.prototype.getAttribute.call(element, name) ?? '']),
      ),
      text: texts.map((text) => get(Node, 'nodeValue', text) ?? '').join('|'),
      style: computed.map((property) => CSSStyleDeclaration.prototype.getPropertyValue.call(style, property)),
    });
    const local = get(Element, 'localName', element);
    // Unknown elements of SVG and MathML that have the names of these are not entered: SVG does not show what is in them.
    if (!(element instanceof HTMLElement) && /^(?:template|iframe|noembed|noframes|noscript)$/.test(local)) return;
    const shadow = shadowOf(element);
    for (const child of [...(shadow ? get(Node, 'childNodes', shadow) : []), ...children])
      if (get(Node, 'nodeType', child) === Node.ELEMENT_NODE) look(child as Element, depth + 1); // by its type
  };
  const first = root && get(Document, 'documentElement', root);
  if (first) look(first, 0);
  return seen;
}
