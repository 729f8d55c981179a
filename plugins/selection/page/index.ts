import { dom, focusedElement, isContent, isOpaque } from '../../../core/page.ts';
import type { ActivatePage, Kernel } from '../../../core/page.ts';
import { pageSelection } from '../protocol.ts';
import type { Selected, Why } from '../protocol.ts';

/** Selects in this frame what the person has selected in the view. */
export const activate: ActivatePage = ({ commands, kernel }) => {
  commands.handle(pageSelection, ({ selected }) => ({ why: apply(kernel, selected) }));
};

function apply(kernel: Kernel, selected: Selected): Why {
  if (selected.epoch !== kernel.epoch) return 'epoch';
  if (selected.mode === 'input') return selectInControl(kernel, selected);
  const selection = getSelection();
  if (!selection) return 'frame';
  if (selected.mode === 'range') return selectBetween(kernel, selection, selected);
  // A caret in a control or in rich text is where the person types.
  if (isTyping(focusedElement(kernel))) return 'focus';
  if (selected.mode === 'clearselection') selection.removeAllRanges();
  else if (selection.rangeCount > 0) selection.collapseToEnd();
  return '';
}

function selectInControl(
  kernel: Kernel,
  { uid, selection_start: start, selection_end: end }: Extract<Selected, { mode: 'input' }>,
): Why {
  const control = kernel.nodeOf(uid);
  if (!control || !(dom.isHtml(control, 'input') || dom.isHtml(control, 'textarea'))) return 'node';
  if (focusedElement(kernel) !== control) return 'focus';
  if (control.selectionStart === null || start > end || end > control.value.length) return 'offset';
  if (control.selectionStart !== start || control.selectionEnd !== end) control.setSelectionRange(start, end);
  return '';
}

function selectBetween(kernel: Kernel, selection: Selection, selected: Extract<Selected, { mode: 'range' }>): Why {
  const start = kernel.nodeOf(selected.start_container);
  const end = kernel.nodeOf(selected.end_container);
  if (!start || !end) return 'node';
  const from = placeIn(start, selected.start_offset);
  const to = placeIn(end, selected.end_offset);
  if (from === undefined || to === undefined) return 'offset';
  // Somebody types in another field than the person has seen it.
  const active = focusedElement(kernel);
  if (active && isTyping(active) && kernel.idOf(active) !== selected.active_element) return 'focus';
  if (selected.is_backward) selection.setBaseAndExtent(end, to, start, from);
  else selection.setBaseAndExtent(start, from, end, to);
  return '';
}

/** The offset in a node of the page: children that are not part of the tree do not count for the view. */
function placeIn(node: Node, offset: number): number | undefined {
  if (dom.isText(node)) return offset <= node.data.length ? offset : undefined;
  if (dom.isElement(node) && isOpaque(node)) return offset === 0 ? 0 : undefined;
  let left = offset;
  let place = 0;
  for (let child = dom.firstChild(node); child && left > 0; child = dom.nextSibling(child), place++)
    if (isContent(child)) left--;
  return left === 0 ? place : undefined;
}

function isTyping(element: Element | undefined): boolean {
  if (!element) return false;
  if (dom.isHtml(element, 'input')) return element.selectionStart !== null;
  return dom.isHtml(element, 'textarea') || (element as Partial<HTMLElement>).isContentEditable === true;
}
