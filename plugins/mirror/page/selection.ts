import { dom, isContent, isOpaque } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { focusedElement } from './focus.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

type Position = readonly [id: number, offset: number];

const NOWHERE: Position = [0, 0];

/** The document's selection, and the one inside a text control that has the focus. */
export class Selected implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #range = '';
  #caret = '';
  /** Asking for the selection makes the browser lay out the page: only after it has said that it changed. */
  #changed = true;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    kernel.listen('selectionchange', () => {
      this.#changed = true;
      kernel.schedule();
    });
  }

  reset(): void {
    this.#range = String([NOWHERE, NOWHERE]);
    this.#caret = '';
    this.#changed = true;
  }

  collect(full: boolean): void {
    if (full || this.#changed) this.#lookAtCaret();
    if (this.#changed) this.#writeRange();
    this.#changed = false;
  }

  #lookAtCaret(): void {
    const focused = focusedElement(this.#kernel);
    if (focused && (dom.isHtml(focused, 'input') || dom.isHtml(focused, 'textarea'))) this.#writeCaret(focused);
    else this.#caret = '';
  }

  #writeCaret(control: HTMLInputElement | HTMLTextAreaElement): void {
    const id = this.#kernel.idOf(control);
    const { selectionStart, selectionEnd } = control;
    if (id === 0 || selectionStart === null || selectionEnd === null) return;
    const caret = [id, selectionStart, selectionEnd];
    if (String(caret) === this.#caret) return;
    this.#caret = String(caret);
    this.#writer.op([OP.caret, ...caret]);
  }

  #writeRange(): void {
    const ends = this.#ends();
    if (String(ends) === this.#range) return;
    this.#range = String(ends);
    this.#writer.op([OP.selection, ...ends[0], ...ends[1]]);
  }

  /** Anchor and focus, through shadow roots. */
  #ends(): readonly [Position, Position] {
    const selection = getSelection();
    if (!selection || (selection.rangeCount === 0 && selection.type === 'None')) return [NOWHERE, NOWHERE];
    const shadowRoots = [...this.#kernel.roots()].filter((root): root is ShadowRoot => root !== document);
    const [range] = selection.getComposedRanges({ shadowRoots });
    if (!range) return [NOWHERE, NOWHERE];
    const start = this.#position(range.startContainer, range.startOffset);
    const end = this.#position(range.endContainer, range.endOffset);
    if (start[0] === 0 || end[0] === 0) return [NOWHERE, NOWHERE];
    return selection.direction === 'backward' ? [end, start] : [start, end];
  }

  /** A boundary point among the nodes that have been sent. */
  #position(container: Node, offset: number): Position {
    const id = this.#kernel.idOf(container);
    if (id === 0) {
      const parent = dom.parentNode(container);
      return parent ? this.#position(parent, indexOf(container)) : NOWHERE;
    }
    if (!dom.isElement(container))
      return dom.firstChild(container) ? [id, countContent(container, offset)] : [id, offset];
    return [id, isOpaque(container) ? 0 : countContent(container, offset)];
  }
}

function indexOf(node: Node): number {
  const parent = dom.parentNode(node);
  let index = 0;
  for (let sibling = parent && dom.firstChild(parent); sibling && sibling !== node; sibling = dom.nextSibling(sibling))
    index++;
  return index;
}

/** How many of the first `offset` children are part of the tree. */
function countContent(parent: Node, offset: number): number {
  let count = 0;
  let left = offset;
  for (let child = dom.firstChild(parent); child && left > 0; child = dom.nextSibling(child), left--)
    if (isContent(child)) count++;
  return count;
}
