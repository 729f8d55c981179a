import { isHtml } from './dom.ts';
import { Echo } from './echo.ts';
import { isNative } from './native.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Input events of a native edit. */
const EDITS = ['input', 'change'] as const;

/** State of form controls that is not in their attributes: values from the surrogate, and native edits by the person. */
export class Controls {
  /** Last values from the surrogate. */
  readonly #said = new WeakMap<Element, string>();
  readonly #echo = new Echo<Element, string>((a, b) => a === b);

  /** `onEdit` is called for native edits with the control and its value; for select lists, the indexes of the selected options. */
  constructor(document: Document, signal: AbortSignal, onEdit: (control: Element, value: string) => void) {
    for (const type of EDITS)
      document.addEventListener(
        type,
        (event) => {
          const control = event.composedPath()[0] as Element; // input events go to elements
          // Text from an input method is typed text: core forwards it.
          if (!event.isTrusted || /omposition/.test((event as InputEvent).inputType)) return;
          if (!isControl(control) || !isNative(control)) return;
          const value = valueOf(control);
          this.#echo.local(control, value);
          onEdit(control, value);
        },
        { capture: true, passive: true, signal },
      );
    signal.addEventListener('abort', () => this.#echo.dispose());
  }

  /** Sets the value of a text field or picker. */
  value(control: Element, text: string): void {
    if (!isHtml(control, 'input', 'textarea')) return;
    const field = control as HTMLInputElement; // a text area has the members used here
    if (field.type === 'file') return;
    this.#said.set(control, text);
    this.#echo.remote(control, text, () => {
      if (field.value !== text) field.value = text;
    });
  }

  /** Replaces a part of the last value from the surrogate. @throws RangeError when that has another length. */
  splice(control: Element, start: number, deleted: number, length: number, text: string): void {
    const said = this.#said.get(control);
    if (said?.length !== length) throw new RangeError('splice length mismatch');
    this.value(control, said.slice(0, start) + text + said.slice(start + deleted));
  }

  /** Sets the state of a check box or radio button: 1 checked, 2 indeterminate. */
  checked(control: Element, bits: number): void {
    if (!isHtml(control, 'input')) return;
    const box = control as HTMLInputElement; // by its name
    box.checked = (bits & 1) !== 0;
    box.indeterminate = (bits & 2) !== 0;
  }

  /** Sets the selected options of a select list, by index. */
  selected(control: Element, indexes: readonly number[]): void {
    if (!isHtml(control, 'select')) return;
    const list = control as HTMLSelectElement; // by its name
    this.#echo.remote(control, indexes.join(), () => {
      if (!list.multiple) list.selectedIndex = indexes[0] ?? -1;
      else {
        const selected = new Set(indexes);
        for (const [at, option] of [...list.options].entries()) option.selected = selected.has(at);
      }
    });
  }
}

function isControl(element: Element): element is Control {
  return isHtml(element, 'input', 'textarea', 'select');
}

function valueOf(control: Control): string {
  if (!('selectedOptions' in control)) return control.value;
  return [...control.selectedOptions].map((option) => option.index).join();
}
