import { dom, focusedElement } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { boundary, NOWHERE } from './boundary.ts';
import type { Boundary } from './boundary.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** The document's selection, and the one inside the focused text control. */
export class Selected implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #range = '';
  #caret = '';
  /** Reading the selection forces layout: done only after the browser has reported a change. */
  #changed = true;
  #edited = false;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    // The caret is sent with the value that moved it; the browser's later event brings nothing new.
    kernel.listen('input', () => {
      this.#edited = true;
    });
    kernel.listen('selectionchange', () => {
      this.#changed = true;
      kernel.schedule();
    });
    // In the view a press selects by default: if the page has prevented it, the selection is sent again.
    for (const type of ['pointerdown', 'mousedown', 'selectstart'])
      kernel.listen(type, (event) => {
        setTimeout(() => {
          if (event.defaultPrevented) this.#again();
        });
      });
    this.#watchDrags();
  }

  /**
   * In the view a drag selects by default, too. Where the page has begun no selection with it, its selection is sent again: what the press has
   * made draggable, or not to be selected, the view knew only after it.
   */
  #watchDrags(): void {
    let pressed: Pick<MouseEvent, 'screenX' | 'screenY'> | undefined;
    const listen = (type: string, hear: (event: MouseEvent) => void): void => {
      this.#kernel.listen(type, (event) => hear(event as MouseEvent)); // of a mouse, by its type
    };
    listen('mousedown', (event) => {
      pressed = event;
    });
    listen('selectstart', () => {
      pressed = undefined;
    });
    listen('dragstart', () => this.#again());
    listen('mouseup', ({ screenX, screenY }) => {
      if (pressed && (pressed.screenX !== screenX || pressed.screenY !== screenY)) this.#again();
    });
  }

  /** Sends the document's selection again, though it is as before. */
  #again(): void {
    this.#range = '';
    this.#changed = true;
    this.#kernel.schedule();
  }

  reset(): void {
    this.#range = String([NOWHERE, NOWHERE]);
    this.#caret = '';
    this.#changed = true;
  }

  collect(full: boolean): void {
    if (this.#edited) this.#caret = '';
    if (full || this.#changed || this.#edited) this.#lookAtCaret();
    this.#edited = false;
    if (this.#changed) this.#writeRange();
    this.#changed = false;
  }

  /** In the view the caret goes to the end with each new value, in the page only with some. */
  valueWritten(id: number): void {
    if (this.#caret.startsWith(`${id},`)) this.#edited = true;
  }

  #lookAtCaret(): void {
    const focused = focusedElement(this.#kernel);
    if (focused && (dom.isHtml(focused, 'input') || dom.isHtml(focused, 'textarea'))) this.#writeCaret(focused);
    else this.#caret = '';
  }

  #writeCaret(control: HTMLInputElement | HTMLTextAreaElement): void {
    const id = this.#kernel.idOf(control);
    const ends = endsIn(control);
    if (id === 0 || !ends) {
      this.#caret = '';
      return;
    }
    const caret = [id, ...ends] as const;
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

  /** Returns anchor and focus, through shadow roots. */
  #ends(): readonly [Boundary, Boundary] {
    const selection = getSelection();
    if (!selection || (selection.rangeCount === 0 && selection.type === 'None')) return [NOWHERE, NOWHERE];
    const shadowRoots = [...this.#kernel.roots()].filter((root): root is ShadowRoot => root !== document);
    const [range] = selection.getComposedRanges({ shadowRoots });
    if (!range) return [NOWHERE, NOWHERE];
    const start = boundary(this.#kernel, range.startContainer, range.startOffset);
    const end = boundary(this.#kernel, range.endContainer, range.endOffset);
    const isCaretInControl = selection.type === 'Caret' && String(start) !== String(end);
    if (start[0] === 0 || end[0] === 0 || isCaretInControl || isInControl(selection, range)) return [NOWHERE, NOWHERE];
    return selection.direction === 'backward' ? [end, start] : [start, end];
  }
}

/**
 * Start and end of the selection in a focused text control. Those of numbers and of addresses tell nobody: of them only a selection of all
 * their text is known.
 */
function endsIn(control: HTMLInputElement | HTMLTextAreaElement): readonly [number, number] | undefined {
  const { selectionStart, selectionEnd, value } = control;
  if (selectionStart !== null && selectionEnd !== null) return [selectionStart, selectionEnd];
  return value !== '' && String(getSelection()) === value ? [0, value.length] : undefined;
}

/** Whether a selection is within a text control: it is reported as a range around it, which would select all its text. */
function isInControl({ isCollapsed }: Selection, { startContainer, startOffset, collapsed }: StaticRange): boolean {
  if (!isCollapsed || collapsed) return false;
  const child = dom.child(startContainer, startOffset);
  return child !== undefined && (dom.isHtml(child, 'input') || dom.isHtml(child, 'textarea'));
}
