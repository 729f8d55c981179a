import { isHtml } from './dom.ts';

/** Closes a modal dialog that loses its `open` attribute: it would stay in the top layer unseen. */
export function closeDialog(element: Element, attribute: string): void {
  if (attribute === 'open' && isHtml(element, 'dialog') && element.matches(':modal'))
    (element as HTMLDialogElement).close(); // by its name
}
