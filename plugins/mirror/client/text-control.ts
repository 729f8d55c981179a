import type { Box, TextState } from '../../../core/index.ts';
import { isHtml } from './dom.ts';
import { MirrorEditable } from './editable.ts';
import { boxesOf } from './geometry.ts';
import type { MirrorDocument } from './mirror-document.ts';

/** Types of inputs, as the page has them, that hold a line of text. */
const TEXT_TYPES = /^(?:text|search|url|tel|email|password|number)$/;

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Whether an element is a text area or an input that holds a line of text, as the page has it. */
export function isTextControl(element: Element): element is Control {
  return isHtml(element, 'textarea') || (isHtml(element, 'input') && TEXT_TYPES.test(typeOfControl(element)));
}

function typeOfControl(element: Element): string {
  if (isHtml(element, 'textarea')) return 'textarea';
  return Element.prototype.getAttribute.call(element, 'v-type') ?? (element as HTMLInputElement).type; // an input
}

/** An input or a text area. */
export class MirrorControl extends MirrorEditable {
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
