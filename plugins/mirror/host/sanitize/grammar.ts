import { AppError } from '../../../../core/protocol/errors.ts';
import { OPERATIONS } from './operations.ts';
import type { NumberKind } from '../../op-table.ts';
import { MAX_NODE_ID, NO_STRING } from '../../ops.ts';
import type { Batch, Op } from '../../ops.ts';
import { RELATIONS } from '../../relations.ts';

/** Limits of a batch. A page half writes batches of a quarter million units, and one op cannot be split. */
const MAX_STRINGS = 500_000;
const MAX_STRING_UNITS = 32 * 1024 * 1024;
const MAX_OPS = 200_000;
const MAX_OP_LENGTH = 8_000_000;
/** Deepest tree in one stream: far deeper than browsers lay out, since script may nest without limit. */
export const MAX_DEPTH = 65_536;
/** Maximum number of attributes of one element. */
export const MAX_ATTRIBUTES = 2048;

/** Ranges of numbers, by the kind of field. */
const RANGES: Readonly<Record<NumberKind, readonly [min: number, max: number]>> = {
  id: [1, MAX_NODE_ID],
  element: [1, MAX_NODE_ID],
  maybe: [0, MAX_NODE_ID],
  offset: [0, MAX_NODE_ID],
  flag: [0, 1],
  mode: [0, 2],
  kind: [0, 2],
  bits: [0, 3],
  source: [0, 3],
  size: [0, 65535],
  index: [0, 1_000_000],
  units: [0, MAX_STRING_UNITS],
  relation: [0, RELATIONS.length - 1],
  any: [-0x80000000, 0x7fffffff],
  stream: [-0x80000000, 0x7fffffff], // has its own reader
};

/** A field of an op: a number in a range, or a text, whose range is that of the batch's strings. */
interface Field {
  readonly isText: boolean;
  readonly min: number;
  readonly max: number;
}

interface Shape {
  /** In order; the first stands for the code. */
  readonly fields: readonly Field[];
  readonly least: number;
  readonly most: number;
  /** Whether the last field has its own reader. */
  readonly isStream: boolean;
}

/** The ops that page halves may send, by code. */
const SHAPES: readonly (Shape | undefined)[] = shapes();

function shapes(): (Shape | undefined)[] {
  const byCode: (Shape | undefined)[] = [];
  for (const [code, { kinds, isHosts }] of OPERATIONS) {
    if (isHosts) continue;
    const hasMany = kinds.at(-1)?.endsWith('*') ?? false;
    byCode[code] = {
      fields: ['any', ...kinds].map((kind) => fieldOf(kind.replace('*', ''))),
      least: kinds.length + (hasMany ? 0 : 1),
      most: hasMany ? MAX_OP_LENGTH : kinds.length + 1,
      isStream: kinds.at(-1) === 'stream*',
    };
  }
  return byCode;
}

function fieldOf(kind: string): Field {
  if (kind.startsWith('$')) return { isText: true, min: NO_STRING, max: NO_STRING };
  const [min, max] = RANGES[kind as NumberKind]; // all other kinds are numbers
  return { isText: false, min, max };
}

/** Returns the error for a refused batch. The reason names the place, never the content: the text is the page's. */
export function refused(why: string): AppError {
  return new AppError('mirror-refused', why);
}

/**
 * Checks the sizes of a batch with a valid structure.
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
 * Checks the fields of an op: their number and ranges, and that their strings exist.
 *
 * @throws AppError `mirror-refused`; also for ops that only the host sends.
 */
export function checkOp(op: Op, strings: number): void {
  const code = op[0] ?? 0;
  const shape = SHAPES[code];
  if (!shape) throw refused(`op ${code} is unknown`);
  const { fields, least, most, isStream } = shape;
  if (op.length < least || op.length > most) throw refused(`op ${code} has a wrong length`);
  const end = isStream ? least : op.length;
  const last = fields.length - 1;
  for (let at = 1; at < end; at++) {
    const { isText, min, max } = fields[at < last ? at : last] as Field; // every op has fields
    const value = op[at] as number; // below the op's length
    if (value < min || value > (isText ? strings - 1 : max)) throw refused(`op ${code} has field ${at} out of range`);
  }
}
