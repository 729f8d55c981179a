/** Left, top, width and height in CSS px. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** A canvas that the page's process is not allowed to read. */
export interface TaintedCanvas {
  readonly epoch: number;
  readonly id: number;
  /** Size of its bitmap. */
  readonly width: number;
  readonly height: number;
  /** Content box, and the visible part of the border box, in the frame's viewport. */
  readonly box: Box;
  readonly seen: Box;
}

/** Largest size and offset of a canvas. */
const MAX = 1e6;

/** Packs a canvas for the wire: the schema of the message is part of the client bundle, so it stays small. */
export function packTainted({ epoch, id, width, height, box, seen }: TaintedCanvas): number[] {
  return [epoch, id, width, height, ...box, ...seen];
}

/** Unpacks a canvas from the wire; undefined when it is invalid. */
export function unpackTainted(fields: readonly number[]): TaintedCanvas | undefined {
  const [epoch = 0, id = 0, width = 0, height = 0, ...boxes] = fields;
  const isCanvas = [epoch, id, width, height].every((field) => Number.isSafeInteger(field) && field >= 0);
  if (!isCanvas || fields.length !== 12 || !fields.slice(2).every((field) => Math.abs(field) <= MAX)) return undefined;
  const [x0 = 0, y0 = 0, w0 = 0, h0 = 0, x1 = 0, y1 = 0, w1 = 0, h1 = 0] = boxes;
  return { epoch, id, width, height, box: [x0, y0, w0, h0], seen: [x1, y1, w1, h1] };
}
