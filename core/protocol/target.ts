import * as v from 'valibot';
import { id, integer, px } from './atoms.ts';

/**
 * The destination of input: never a position in the mirrored DOM, always a frame of the page and, if known, a node in it with the offset
 * within that node's border box. Two layouts that differ by some pixels then still agree on the hit element.
 */
export interface Target {
  /** Frame id; 1 is the main frame of the tab. */
  readonly frame: number;
  /** The epoch of the frame in which `node` is valid. */
  readonly epoch?: number;
  /** Node id (S-045); absent: only `x` and `y` count. */
  readonly node?: number;
  /** Offset from the node's border box, in CSS px, and the box's size as the person sees it. */
  readonly offset?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Position in the frame's viewport, in CSS px, as the person sees it. */
  readonly x: number;
  readonly y: number;
}

/** Schema of {@link Target}. */
export const targetSchema = v.object({
  frame: id,
  epoch: v.exactOptional(integer),
  node: v.exactOptional(id),
  offset: v.exactOptional(v.object({ x: px, y: px, width: px, height: px })),
  x: px,
  y: px,
});
