import { dom, isContent, isOpaque } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';

/** A boundary point of a range: in a text node UTF-16 units, elsewhere children that are part of the tree. */
export type Boundary = readonly [id: number, offset: number];

/** Stands for a boundary point that cannot be said. */
export const NOWHERE: Boundary = [0, 0];

/** A boundary point among the nodes that have been sent: the closest one around it. */
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

/** How many of the first `offset` children are part of the tree. */
function countContent(parent: Node, offset: number): number {
  let count = 0;
  let left = offset;
  for (let child = dom.firstChild(parent); child && left > 0; child = dom.nextSibling(child), left--)
    if (isContent(child)) count++;
  return count;
}
