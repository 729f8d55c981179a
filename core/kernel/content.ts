import { dom, NODE } from './dom.ts';

/** Elements whose content is never part of the tree: it is code, it travels as something else, or it is not shown. */
const OPAQUE: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
]);

/** Whether a node is part of the tree that has ids: elements and text; not comments, doctypes, processing instructions. */
export function isContent(node: Node): boolean {
  const type = dom.nodeType(node);
  return type === NODE.element || type === NODE.text || type === NODE.cdata;
}

/** Whether an element's children stay out of the tree. */
export function isOpaque(element: Element): boolean {
  return OPAQUE.has(dom.localName(element));
}
