import { dom } from '../../../core/page.ts';

const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const SVG = 'http://www.w3.org/2000/svg';

/** Never sent: they are for scripts, or carry a whole document that the nested frame's own page half sends. */
const LEFT_OUT: ReadonlySet<string> = new Set(['nonce', 'integrity', 'srcdoc']);

function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name) || name.startsWith('on');
}

/** The name to send: prefixes of the two namespaces that mean something are made the usual ones. */
function sentName(namespace: string | null, localName: string, qualified: string): string {
  if (namespace === XLINK) return `xlink:${localName}`;
  if (namespace === XML) return `xml:${localName}`;
  return qualified;
}

/** Tells of every attribute to send, as name and value; of the value of an input last: bounds and steps that come later would change it. */
export function eachAttribute(element: Element, each: (name: string, value: string) => void): void {
  if (!dom.hasAttributes(element)) return;
  let last: string | undefined;
  for (const name of dom.attributeNames(element)) {
    if (isLeftOut(name)) continue;
    const value = dom.attribute(element, name);
    if (value === null || mayHaveNamespace(element, name)) eachNode(element, name, each);
    else if (name === 'value' && dom.isHtml(element, 'input')) last = value;
    else each(name, value);
  }
  if (last !== undefined) each('value', last);
}

/** By the node itself: names with a prefix, `href` in SVG without one, and names that HTML would look up in lower case. */
function eachNode(element: Element, name: string, each: (name: string, value: string) => void): void {
  for (const attribute of dom.attributes(element)) {
    if (attribute.name === name) each(sentName(attribute.namespaceURI, attribute.localName, name), attribute.value);
  }
}

function mayHaveNamespace(element: Element, name: string): boolean {
  return name.includes(':') || (name === 'href' && dom.namespace(element) === SVG);
}

/** A changed attribute as name and value to send; the value is null when it is gone. Undefined for what is never sent. */
export function changedAttribute(
  element: Element,
  localName: string,
  namespace: string | null,
): [name: string, value: string | null] | undefined {
  if (isLeftOut(localName)) return undefined;
  const node = dom.attributeNodeOf(element, namespace, localName);
  return [sentName(namespace, localName, node?.name ?? localName), node?.value ?? null];
}
