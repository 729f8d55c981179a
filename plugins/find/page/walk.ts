import { dom, isOpaque, NODE } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { isControl } from './chunk.ts';
import type { Piece } from './chunk.ts';

/** One open parent of the walk. */
interface Level {
  readonly style: CSSStyleDeclaration;
  readonly isBlock: boolean;
  /** Whether the person can reach nothing of it, nor find it: `inert`, or outside a modal dialog that is open. */
  readonly isInert: boolean;
  /** The next child, or the children of a slot that are left. */
  next: Node | null;
  readonly assigned: readonly Node[] | undefined;
  at: number;
  /** Whether its text is visible, and shown with white space as it stands; read when it matters. */
  isVisible?: boolean;
  isPreserved?: boolean;
}

/** Elements whose children are not shown, whatever their style says. */
const UNSHOWN: ReadonlySet<string> = new Set(
  'audio canvas datalist embed head img meter object option optgroup progress video rp title'.split(' '),
);
/** The same in SVG. */
const UNSHOWN_SVG: ReadonlySet<string> = new Set(
  'clipPath defs desc filter linearGradient marker mask metadata pattern radialGradient symbol title'.split(' '),
);
/** Elements that may be controls. */
const CONTROLS: ReadonlySet<string> = new Set(['input', 'textarea', 'select']);
const BLANK = /^[\t\n\f\r ]*$/;
/** White space that is shown otherwise where it is not kept as it stands. */
const SPACED = /[\t\n\f\r]|  |^ | $/;
const { assignedNodes } = HTMLSlotElement.prototype;
const { querySelector: inFragment } = DocumentFragment.prototype;
const { querySelector: inDocument } = Document.prototype;

/** Takes what the walk finds. */
interface Sink {
  piece(piece: Piece): void;
  /** No match spans this place. */
  break(): void;
}

/**
 * Goes through the text of the document as it is shown, in the order of the flat tree: through shadow roots of any mode, slots, and what
 * is shown only once something in it is found (`hidden=until-found`, `details`). Iterative, because a page may nest deeper than any stack.
 */
export class Walk {
  readonly #kernel: Kernel;
  readonly #sink: Sink;
  readonly #hosts = new Map<Element, ShadowRoot>();
  readonly #levels: Level[] = [];

  constructor(kernel: Kernel, sink: Sink) {
    this.#kernel = kernel;
    this.#sink = sink;
    for (const root of kernel.roots())
      if (dom.nodeType(root) === NODE.fragment) this.#hosts.set((root as ShadowRoot).host, root as ShadowRoot); // by its type
    const first = dom.documentElement(document);
    if (first) this.#enter(first, hasModal(kernel));
  }

  /** Goes on by a number of nodes. False: that was all. */
  advance(nodes: number): boolean {
    for (let left = nodes; left > 0; left -= 1) {
      const level = this.#levels.at(-1);
      if (!level) return false;
      const node = level.assigned ? (level.assigned[level.at++] ?? null) : level.next;
      if (node === null) {
        this.#levels.pop();
        if (level.isBlock) this.#sink.break();
        continue;
      }
      if (!level.assigned) level.next = dom.nextSibling(node);
      const type = dom.nodeType(node);
      if (type === NODE.text || type === NODE.cdata) {
        const piece = pieceOf(node as Text, level); // by its type
        if (piece) this.#sink.piece(piece);
      } else if (type === NODE.element) this.#enter(node as Element, level.isInert); // by its type
    }
    return true;
  }

  #enter(element: Element, isAround: boolean): void {
    const name = dom.localName(element);
    if (name === 'br') this.#sink.break();
    if (name === 'br' || name === 'wbr' || isOpaque(element)) return;
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === 'none' || display === '') return;
    const isBlock = display !== 'inline' && display !== 'contents';
    const control = CONTROLS.has(name) && isControl(element);
    const isInert =
      dom.hasAttribute(element, 'inert') || (isAround && !(name === 'dialog' && dom.matches(element, ':modal')));
    if (isBlock || control) this.#sink.break();
    if (control && !isInert && style.visibility === 'visible')
      this.#sink.piece({ source: element, isPreserved: name === 'textarea' });
    if (control || UNSHOWN.has(name) || (isBlock && isSkipped(element, style)) || isUnshownSvg(element, name)) {
      this.#sink.break();
      return;
    }
    const shadow = this.#hosts.get(element) ?? lateShadow(this.#kernel, element, name);
    const next = dom.firstChild(shadow ?? element);
    const assigned = name === 'slot' ? assignedTo(element) : undefined;
    if (next || assigned) this.#levels.push({ style, isBlock, isInert, next, assigned, at: 0 });
    else if (isBlock) this.#sink.break();
  }
}

function hasModal(kernel: Kernel): boolean {
  return [...kernel.roots()].some((root) => {
    const find = dom.nodeType(root) === NODE.fragment ? inFragment : inDocument;
    return find.call(root as Document & ShadowRoot, 'dialog:modal') !== null; // one of both
  });
}

function pieceOf(text: Text, level: Level): Piece | undefined {
  const data = dom.data(text);
  const { style } = level;
  if (BLANK.test(data)) {
    if (level.isPreserved === undefined) return { source: text, isPreserved: false };
  } else if (!(level.isVisible ??= !level.isInert && style.visibility === 'visible')) return undefined;
  const isPreserved =
    SPACED.test(data) && (level.isPreserved ??= /^(?:preserve|break-spaces)/.test(style.whiteSpaceCollapse));
  return { source: text, isPreserved };
}

/** Whether the browser skips the content of an element, and no search shows it either. */
function isSkipped(element: Element, style: CSSStyleDeclaration): boolean {
  return style.contentVisibility === 'hidden' && dom.attribute(element, 'hidden') !== 'until-found';
}

function isUnshownSvg(element: Element, name: string): boolean {
  return UNSHOWN_SVG.has(name) && dom.namespace(element) === 'http://www.w3.org/2000/svg';
}

function assignedTo(slot: Element): readonly Node[] | undefined {
  const nodes = dom.isHtml(slot, 'slot') ? assignedNodes.call(slot) : [];
  return nodes.length > 0 ? nodes : undefined;
}

/** The shadow root of a custom element that has not been sent yet. */
function lateShadow(kernel: Kernel, element: Element, name: string): ShadowRoot | null {
  return name.includes('-') ? kernel.shadowOf(element) : null;
}
