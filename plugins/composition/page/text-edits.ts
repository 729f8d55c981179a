import { dom, focusedElement, isOpaque } from '../../../core/page.ts';
import type { Kernel, ParamsOf } from '../../../core/page.ts';
import { MOST_TEXT } from '../protocol.ts';
import type { pagePatch, Patch } from '../protocol.ts';
import { locate } from './locate.ts';

/** Inputs whose text can be selected, but for those of passwords: what the person's browser has for them is for no page. */
const TEXT_TYPES = /^(?:text|search|url|tel)$/;

/** The text that has the focus, with its selection: offsets in UTF-16 units. */
interface Edited {
  readonly text: string;
  readonly anchor: number;
  readonly focus: number;
  readonly select: (anchor: number, focus: number) => void;
}

/** Replaces parts of the text that has the focus: the host types what comes in their place. */
export class TextEdits {
  readonly #kernel: Kernel;
  #restore: (() => void) | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Selects what a patch replaces. See {@link pagePatch}. */
  select({ target, patch, shift }: ParamsOf<typeof pagePatch>): number | null {
    this.#restore = undefined;
    const element = focusedElement(this.#kernel);
    if (!element || target.epoch !== this.#kernel.epoch || this.#kernel.nodeOf(target.node ?? 0) !== element)
      return null;
    const text = textOf(this.#kernel, element);
    const start = text && locate(text.text, patch, shift);
    if (!text || start === undefined) return null;
    const end = start + patch.old.length;
    text.select(start, end);
    this.#restore = () => putCaret(this.#kernel, element, text, start, patch);
    return start - patch.before.length - patch.at;
  }

  /** Puts the caret to where it was in the text. */
  restore(): void {
    this.#restore?.();
    this.#restore = undefined;
  }
}

/** Puts the caret back unless it was in what was replaced, or the page has put it elsewhere meanwhile. */
function putCaret(kernel: Kernel, element: Element, { anchor, focus }: Edited, start: number, patch: Patch): void {
  const end = start + patch.old.length;
  if (Math.min(anchor, focus) >= start && Math.max(anchor, focus) <= end) return;
  const now = focusedElement(kernel) === element ? textOf(kernel, element) : undefined;
  const typed = start + patch.text.length;
  if (now?.anchor !== typed || now.focus !== typed) return;
  const moved = (offset: number): number => {
    if (offset <= start) return offset;
    return offset >= end ? offset + patch.text.length - patch.old.length : typed;
  };
  now.select(Math.min(moved(anchor), now.text.length), Math.min(moved(focus), now.text.length));
}

function textOf(kernel: Kernel, element: Element): Edited | undefined {
  if (dom.isHtml(element, 'textarea')) return textOfControl(element);
  if (dom.isHtml(element, 'input')) return TEXT_TYPES.test(element.type) ? textOfControl(element) : undefined;
  return (element as HTMLElement).isContentEditable ? richText(kernel, element) : undefined;
}

function textOfControl(control: HTMLInputElement | HTMLTextAreaElement): Edited | undefined {
  const { value, selectionStart: start, selectionEnd: end, selectionDirection, readOnly, disabled } = control;
  if (start === null || end === null || readOnly || disabled || value.length > MOST_TEXT) return undefined;
  const [anchor, focus] = selectionDirection === 'backward' ? [end, start] : [start, end];
  const select = (from: number, to: number): void =>
    control.setSelectionRange(Math.min(from, to), Math.max(from, to), from > to ? 'backward' : 'forward');
  return { text: value, anchor, focus, select };
}

/** The text of all text nodes of an element whose content is edited. */
function richText(kernel: Kernel, host: Element): Edited | undefined {
  const texts = textsIn(host);
  const selection = getSelection();
  const shadowRoots = [...kernel.roots()].filter((root): root is ShadowRoot => root !== document);
  const [range] = selection?.getComposedRanges({ shadowRoots }) ?? [];
  if (!texts || !selection || !range) return undefined;
  if (!dom.contains(host, range.startContainer) || !dom.contains(host, range.endContainer)) return undefined;
  const start = offsetOf(texts, range.startContainer, range.startOffset);
  const end = offsetOf(texts, range.endContainer, range.endOffset);
  const [anchor, focus] = selection.direction === 'backward' ? [end, start] : [start, end];
  const select = (from: number, to: number): void => {
    const [a, b] = [pointAt(texts, from, from <= to), pointAt(texts, to, from > to)];
    if (a && b) selection.setBaseAndExtent(...a, ...b);
  };
  return { text: texts.map((text) => dom.data(text)).join(''), anchor, focus, select };
}

function textsIn(host: Element): readonly Text[] | undefined {
  const walker = Document.prototype.createTreeWalker.call(document, host, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  let units = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = dom.parentNode(node);
    if (parent && dom.isElement(parent) && isOpaque(parent)) continue;
    const text = node as Text; // it shows texts only
    texts.push(text);
    units += dom.data(text).length;
    if (units > MOST_TEXT) return undefined;
  }
  return texts;
}

/** Units of the texts before a point of the document. */
function offsetOf(texts: readonly Text[], container: Node, offset: number): number {
  const point = new Range();
  point.setStart(container, offset);
  let units = 0;
  for (const text of texts) {
    if (text === container) return units + offset;
    if (point.comparePoint(text, 0) >= 0) return units;
    units += dom.data(text).length;
  }
  return units;
}

/** The point at an offset: at the end of one text, or `isStart` at the start of the next. */
function pointAt(texts: readonly Text[], offset: number, isStart: boolean): readonly [Text, number] | undefined {
  let left = offset;
  for (const text of texts) {
    const { length } = dom.data(text);
    if (isStart ? left < length : left <= length) return [text, left];
    left -= length;
  }
  const last = texts.at(-1);
  return last && [last, dom.data(last).length];
}
