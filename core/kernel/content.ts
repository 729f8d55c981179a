import { dom, NODE } from './dom.ts';

/** Elements whose content is never part of the tree: it is code, it is sent in another form, or it is not shown. */
const OPAQUE: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'noembed', 'noframes']);

/** Whether the page's scripts run in this frame. In sandboxed frames they may not; then `noscript` content is part of the page. */
export const RUNS_SCRIPTS = runsScripts();

/** The document's own properties describe this isolated world, so the frame is asked instead. */
function runsScripts(): boolean {
  const sandbox = window.frameElement?.getAttribute('sandbox'); // null where the parent has another origin
  if (typeof sandbox === 'string') return /(?:^|\s)allow-scripts(?:\s|$)/i.test(sandbox);
  if (window.origin !== 'null') return true;
  // An event handler set as text counts as a script of the page, no matter who sets it.
  const probe = document.createElement('a');
  try {
    probe.setAttribute('onclick', 'this.title = 1');
    probe.dispatchEvent(new Event('click'));
  } catch {
    return true; // blocked by the page's own CSP, which allows scripts in general
  }
  return probe.title !== '';
}

/** Whether a node is part of the tree that has ids: elements and text; not comments, doctypes, processing instructions. */
export function isContent(node: Node): boolean {
  const type = dom.nodeType(node);
  return type === NODE.element || type === NODE.text || type === NODE.cdata;
}

/** Whether an element's children are excluded from the tree. */
export function isOpaque(element: Element): boolean {
  const name = dom.localName(element);
  return OPAQUE.has(name) || (RUNS_SCRIPTS && name === 'noscript');
}
