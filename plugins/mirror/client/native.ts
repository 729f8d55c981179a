import { isHtml } from './dom.ts';

const PICKERS = /^(?:date|datetime-local|month|time|week|range)$/;
const TOGGLES = /^(?:checkbox|radio|file|color|submit|reset|button|image|hidden)$/;

/** Whether the person may change this control by the browser's own means; what it makes of it is reported as an edit. */
export function isNative(element: Element | undefined): boolean {
  if (!element) return false;
  return isHtml(element, 'input')
    ? !TOGGLES.test((element as HTMLInputElement).type)
    : isHtml(element, 'select', 'textarea');
}

/**
 * Keeps the browser from acting on the view by itself: the surrogate gets the input, and what comes of it arrives as ops. Left
 * alone are scrolling, text selection, select lists, pickers, sliders and media controls.
 */
export function preventNativeEffects(document: Document, signal: AbortSignal): void {
  const prevent = (event: Event): void => event.preventDefault();
  const options = { capture: true, signal };
  for (const type of ['auxclick', 'submit', 'reset', 'dragstart', 'dragover', 'drop', 'cancel', 'invalid', 'command'])
    document.addEventListener(type, prevent, options);
  // Links, labels, check boxes, summaries, popover buttons and submit buttons all act on a click.
  document.addEventListener(
    'click',
    (event) => {
      const [target] = event.composedPath() as [Element]; // click events go to elements
      if (!hasOwnClick(target)) event.preventDefault();
    },
    options,
  );
}

function hasOwnClick(element: Element): boolean {
  if (isHtml(element, 'input')) return PICKERS.test((element as HTMLInputElement).type); // its name says so
  return isHtml(element, 'select', 'option', 'video', 'audio');
}
