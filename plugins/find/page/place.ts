import { dom, NODE } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import type { Place } from './chunk.ts';
import type { Match } from './matches.ts';
import type { Rect } from '../protocol.ts';

/** The ends of a match in the page. Of one in the value of a control, both are in the control. */
export interface Ends {
  readonly start: Place;
  readonly end: Place;
}

/** Where a match is in the page now; undefined when that has changed under it. */
export function endsOf({ chunk, start, end }: Match): Ends | undefined {
  const first = chunk.placeAt(start);
  const last = chunk.placeAt(end - 1);
  if (!first || !last || dom.isElement(first.source) !== dom.isElement(last.source)) return undefined;
  return { start: first, end: { source: last.source, offset: last.offset + 1 } };
}

/** The range of a match in text; undefined in a control, or where the text has changed. */
export function rangeOf({ start, end }: Ends): Range | undefined {
  if (!dom.isText(start.source) || !dom.isText(end.source)) return undefined;
  const range = new Range();
  try {
    range.setStart(start.source, start.offset);
    range.setEnd(end.source, end.offset);
  } catch {
    return undefined; // shorter than it was
  }
  return range;
}

/** The box of a match; undefined where it has none. */
export function rectOf(ends: Ends): Rect | undefined {
  const { source } = ends.start;
  const rect = dom.isElement(source) ? dom.box(source) : firstRect(rangeOf(ends));
  return rect && (rect.width > 0 || rect.height > 0) ? rect : undefined;
}

function firstRect(range: Range | undefined): DOMRect | undefined {
  if (!range) return undefined;
  return [...range.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
}

/** A match as the mirror knows it: the ids of its nodes and the offsets in them; undefined while they have not been sent. */
export function sentEnds(kernel: Kernel, { start, end }: Ends): [number, number, number, number] | undefined {
  const from = kernel.idOf(start.source);
  const to = kernel.idOf(end.source);
  return from === 0 || to === 0 ? undefined : [from, start.offset, to, end.offset];
}

/** The parent in the flat tree, roughly: the element that a node is shown in. */
export function shownIn(node: Node): Element | null {
  const slot = assignedSlot.call(node as Text) as Element | null; // only texts and elements are shown
  if (slot) return slot;
  const parent = dom.parentNode(node);
  if (!parent) return null;
  if (dom.nodeType(parent) === NODE.fragment) return (parent as ShadowRoot).host;
  return dom.isElement(parent) ? parent : null;
}

/** The slot of a node, in shadow roots of any mode: only the open ones tell of theirs, those above a closed one are its host's. */
const slotOf = Object.getOwnPropertyDescriptor(Element.prototype, 'assignedSlot')?.get;
const textSlotOf = Object.getOwnPropertyDescriptor(Text.prototype, 'assignedSlot')?.get;
const assignedSlot = function (this: Node): unknown {
  return (dom.isElement(this) ? slotOf : textSlotOf)?.call(this) ?? null;
};
