import type { EditMeans } from '../../../core/index.ts';
import type { Controls } from './controls.ts';
import { isHtml } from './dom.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Events of a changed control. */
const EDITS = ['input', 'change'] as const;
const PICKERS = /^(?:date|datetime-local|month|time|week)$/;
/** Inputs without a text: the surrogate gets the click on them. */
const TOGGLES = /^(?:checkbox|radio|file|color|submit|reset|button|image|hidden)$/;

/** Called with an edit by the person: the element that was pressed in the control, the means and the value. */
type OnEdit = (pressed: Element, by: EditMeans, value: string) => void;

/**
 * Watches the controls of a document. Pickers, sliders, select lists and suggestions of the page's own (`list`) are the browser's: an edit
 * after a press in that very control is the person's. Everything else comes as keys, text or pasted content (`keyboard`, `clipboard`), so
 * that any other edit is one that the browser or an extension has made by itself: it goes nowhere, and the surrogate's value comes back.
 */
export function watchEdits(document: Document, signal: AbortSignal, controls: Controls, onEdit: OnEdit): void {
  let pressed: Element | undefined;
  /** Controls whose value was put back just now: a browser sends `change` for the same edit, and they are not filled any more. */
  const undone = new WeakSet<Control>();
  const options = { capture: true, passive: true, signal };
  // Assistive technology presses without a pointer.
  for (const type of ['pointerdown', 'mousedown'])
    document.addEventListener(
      type,
      (event) => {
        [pressed] = event.composedPath() as [Element]; // presses target elements
      },
      options,
    );
  for (const type of EDITS)
    document.addEventListener(
      type,
      (event) => {
        const [control] = event.composedPath() as [Element]; // input events go to elements
        // Text from an input method is typed text: `keyboard` forwards it.
        if (!isControl(control) || /omposition/.test((event as InputEvent).inputType)) return;
        const by = event.isTrusted ? meansOf(control) : undefined;
        if (by && pressed && !undone.has(control) && isPressed(control, pressed)) {
          const value = valueOf(control);
          controls.edited(control, value);
          onEdit(pressed, by, value);
        } else {
          putBack(control, controls.said(control));
          undone.add(control);
          // The browser keeps the mark of a filled control where its value is changed meanwhile.
          setTimeout(() => {
            undone.delete(control);
            if (!isFilled(control)) return;
            if ('options' in control) control.selectedIndex = -1;
            else control.value += ' ';
            putBack(control, controls.said(control));
          });
        }
      },
      options,
    );
  // The characters of a password are gone as soon as they have been sent.
  document.addEventListener(
    'compositionend',
    (event) => {
      const [control] = event.composedPath() as [Element]; // composition happens in elements
      if (isControl(control) && control.getAttribute('v-type') === 'password') putBack(control, controls.said(control));
    },
    options,
  );
}

function isControl(element: Element): element is Control {
  return isHtml(element, 'input')
    ? !TOGGLES.test((element as HTMLInputElement).type) // by its name
    : isHtml(element, 'select', 'textarea');
}

/** Whether the person has pressed in the control, and its value is not one that the browser has filled in. */
function isPressed(control: Control, pressed: Element): boolean {
  return Node.prototype.contains.call(control, pressed) && !isFilled(control);
}

function isFilled(control: Control): boolean {
  return Element.prototype.matches.call(control, ':autofill');
}

/** The means of the browser by which the person may change a control; undefined where only the surrogate does. */
function meansOf(control: Control): EditMeans | undefined {
  if ('options' in control) return 'select';
  if ('wrap' in control) return undefined; // a text area
  if (control.type === 'range') return 'slider';
  if (PICKERS.test(control.type)) return 'picker';
  const suggestions = [...(control.list?.options ?? [])];
  return suggestions.some(({ value }) => value === control.value) ? 'suggestion' : undefined;
}

function valueOf(control: Control): string {
  return 'options' in control ? [...control.selectedOptions].map((option) => option.index).join() : control.value;
}

/** Shows the surrogate's value again: the last one that it has sent, or that of the attributes. */
function putBack(control: Control, said: string | undefined): void {
  if (!('options' in control)) {
    const value = said ?? control.defaultValue;
    if (control.value !== value) control.value = value;
    return;
  }
  if (!control.multiple) {
    control.selectedIndex = said === undefined ? defaultOf(control) : said === '' ? -1 : Number(said);
    return;
  }
  const selected = said?.split(',');
  for (const option of control.options)
    option.selected = selected ? selected.includes(String(option.index)) : option.defaultSelected;
}

/** The index of the option that a browser selects by the attributes alone. */
function defaultOf({ options, size }: HTMLSelectElement): number {
  const all = [...options];
  const chosen = all.findLast((option) => option.defaultSelected);
  return (chosen ?? (size > 1 ? undefined : all.find((option) => !option.disabled)))?.index ?? -1;
}
