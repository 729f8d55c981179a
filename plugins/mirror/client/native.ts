import { asElement, isHtml, nameOf } from './dom.ts';

/** Inputs that open a picker, or are slid, by a click. */
const PICKERS = /^(?:date|datetime-local|month|time|week|range)$/;

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
      const [target, ...around] = event.composedPath().slice(0, -1) as [Element, ...Node[]]; // click events target elements; a window is last
      if (!hasOwnClick(target) || around.some(isLink)) event.preventDefault();
    },
    options,
  );
}

/** Whether a click in it also acts on it: a link leads away, whichever namespace it is of. */
function isLink(node: Node): boolean {
  const element = asElement(node);
  return !!element && nameOf(element) === 'a';
}

function hasOwnClick(element: Element): boolean {
  if (isHtml(element, 'input')) return PICKERS.test((element as HTMLInputElement).type); // by its name
  return isHtml(element, 'select', 'option', 'video', 'audio');
}
