import { isHtml } from './dom.ts';

const PICKERS = /^(?:date|datetime-local|month|time|week|range)$/;
const TOGGLES = /^(?:checkbox|radio|file|color|submit|reset|button|image|hidden)$/;

/** Whether the person may change this control natively; the result is reported as an edit. */
export function isNative(element: Element | undefined): boolean {
  if (!element) return false;
  return isHtml(element, 'input')
    ? !TOGGLES.test((element as HTMLInputElement).type)
    : isHtml(element, 'select', 'textarea');
}

/**
 * Prevents the browser's default actions in the view: the surrogate gets the input, and its effects arrive as ops. Exceptions
 * are scrolling, text selection, select lists, pickers, sliders and media controls.
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
      const [target] = event.composedPath() as [Element]; // click events target elements
      if (!hasOwnClick(target)) event.preventDefault();
    },
    options,
  );
}

function hasOwnClick(element: Element): boolean {
  if (isHtml(element, 'input')) return PICKERS.test((element as HTMLInputElement).type); // by its name
  return isHtml(element, 'select', 'option', 'video', 'audio');
}
