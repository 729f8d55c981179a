import { OP, RECORD } from './ops.ts';
import type { Op } from './ops.ts';

/** Stands for the string after the last one that the streams of the batch have named. */
const NEXT = -2;
/** First record of an insert op. */
const STREAM_START = 4;

/**
 * Packs ops for the wire: the first use of a string in a stream is written as NEXT, as long as strings are used in order. Repeated
 * content of the page then repeats number by number in its stream, which compresses well.
 */
export function packOps(ops: readonly Op[]): readonly Op[] {
  let next = 0;
  return mapStreams(ops, (index) => {
    const isNext = index === next;
    next = Math.max(next, index + 1);
    return isNext ? NEXT : index;
  });
}

/** Reverses {@link packOps}. */
export function unpackOps(ops: readonly Op[]): readonly Op[] {
  let next = 0;
  return mapStreams(ops, (packed) => {
    const index = packed === NEXT ? next : packed;
    next = Math.max(next, index + 1);
    return index;
  });
}

/** Returns the ops with the string indexes of their streams mapped; a stream that breaks the grammar is mapped up to its fault. */
function mapStreams(ops: readonly Op[], map: (string: number) => number): readonly Op[] {
  return ops.map((op) => (op[0] === OP.insert ? mapStream([...op], map) : op));
}

function mapStream(op: number[], map: (string: number) => number): Op {
  const string = (at: number): void => {
    const index = op[at];
    if (index !== undefined) op[at] = map(index);
  };
  for (let at = STREAM_START; at < op.length;) {
    if (op[at] === RECORD.text) {
      string(at + 1);
      at += 2;
    } else if (op[at] === RECORD.shadow) at += 3;
    else {
      const attributes = op[at + 4] ?? -1;
      if (op[at] !== RECORD.element || attributes < 0) break;
      string(at + 2);
      const end = Math.min(at + 5 + 2 * attributes, op.length);
      for (at += 5; at < end; at++) string(at);
      at++;
    }
  }
  return op;
}
