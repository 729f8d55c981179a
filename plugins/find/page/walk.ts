import { dom, isOpaque, NODE } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { isControl } from './chunk.ts';
import type { Piece } from './chunk.ts';

/** One open parent of the walk. */
interface Level {
  readonly element: Element | undefined;
  readonly style: CSSStyleDeclaration | undefined;
  readonly isBlock: boolean;
  /** The next child, or the children of a slot that are left. */
  next: Node | null;
  readonly assigned: readonly Node[] | undefined;
  at: number;
  /** Whether its text is visible, and shown with white space as it stands; read with the first text. */
  text: { readonly isVisible: boolean; readonly isPreserved: boolean } | undefined;
}

/** Elements whose children are not shown, whatever their style says. */
const UNSHOWN: ReadonlySet<string> = new Set(
  'audio canvas datalist embed head img meter object option optgroup progress video rp title'.split(' '),
);
/** The same in SVG. */
const UNSHOWN_SVG: ReadonlySet<string> = new Set(
  'clipPath defs desc filter linearGradient marker mask metadata pattern radialGradient symbol title'.split(' '),
);
const BLANK = /^[\t\n\f\r ]*$/;
const { assignedNodes } = HTMLSlotElement.prototype;

/** What comes next in the page: a piece of text, a break, or nothing yet that counts, where the walk may pause. */
type Step = Piece | 'break' | undefined;

/**
 * Goes through the text of the document as it is shown, in the order of the flat tree: through shadow roots of any mode, slots, and what
 * is shown only once something in it is found (`hidden=until-found`, `details`). Iterative, because a page may nest deeper than any stack.
 */
export function* walk(kernel: Kernel): Generator<Step> {
  const hosts = new Map<Element, ShadowRoot>();
  for (const root of kernel.roots())
    if (dom.nodeType(root) === NODE.fragment) hosts.set((root as ShadowRoot).host, root as ShadowRoot); // by its type
  const levels: Level[] = [levelOf(undefined, undefined, false, dom.documentElement(document))];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = level.assigned ? (level.assigned[level.at++] ?? null) : level.next;
    if (node === null) {
      levels.pop();
      if (level.isBlock) yield 'break';
      continue;
    }
    if (!level.assigned) level.next = level.element ? dom.nextSibling(node) : null;
    if (dom.isText(node)) {
      const piece = pieceOf(node, level);
      if (piece) yield piece;
    } else if (dom.isElement(node)) yield* enter(node, levels, hosts.get(node) ?? lateShadow(kernel, node));
  }
}

function* enter(element: Element, levels: Level[], shadow: ShadowRoot | null): Generator<Step> {
  const name = dom.localName(element);
  if (name === 'br') {
    yield 'break';
    return;
  }
  if (isOpaque(element) || name === 'wbr') return;
  const style = getComputedStyle(element);
  const { display } = style;
  if (display === 'none' || display === '') return;
  yield undefined;
  const isBlock = display !== 'inline' && display !== 'contents';
  if (UNSHOWN.has(name) || (isBlock && isSkipped(element, style)) || isUnshownSvg(element, name)) {
    yield 'break';
    return;
  }
  if (isBlock) yield 'break';
  if (isControl(element)) {
    yield 'break';
    if (style.visibility === 'visible')
      yield { source: element, isPreserved: name === 'textarea' };
    yield 'break';
    return;
  }
  const assigned = name === 'slot' ? assignedTo(element) : undefined;
  const first = shadow ? dom.firstChild(shadow) : dom.firstChild(element);
  if (first || assigned) levels.push({ ...levelOf(element, style, isBlock, first), assigned });
  else if (isBlock) yield 'break';
}

function levelOf(
  element: Element | undefined,
  style: CSSStyleDeclaration | undefined,
  isBlock: boolean,
  next: Node | null,
): Level {
  return { element, style, isBlock, next, assigned: undefined, at: 0, text: undefined };
}

function pieceOf(text: Text, level: Level): Piece | undefined {
  const isBlank = BLANK.test(dom.data(text));
  if (isBlank && !level.text?.isPreserved) return { source: text, isPreserved: false };
  const { style } = level;
  level.text ??= {
    isVisible: style?.visibility === 'visible',
    isPreserved: /^(?:preserve|break-spaces)/.test(style?.getPropertyValue('white-space-collapse') ?? ''),
  };
  return level.text.isVisible ? { source: text, isPreserved: level.text.isPreserved } : undefined;
}

/** Whether the browser skips the content of an element, and no search shows it either. */
function isSkipped(element: Element, style: CSSStyleDeclaration): boolean {
  return (
    style.getPropertyValue('content-visibility') === 'hidden' && dom.attribute(element, 'hidden') !== 'until-found'
  );
}

function isUnshownSvg(element: Element, name: string): boolean {
  return UNSHOWN_SVG.has(name) && dom.namespace(element) === 'http://www.w3.org/2000/svg';
}

function assignedTo(slot: Element): readonly Node[] | undefined {
  const nodes = dom.isHtml(slot, 'slot') ? assignedNodes.call(slot) : [];
  return nodes.length > 0 ? nodes : undefined;
}

/** The shadow root of a custom element that has not been sent yet. */
function lateShadow(kernel: Kernel, element: Element): ShadowRoot | null {
  return dom.localName(element).includes('-') ? kernel.shadowOf(element) : null;
}
