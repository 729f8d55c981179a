import { dom } from '../../../core/page.ts';
import type { Ends } from './place.ts';
import { rangeOf, shownIn } from './place.ts';

/** Elements that take the focus by a match in them. */
const FOCUSABLE = 'a[href], area[href], button, summary, [tabindex]';
/** Elements that Enter presses. */
const PRESSABLE = 'a[href], area[href], button, summary';
const { focus } = HTMLElement.prototype;

/** Selects a match, and focuses what it is part of, as a browser does when its search ends there. */
export function keep(ends: Ends): void {
  const { source, offset } = ends.start;
  if (dom.isElement(source)) {
    focusOn(source);
    if ('setSelectionRange' in source) select(source as HTMLInputElement, offset, ends.end.offset); // by the name of its method
    return;
  }
  const range = rangeOf(ends);
  if (!range) return;
  const around = innermost(source, FOCUSABLE);
  if (around) focusOn(around);
  else window.focus();
  const { startContainer, startOffset, endContainer, endOffset } = range;
  document.getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
}

/** Focuses the link or button that a node is part of. False: it is in none. */
export function press(source: Node): boolean {
  const pressable = innermost(source, PRESSABLE);
  if (pressable) focusOn(pressable);
  return pressable !== undefined;
}

function focusOn(element: Element): void {
  focus.call(element as HTMLElement, { preventScroll: true }); // SVG's links have the same method
}

function select(control: HTMLInputElement, start: number, end: number): void {
  try {
    control.setSelectionRange(start, end);
  } catch {
    // A button, or a field of numbers: their text cannot be selected.
  }
}

/** The innermost element around a node, in the tree that is shown, that a selector matches. */
function innermost(node: Node, selector: string): Element | undefined {
  for (let at = dom.isElement(node) ? node : shownIn(node); at; at = shownIn(at))
    if (dom.matches(at, selector)) return at;
  return undefined;
}
