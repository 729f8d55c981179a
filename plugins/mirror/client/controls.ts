import { isHtml } from './dom.ts';
import { Echo } from './echo.ts';

/** A node of which the view shows something else than the page has: a control, or a text node with the page's text. See editing.ts. */
export interface Held {
  node?: Node | undefined;
  data?: string;
  /** Called after each batch, once somebody edits in the document. */
  drawn?: () => void;
}

/** State of form controls that is not in their attributes. What the person changes by the browser's own means is in edits.ts. */
export class Controls {
  /** Last values from the surrogate; of select lists, the indexes of the selected options. */
  readonly #said = new WeakMap<Element, string>();
  readonly #echo = new Echo<Element, string>((a, b) => a === b);

  readonly held: Held = {};

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#echo.dispose());
  }

  /** The last value of a control from the surrogate, while its attributes do not say it. */
  said(control: Element): string | undefined {
    return this.#said.get(control);
  }

  /** Called when the person has changed a control. */
  edited(control: Element, value: string): void {
    this.#echo.local(control, value);
  }

  /** Sets the value of a text field or picker. */
  value(control: Element, text: string): void {
    if (!isHtml(control, 'input', 'textarea')) return;
    const field = control as HTMLInputElement; // a text area has the members used here
    if (field.type === 'file') return;
    this.#said.set(control, text);
    if (this.held.node === control) return;
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
    const isSaid = this.#said.get(control) === indexes.join();
    this.#said.set(control, indexes.join());
    this.#echo.remote(control, indexes.join(), () => {
      if (isSaid && [...list.selectedOptions].map(({ index }) => index).join() === indexes.join()) return;
      list.selectedIndex = indexes[0] ?? -1; // the active option, where the arrow keys begin
      if (list.multiple) {
        const selected = new Set(indexes);
        for (const [at, option] of [...list.options].entries()) option.selected = selected.has(at);
      }
    });
  }
}
