import { dom } from '../../../core/page.ts';

const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const SVG = 'http://www.w3.org/2000/svg';

/** Never sent: meant for scripts, or (`srcdoc`) a whole document that the page half of the nested frame sends. */
const LEFT_OUT: ReadonlySet<string> = new Set(['nonce', 'integrity', 'srcdoc']);

function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name) || name.startsWith('on');
}

/** Returns the name to send: the two namespaces with a meaning get their usual prefixes. */
function sentName(namespace: string | null, localName: string, qualified: string): string {
  if (namespace === XLINK) return `xlink:${localName}`;
  if (namespace === XML) return `xml:${localName}`;
  return qualified;
}

/** Calls back for every attribute to send. The value of an input is last: bounds and steps that come later would change it. */
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

/** Reads the attribute node: for prefixed names, `href` in SVG without a prefix, and names that HTML would look up in lower case. */
function eachNode(element: Element, name: string, each: (name: string, value: string) => void): void {
  for (const attribute of dom.attributes(element)) {
    if (attribute.name === name) each(sentName(attribute.namespaceURI, attribute.localName, name), attribute.value);
  }
}

function mayHaveNamespace(element: Element, name: string): boolean {
  return name.includes(':') || (name === 'href' && dom.namespace(element) === SVG);
}

/** Returns a changed attribute as name and value to send; the value is null when it was removed. Undefined if it is never sent. */
export function changedAttribute(
  element: Element,
  localName: string,
  namespace: string | null,
): [name: string, value: string | null] | undefined {
  if (isLeftOut(localName)) return undefined;
  const node = dom.attributeNodeOf(element, namespace, localName);
  return [sentName(namespace, localName, node?.name ?? localName), node?.value ?? null];
}
