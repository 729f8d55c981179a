import type { Box, Editable, EditableTraits, Editing, Target, TextState, ViewSelection } from '../../../core/index.ts';
import { activeIn, asElement, isHtml, parentOf, read, typeOf } from './dom.ts';
import { boxesOf, originOf } from './geometry.ts';
import type { MirrorDocument } from './mirror-document.ts';
import { focusedIn, middleOf } from './focused.ts';
import { StrangeNodes } from './strange-nodes.ts';
import type { View } from './view.ts';
import { selectionIn } from './view-selection.ts';

/** Types of inputs, as the page has them, that hold a line of text. */
const TEXT_TYPES = /^(?:text|search|url|tel|email|password|number)$/;
/** Most text nodes and UTF-16 units of a block of rich text that is edited ahead of the page. */
const MOST_NODES = 500;
const MOST_UNITS = 20_000;

/** Editing in the view (see `Editing`): one editable at a time, the one with the focus. */
export class MirrorEditing implements Editing {
  readonly #view: View;
  readonly #listeners = new Set<() => void>();
  #editable: MirrorEditable | undefined;

  constructor(view: View) {
    this.#view = view;
  }

  focused(): Editable | undefined {
    if (this.#editable?.isThere()) return this.#editable;
    this.#editable?.release();
    this.#editable = undefined;
    const { mirror, element } = focusedIn(this.#view) ?? {};
    if (!mirror || !element || mirror.focus.page.element !== element) return undefined;
    if (isTextControl(element)) this.#editable = new MirrorControl(mirror, element);
    else if (isEditingHost(element)) this.#editable = new MirrorRichText(mirror, element);
    if (this.#editable) mirror.controls.held.drawn ??= () => this.#drawn(mirror);
    return this.#editable;
  }

  selection(document: Document): ViewSelection | undefined {
    const mirror = this.#view.documentOf(document);
    return mirror && selectionIn(mirror);
  }

  onDrawn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #drawn(mirror: MirrorDocument): void {
    if (this.#editable?.mirror !== mirror) return;
    this.#editable.drawn();
    for (const listener of this.#listeners) listener();
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement;

function isTextControl(element: Element): element is Control {
  return isHtml(element, 'textarea') || (isHtml(element, 'input') && TEXT_TYPES.test(typeOfControl(element)));
}

function typeOfControl(element: Element): string {
  if (isHtml(element, 'textarea')) return 'textarea';
  return Element.prototype.getAttribute.call(element, 'v-type') ?? (element as HTMLInputElement).type; // an input
}

function isEditingHost(element: Element): boolean {
  return element instanceof viewOf(element).HTMLElement && read(HTMLElement, element, 'isContentEditable');
}

const viewOf = (element: Element): typeof globalThis => element.ownerDocument.defaultView ?? window; // a window has them

/** The common part of both kinds of editable text. */
abstract class MirrorEditable implements Editable {
  abstract readonly kind: EditableTraits['kind'];
  readonly mirror: MirrorDocument;
  readonly element: Element;
  readonly target: Target;
  isHeld = false;

  constructor(mirror: MirrorDocument, element: Element) {
    this.mirror = mirror;
    this.element = element;
    this.target = middleOf(mirror, element);
  }

  abstract readonly isMultiline: boolean;
  abstract readonly isSecret: boolean;
  abstract readonly isReadOnly: boolean;
  abstract readonly type: string;
  abstract readonly maxLength: number | undefined;
  abstract readonly keepsSpaces: boolean;
  abstract page(): TextState | undefined;
  abstract wholeText(): string | undefined;
  abstract shown(): TextState | undefined;
  abstract show(state: TextState): boolean;
  /** Keeps changes by the page from the text of the view. */
  protected abstract keep(): void;
  /** Shows the page's text. */
  protected abstract give(): void;
  abstract box(): Box | undefined;

  hold(): void {
    this.isHeld = true;
    this.keep();
  }

  release(): void {
    this.isHeld = false;
    this.give();
  }

  /** Called after changes of the page have been drawn. */
  drawn(): void {
    // Only rich text changes its nodes.
  }

  isThere(): boolean {
    const { document } = this.mirror.realm;
    return (
      !!document.defaultView &&
      this.element.isConnected &&
      this.mirror.focus.page.element === this.element &&
      activeIn(document) === this.element
    );
  }
}

/** An input or a text area. */
class MirrorControl extends MirrorEditable {
  readonly kind = 'control';
  readonly #control: Control;

  constructor(mirror: MirrorDocument, control: Control) {
    super(mirror, control);
    this.#control = control;
  }

  get type(): string {
    return typeOfControl(this.#control);
  }

  get isMultiline(): boolean {
    return this.type === 'textarea';
  }

  get keepsSpaces(): boolean {
    return true;
  }

  get isSecret(): boolean {
    return this.type === 'password';
  }

  get isReadOnly(): boolean {
    return this.#control.readOnly || this.#control.disabled;
  }

  get maxLength(): number | undefined {
    const { maxLength } = this.#control;
    return maxLength < 0 ? undefined : maxLength;
  }

  page(): TextState | undefined {
    const [control, start = 0, end = 0] = this.mirror.focus.page.caret ?? [];
    if (control !== this.#control) return undefined;
    const said = this.mirror.controls.said(control);
    // The bullets of a password that only its attribute has are not as many as its characters.
    if (said === undefined && this.isSecret && this.#control.defaultValue !== '') return undefined;
    const text = said ?? this.#control.defaultValue;
    return end <= text.length ? { text, start, end } : undefined;
  }

  wholeText(): string | undefined {
    return this.page()?.text;
  }

  shown(): TextState | undefined {
    const { value: text, selectionStart, selectionEnd } = this.#control;
    return selectionStart === null || selectionEnd === null
      ? undefined
      : { text, start: selectionStart, end: selectionEnd };
  }

  show({ text, start, end }: TextState): boolean {
    this.keep();
    const control = this.#control;
    if (control.value !== text) control.value = text;
    if (control.selectionStart !== start || control.selectionEnd !== end) control.setSelectionRange(start, end);
    this.mirror.focus.placed(control);
    return true;
  }

  protected keep(): void {
    this.mirror.controls.held.node = this.#control;
  }

  protected give(): void {
    const { controls, focus } = this.mirror;
    const { held } = controls;
    if (held.node !== this.#control) return;
    held.node = undefined;
    const control = this.#control;
    const text = controls.said(control) ?? control.defaultValue;
    if (control.value !== text) control.value = text;
    const [of, start = 0, end = 0] = focus.page.caret ?? [];
    if (of === control) focus.caret(control, start, end);
  }

  box(): Box | undefined {
    return boxesOf(this.#control)[0];
  }
}

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
class MirrorRichText extends MirrorEditable {
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
    const { anchor } = this.mirror.focus.page.range ?? {};
    if (anchor && typeOf(anchor) === 3) {
      if (held.node === this.element) this.drawn();
      this.#hold(anchor as Text); // by its type
    } else {
      held.node = this.element;
      this.#strange ??= new StrangeNodes(this.element, this.mirror.tree);
    }
  }

  /** The page has made a text where there was none: the view shows its own until then. */
  override drawn(): void {
    const { held } = this.mirror.controls;
    const { anchor } = this.mirror.focus.page.range ?? {};
    if (held.node !== this.element || !anchor || typeOf(anchor) !== 3) return;
    this.#hold(anchor as Text); // by its type
    replace(anchor as Text, '');
  }

  protected give(): void {
    const { controls, focus, realm } = this.mirror;
    const { held } = controls;
    const { node, data } = held;
    if (!node || (typeOf(node) !== 3 && node !== this.element)) return;
    held.node = undefined;
    this.#strange?.undo();
    this.#strange = undefined;
    if (node !== this.element && data !== undefined && (node as Text).data !== data) replace(node as Text, data); // by its type
    const { range } = focus.page;
    const selection = Document.prototype.getSelection.call(realm.document);
    try {
      if (range) selection?.setBaseAndExtent(range.anchor, range.anchorOffset, range.focus, range.focusOffset);
    } catch {
      // The page has changed what it selects; the next selection comes with the next batch.
    }
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
