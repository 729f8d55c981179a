import type { Box, TextState } from '../../../core/index.ts';
import { asElement, parentOf, read, typeOf } from './dom.ts';
import { MirrorEditable } from './editable.ts';
import { boxesOf, originOf } from './geometry.ts';
import { StrangeNodes } from './strange-nodes.ts';

/** Most text nodes and UTF-16 units of a block of rich text that is edited ahead of the page. */
const MOST_NODES = 500;
const MOST_UNITS = 20_000;

/** Whether the content of an element can be edited. */
export function isEditingHost(element: Element): boolean {
  return element instanceof viewOf(element).HTMLElement && read(HTMLElement, element, 'isContentEditable');
}

const viewOf = (element: Element): typeof globalThis => element.ownerDocument.defaultView ?? window; // a window has them

/** The text of the block around the caret, and the text node that has it. */
interface Block {
  readonly node: Text;
  readonly before: string;
  /** The node's own text, as the page has it. */
  readonly own: string;
  readonly after: string;
  /** Offsets in the node. */
  readonly start: number;
  readonly end: number;
}

/** An element whose content is edited. */
export class MirrorRichText extends MirrorEditable {
  readonly kind = 'rich';
  readonly type = 'rich';
  readonly isMultiline = true;
  readonly isSecret = false;
  readonly isReadOnly = false;
  readonly maxLength = undefined;
  /** While it is held without a text of the page. */
  #strange: StrangeNodes | undefined;

  get keepsSpaces(): boolean {
    const parent = asElement(parentOf(this.mirror.focus.page.range?.anchor ?? this.element)) ?? this.element;
    return /^(?:pre|break-spaces)/.test(viewOf(parent).getComputedStyle(parent).whiteSpace);
  }

  page(): TextState | undefined {
    const block = this.#block();
    if (!block) return undefined;
    const { before, own, after, start, end } = block;
    return { text: before + own + after, start: before.length + start, end: before.length + end };
  }

  wholeText(): string | undefined {
    return this.mirror.controls.held.node ? undefined : (read(Node, this.element, 'textContent') ?? '');
  }

  shown(): TextState | undefined {
    const { held } = this.mirror.controls;
    if (this.#strange) return this.#strangeText();
    const block = this.#block();
    if (!block) return undefined;
    if (held.node !== block.node) return this.page();
    const selection = Document.prototype.getSelection.call(this.mirror.realm.document);
    if (selection?.anchorNode !== block.node || selection.focusNode !== block.node) return undefined;
    const { anchorOffset, focusOffset } = selection;
    const from = block.before.length;
    return {
      text: block.before + block.node.data + block.after,
      start: from + Math.min(anchorOffset, focusOffset),
      end: from + Math.max(anchorOffset, focusOffset),
    };
  }

  /** The text with the caret, which the browser itself has put here; empty before it has. */
  #strangeText(): TextState | undefined {
    const {
      anchorNode: node,
      anchorOffset,
      focusNode,
      focusOffset,
    } = Document.prototype.getSelection.call(this.mirror.realm.document) ?? {};
    if (!node || node !== focusNode || anchorOffset === undefined || focusOffset === undefined) return undefined;
    if (!this.#isOurs(node)) return node === this.element ? { text: '', start: 0, end: 0 } : undefined;
    return {
      text: node.data,
      start: Math.min(anchorOffset, focusOffset),
      end: Math.max(anchorOffset, focusOffset),
    };
  }

  show({ text, start, end }: TextState): boolean {
    const block = this.#block();
    if (!block) return false;
    const { node, before, after } = block;
    const from = before.length;
    const to = text.length - after.length;
    if (to < from || start < from || end > to || !text.startsWith(before) || !text.endsWith(after)) return false;
    this.#hold(node);
    const own = text.slice(from, to);
    if (node.data !== own) replace(node, own);
    const selection = Document.prototype.getSelection.call(this.mirror.realm.document);
    selection?.setBaseAndExtent(node, start - from, node, end - from);
    this.mirror.focus.placed();
    return true;
  }

  protected keep(): void {
    const { held } = this.mirror.controls;
    const text = this.#text();
    if (text) {
      this.drawn();
      this.#hold(text);
    } else {
      held.node = this.element;
      this.#strange ??= new StrangeNodes(this.element, this.mirror.tree);
    }
  }

  /** The page has made a text where there was none, or another one: the view shows its own until it is released. */
  override drawn(): void {
    const { held } = this.mirror.controls;
    const text = this.#strange && this.#pageText();
    if (!text || held.node === text) return;
    this.#hold(text);
    replace(text, '');
  }

  protected give(): void {
    const { controls, focus } = this.mirror;
    const { held } = controls;
    const { node, data } = held;
    if (!node || (typeOf(node) !== 3 && node !== this.element)) return;
    held.node = undefined;
    this.#strange?.undo();
    this.#strange = undefined;
    if (node !== this.element && data !== undefined && (node as Text).data !== data) replace(node as Text, data); // by its type
    focus.show();
    focus.placed();
  }

  box(): Box | undefined {
    const { document } = this.mirror.realm;
    const selection = Document.prototype.getSelection.call(document);
    const rect = selection?.rangeCount ? selection.getRangeAt(0).getClientRects()[0] : undefined;
    if (!rect) return boxesOf(this.element)[0];
    const origin = originOf(document);
    return { x: rect.x + origin.x, y: rect.y + origin.y, width: rect.width, height: rect.height };
  }

  /** The text with the caret: the page's, or that of the view where the page does not have the focus here yet. */
  #text(): Text | undefined {
    if (this.isThere()) return this.#pageText();
    const { anchorNode } = Document.prototype.getSelection.call(this.mirror.realm.document) ?? {};
    return this.#isOurs(anchorNode) && this.mirror.tree.idOf(anchorNode) !== undefined ? anchorNode : undefined;
  }

