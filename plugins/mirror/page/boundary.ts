import { dom, isContent, isOpaque } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';

/** A boundary point of a range. The offset counts UTF-16 units in a text node, and children that are part of the tree elsewhere. */
export type Boundary = readonly [id: number, offset: number];

/** Stands for a boundary point that cannot be expressed. */
export const NOWHERE: Boundary = [0, 0];

/** Returns a boundary point among the sent nodes: the closest one around the given point. */
export function boundary(kernel: Kernel, container: Node, offset: number): Boundary {
  const id = kernel.idOf(container);
  if (id === 0) {
    const parent = dom.parentNode(container);
    return parent ? boundary(kernel, parent, indexOf(container)) : NOWHERE;
  }
  if (dom.isText(container)) return [id, offset];
  return [id, dom.isElement(container) && isOpaque(container) ? 0 : countContent(container, offset)];
}

function indexOf(node: Node): number {
  const parent = dom.parentNode(node);
  let index = 0;
  for (let sibling = parent && dom.firstChild(parent); sibling && sibling !== node; sibling = dom.nextSibling(sibling))
    index++;
  return index;
}

/** Returns the number of the first `offset` children that are part of the tree. */
function countContent(parent: Node, offset: number): number {
  let count = 0;
  let left = offset;
  for (let child = dom.firstChild(parent); child && left > 0; child = dom.nextSibling(child), left--)
    if (isContent(child)) count++;
  return count;
}
