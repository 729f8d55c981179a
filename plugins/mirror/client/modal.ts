import { isHtml } from './dom.ts';

/** A modal dialog whose `open` attribute is going must be closed, or it stays in the top layer unseen. */
export function closeDialog(element: Element, attribute: string): void {
  if (attribute === 'open' && isHtml(element, 'dialog') && element.matches(':modal'))
    (element as HTMLDialogElement).close(); // its name says so
}