  #pageText(): Text | undefined {
    const { anchor } = this.mirror.focus.page.range ?? {};
    return this.#isOurs(anchor) ? anchor : undefined;
  }

  #isOurs(node: Node | null | undefined): node is Text {
    return !!node && typeOf(node) === 3 && Node.prototype.contains.call(this.element, node);
  }

  /** Holds another node than before: in that one the page's text comes back. */
  #hold(node: Text): void {
    const { held } = this.mirror.controls;
    if (held.node === node) return;
    if (held.node && typeOf(held.node) === 3 && held.data !== undefined) replace(held.node as Text, held.data); // by its type
    held.node = node;
    held.data = node.data;
  }

  #block(): Block | undefined {
    const { range } = this.mirror.focus.page;
    if (!range || range.anchor !== range.focus || typeOf(range.anchor) !== 3) return undefined;
    const node = range.anchor as Text; // by its type
    const host = this.element;
    if (!node.isConnected || !Node.prototype.contains.call(host, node)) return undefined;
    const { held } = this.mirror.controls;
    const own = held.node === node ? (held.data ?? '') : node.data;
    const start = Math.min(range.anchorOffset, range.focusOffset);
    const end = Math.max(range.anchorOffset, range.focusOffset);
    if (end > own.length) return undefined;
    let before = '';
    let after = '';
    let isBefore = true;
    let count = 0;
    const { document } = this.mirror.realm;
    const walker = Document.prototype.createTreeWalker.call(document, blockAround(node, host), NodeFilter.SHOW_TEXT);
    for (let each = walker.nextNode(); each; each = walker.nextNode()) {
      const data = each === held.node ? (held.data ?? '') : (each as Text).data; // it shows texts only
      if (each === node) isBefore = false;
      else if (isBefore) before += data;
      else after += data;
      if ((count += 1) > MOST_NODES || before.length + after.length > MOST_UNITS) return undefined;
    }
    return { node, before, own, after, start, end };
  }
}

/** The innermost element around a node, within `host`, that begins a line of its own. */
function blockAround(node: Node, host: Element): Element {
  let block = asElement(parentOf(node)) ?? host;
  while (block !== host && /^(?:inline|contents)/.test(viewOf(block).getComputedStyle(block).display))
    block = asElement(parentOf(block)) ?? host;
  return block;
}

/** Replaces no more of a text than has changed: selections and marks elsewhere in it stay. */
function replace(node: Text, text: string): void {
  const { data } = node;
  const most = Math.min(data.length, text.length);
  let start = 0;
  while (start < most && data.charCodeAt(start) === text.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && data.charCodeAt(data.length - 1 - end) === text.charCodeAt(text.length - 1 - end)) end++;
  node.replaceData(start, data.length - start - end, text.slice(start, text.length - end));
}
