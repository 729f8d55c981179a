import type { Editable, Editing } from '../../../core/index.ts';
import { isEdit, MOST_TEXT } from '../protocol.ts';
import type { TextEdits } from './text-edits.ts';

/** A replacement that the browser is about to make in a control. */
interface Expected {
  readonly editable: Editable;
  readonly before: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Options {
  readonly editing: Editing;
  readonly edits: TextEdits;
}

/** Recognizes the edits of texts that take the place of other text than the page has selected: corrections, suggestions, dictation. */
export class Replacements {
  readonly #options: Options;
  #expected: Expected | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Takes a `beforeinput` event. `sent`: the edit is under way to the page, and the browser must not make it. `expected`: it is to make it,
   * which {@link made} checks. `other`: it is none of these.
   */
  take(event: InputEvent): 'sent' | 'expected' | 'other' {
    const { inputType } = event;
    const text = inputType.startsWith('delete') && isEdit(inputType) ? '' : textOf(event);
    const isCorrection = inputType === 'insertReplacementText';
    if (text === undefined || (inputType !== 'insertText' && !isCorrection && text !== '')) return 'other';
    const editable = this.#options.editing.focused();
    if (!editable || editable.isSecret || editable.isReadOnly) return 'other';
    if (editable.kind === 'rich') return this.#takeRich(event, editable, { text, isCorrection });
    return isCorrection ? this.#expect(editable, text) : this.#takeInControl(editable, text);
  }

  /**
   * The browser has made what was expected. What it fills in by itself comes as the same event, so the text counts only where nothing else
   * has changed than a selected part of it, and the browser does not take the control for filled.
   */
  made(control: HTMLInputElement | HTMLTextAreaElement): boolean {
    const expected = this.#expected;
    this.#expected = undefined;
    if (!expected) return false;
    const { editable, before, start, end, text } = expected;
    const isAsSaid = editable.shown()?.text === before.slice(0, start) + text + before.slice(end);
    const isFilled = Element.prototype.matches.call(control, ':autofill');
    if (isAsSaid && !isFilled && this.#options.edits.take(editable, before, expected)) return true;
    this.#options.edits.abandon();
    return false;
  }

  /** A word is corrected that the browser has selected. The whole of a text is not: what a browser keeps for a field takes the place of it all. */
  #expect(editable: Editable, text: string): 'expected' | 'other' {
    const { edits } = this.#options;
    const shown = editable.shown();
    if (!shown || shown.start === shown.end || shown.end - shown.start === shown.text.length) return 'other';
    if (shown.text.length + text.length > MOST_TEXT) return 'other';
    const expected = { editable, before: shown.text, start: shown.start, end: shown.end, text };
    this.#expected = expected;
    edits.hold(editable);
    // Its `input` event is part of this task.
    setTimeout(() => {
      if (this.#expected !== expected) return;
      this.#expected = undefined;
      edits.abandon();
    });
    return 'expected';
  }

  #takeInControl(editable: Editable, text: string): 'sent' | 'other' {
    const { edits } = this.#options;
    const shown = editable.shown();
    const page = editable.page();
    if (!shown || shown.start === shown.end) return 'other';
    // The page has the same selected: it is replaced there whatever the text around has become.
    if (page?.text === shown.text && page.start === shown.start && page.end === shown.end) return 'other';
    const replacement = { start: shown.start, end: shown.end, text };
    if (!edits.take(editable, shown.text, replacement)) return 'other';
    edits.show(editable, shown, replacement);
    return 'sent';
  }

  #takeRich(
    event: InputEvent,
    editable: Editable,
    { text, isCorrection }: { readonly text: string; readonly isCorrection: boolean },
  ): 'sent' | 'other' {
    const { editing, edits } = this.#options;
    const [element] = event.composedPath() as [HTMLElement]; // input events come from elements
    const [range] = event.getTargetRanges();
    if (!range || (!isCorrection && !editing.selection(element.ownerDocument))) return 'other';
    const texts = textsIn(element);
    const start = texts && offsetIn(texts, range.startContainer, range.startOffset);
    const end = texts && offsetIn(texts, range.endContainer, range.endOffset);
    if (!texts || start === undefined || end === undefined || start >= end) return 'other';
    const before = texts.map(({ data }) => data).join('');
    if (!edits.take(editable, before, { start, end, text })) return 'other';
    this.#showRich(editable, before.slice(start, end), text);
    return 'sent';
  }

  /** Shows it at once where what is replaced is selected in the block that the page has its caret in. */
  #showRich(editable: Editable, old: string, text: string): void {
    const { edits } = this.#options;
    if (!editable.page()) return;
    edits.hold(editable);
    const shown = editable.shown();
    if (shown?.text.slice(shown.start, shown.end) === old)
      edits.show(editable, shown, { start: shown.start, end: shown.end, text });
  }
}

/** The text that an edit brings. In rich text a replacement has it in another place. */
function textOf({ data, dataTransfer }: InputEvent): string | undefined {
  return (data ?? dataTransfer?.getData('text/plain')) || undefined;
}

/** The text nodes in an element; undefined where they are too long. */
function textsIn(element: Element): readonly Text[] | undefined {
  const walker = Document.prototype.createTreeWalker.call(element.ownerDocument, element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  let units = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text; // it shows texts only
    texts.push(text);
    units += text.data.length;
    if (units > MOST_TEXT) return undefined;
  }
  return texts;
}

/** The offset of a point in these texts; undefined for one that is not in any. */
function offsetIn(texts: readonly Text[], container: Node, offset: number): number | undefined {
  const index = texts.indexOf(container as Text); // others are not found
  return index < 0 ? undefined : texts.slice(0, index).reduce((units, { data }) => units + data.length, offset);
}
