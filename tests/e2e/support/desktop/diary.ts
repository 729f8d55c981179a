/**
 * The text of a field or editable element, with `[` and `]` at the ends of its selection and `_` for a space that does not break. It runs in pages.
 */
export function markedText(field: Element | null): string {
  const marked = (text: string, start: number, end: number): string =>
    `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { value, selectionStart: start, selectionEnd: end } = field;
    return start === null || end === null ? value : marked(value, start, end);
  }
  if (field instanceof HTMLSelectElement) return field.value;
  const selection = getSelection();
  if (!(field instanceof HTMLElement) || !field.isContentEditable || !selection?.rangeCount) return '';
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.selectNodeContents(field);
  if (!field.contains(range.startContainer)) return field.textContent;
  before.setEnd(range.startContainer, range.startOffset);
  const start = String(before).length;
  return marked(field.textContent, start, start + String(range).length).replaceAll('\u00a0', '_');
}

/**
 * Script of a page that writes down each event of keys, mouse, text and composition, with the text of the field (`[` and `]` at the ends
 * of its selection), into `<output>`. `F8` is kept out of it, and counted in the attribute `data-ends`: it marks the end of what is compared.
 */
export const DIARY = `
  ${markedText.toString()}
  const output = document.querySelector('output');
  const TYPES = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'compositionstart', 'compositionupdate', 'compositionend',
    'mousedown', 'mouseup', 'click', 'dblclick', 'copy', 'cut', 'paste', 'focusin', 'change', 'submit'];
  document.addEventListener('submit', (event) => event.preventDefault());
  const partsOf = (event) => {
    if (event instanceof KeyboardEvent) {
      const modifiers = ['Shift', 'Control', 'Alt', 'Meta'].filter((name) => event.getModifierState(name));
      return [event.key, event.code, event.keyCode, event.charCode, event.location, modifiers.join('+'), event.repeat, event.isComposing];
    }
    if (event instanceof MouseEvent) return [event.clientX, event.clientY, event.button, event.buttons, event.detail];
    if (event instanceof InputEvent) return [event.inputType, JSON.stringify(event.data), event.isComposing];
    return event instanceof CompositionEvent ? [JSON.stringify(event.data)] : [];
  };
  for (const type of TYPES) document.addEventListener(type, (event) => {
    if (event.key === 'F8') {
      if (type === 'keyup') output.dataset.ends = Number(output.dataset.ends ?? 0) + 1;
      return;
    }
    output.append([type, event.target.id, ...partsOf(event), markedText(event.target)].join(' ') + '\\n');
  }, true);`;
