import { AppError } from '../../../../core/protocol/errors.ts';
import { MAX_NODE_ID, NO_STRING, OP } from '../../ops.ts';
import type { Batch, Op } from '../../ops.ts';
import { RELATIONS } from '../../relations.ts';

/** Bounds of a batch. A page half writes batches of a quarter million units, and one op cannot be split. */
const MAX_STRINGS = 500_000;
const MAX_STRING_UNITS = 32 * 1024 * 1024;
const MAX_OPS = 200_000;
const MAX_OP_LENGTH = 8_000_000;
/** Deepest tree in one stream: far past what browsers lay out, since script nests as deep as it likes. */
export const MAX_DEPTH = 65_536;
/** Most attributes of one element. */
export const MAX_ATTRIBUTES = 2048;

/** A number in a range, a node id, or a string index. */
type Field = readonly [min: number, max: number] | 'string';

const ID: Field = [1, MAX_NODE_ID];
/** A node, or 0 for none. */
const MAYBE: Field = [0, MAX_NODE_ID];
const FLAG: Field = [0, 1];
const ANY: Field = [-0x80000000, 0x7fffffff];
const TEXT: Field = 'string';

/** The fields of each op after its code; `rest` is what any further ones are. `insert` has its own reader. */
const SHAPES: Readonly<Record<number, { readonly fields: readonly Field[]; readonly rest?: Field }>> = {
  [OP.doc]: { fields: [[0, 2], [0, 2], TEXT, TEXT], rest: FLAG },
  [OP.insert]: { fields: [ID, MAYBE, ID], rest: ANY },
  [OP.remove]: { fields: [], rest: ID },
  [OP.move]: { fields: [ID, ID, MAYBE] },
  [OP.attribute]: { fields: [ID, TEXT, TEXT] },
  [OP.text]: { fields: [ID, TEXT] },
  [OP.sheet]: { fields: [ID, [0, 3], TEXT, TEXT, FLAG] },
  [OP.define]: { fields: [ID, TEXT, TEXT, FLAG] },
  [OP.adopt]: { fields: [ID], rest: ID },
  [OP.value]: { fields: [ID, TEXT] },
  [OP.splice]: { fields: [ID, [0, MAX_STRING_UNITS], [0, MAX_STRING_UNITS], [0, MAX_STRING_UNITS], TEXT] },
  [OP.checked]: { fields: [ID, [0, 3]] },
  [OP.selected]: { fields: [ID], rest: [0, 1_000_000] },
  [OP.scroll]: { fields: [ID, ANY, ANY] },
  [OP.focus]: { fields: [MAYBE, FLAG] },
  [OP.top]: { fields: [ID, [0, 3]] },
  [OP.states]: { fields: [ID], rest: TEXT },
  [OP.defined]: { fields: [ID, [0, 3]] },
  [OP.picture]: { fields: [ID, TEXT] },
  [OP.canvas]: { fields: [ID, [0, 65535], [0, 65535]] },
  [OP.selection]: { fields: [MAYBE, [0, MAX_NODE_ID], MAYBE, [0, MAX_NODE_ID]] },
  [OP.caret]: { fields: [ID, [0, MAX_NODE_ID], [0, MAX_NODE_ID]] },
  [OP.validity]: { fields: [ID, TEXT] },
  [OP.base]: { fields: [TEXT] },
  [OP.animate]: { fields: [ID, TEXT] },
  [OP.append]: { fields: [ID, TEXT] },
  [OP.assign]: { fields: [ID], rest: ID },
  [OP.highlight]: { fields: [TEXT, ANY, [0, 2]], rest: [0, MAX_NODE_ID] },
  [OP.target]: { fields: [MAYBE] },
  [OP.refer]: { fields: [ID, [0, RELATIONS.length - 1]], rest: ID },
  [OP.transition]: { fields: [[0, 2]], rest: TEXT },
};

/** Why a batch was refused. It says where, never what: the text is the page's. */
export function refused(why: string): AppError {
  return new AppError('mirror-refused', why);
}

/**
 * Checks sizes of a batch whose structure is right already.
 *
 * @throws AppError `mirror-refused`.
 */
export function checkBatch(batch: Batch): void {
  if (batch.strings.length > MAX_STRINGS) throw refused('too many strings');
  if (batch.ops.length > MAX_OPS) throw refused('too many ops');
  let units = 0;
  for (const text of batch.strings) units += text.length;
  if (units > MAX_STRING_UNITS) throw refused('strings too long');
}

/**
 * Checks the fields of an op: how many, in which range, strings that exist.
 *
 * @throws AppError `mirror-refused`; ops that only the host sends are refused too.
 */
export function checkOp(op: Op, strings: number): void {
  const code = op[0] ?? 0;
  const shape = Object.hasOwn(SHAPES, code) ? SHAPES[code] : undefined;
  if (!shape) throw refused(`op ${code} is unknown`);
  const { fields, rest } = shape;
  if (op.length > MAX_OP_LENGTH || op.length < fields.length + 1 || (!rest && op.length > fields.length + 1)) {
    throw refused(`op ${code} has a wrong length`);
  }
  const end = code === OP.insert ? fields.length + 1 : op.length;
  for (let at = 1; at < end; at++) {
    const field = fields[at - 1] ?? rest ?? ANY;
    const value = op[at] as number; // below the op's length
    const [min, max] = field === 'string' ? [NO_STRING, strings - 1] : field;
    if (value < min || value > max) throw refused(`op ${code} has field ${at} out of range`);
  }
}
