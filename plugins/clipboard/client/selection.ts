/** The text that is selected in a document: in the text control that has the focus, or else in its text. Passwords are not copied. */
export function selectedText(document: Document): string {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active && (active.localName === 'input' || active.localName === 'textarea')) {
    const { value, selectionStart, selectionEnd } = active as HTMLInputElement; // a text area has the same
    // The view shows password fields as text fields with bullets.
    const isSecret = active.matches('[type=password],[v-type=password]');
    return isSecret ? '' : value.slice(selectionStart ?? 0, selectionEnd ?? 0);
  }
  return Document.prototype.getSelection.call(document)?.toString() ?? '';
}
