import { dom, NODE } from './dom.ts';

/** Elements whose content is never part of the tree: it is code, it travels as something else, or it is not shown. */
const OPAQUE: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'noembed', 'noframes']);

/** Whether the page's scripts run in this frame; in sandboxed ones they may not, and what stands in for them is content. */
export const RUNS_SCRIPTS = runsScripts();

/** Asked of the document, this world is told about itself. */
function runsScripts(): boolean {
  const sandbox = window.frameElement?.getAttribute('sandbox'); // null where the parent is of another origin
  if (typeof sandbox === 'string') return /(?:^|\s)allow-scripts(?:\s|$)/i.test(sandbox);
  if (window.origin !== 'null') return true;
  // A handler made of text is the page's script, whoever sets it.
  const probe = document.createElement('a');
  try {
    probe.setAttribute('onclick', 'this.title = 1');
    probe.dispatchEvent(new Event('click'));
  } catch {
    return true; // a policy of the page's own, which is for scripts
  }
  return probe.title !== '';
}

/** Whether a node is part of the tree that has ids: elements and text; not comments, doctypes, processing instructions. */
export function isContent(node: Node): boolean {
  const type = dom.nodeType(node);
  return type === NODE.element || type === NODE.text || type === NODE.cdata;
}

/** Whether an element's children stay out of the tree. */
export function isOpaque(element: Element): boolean {
  const name = dom.localName(element);
  return OPAQUE.has(name) || (RUNS_SCRIPTS && name === 'noscript');
}
