import { checked, choice, float32, float64, int, list, MAX_ID, uint } from './codec.ts';
import type { Codec, ValueOf } from './codec.ts';
import { badBinary } from './fault.ts';
import { record } from './record.ts';

/** Maximum number of rectangles in one region. */
export const MAX_REGION_RECTS = 4096;

/** A point, or an offset, in px. */
export const point = record({ x: float32, y: float32 });
export type Point = ValueOf<typeof point>;

/** A size in whole px. */
export const size = record({ width: uint(MAX_ID), height: uint(MAX_ID) });
export type Size = ValueOf<typeof size>;

const extent = checked(float32, 'a length', (value) => value >= 0);
/** A rectangle in px. */
export const rect = record({ x: float32, y: float32, width: extent, height: extent });
export type Rect = ValueOf<typeof rect>;

/** A rectangle of whole px. */
export const pixelRect = record({ x: int, y: int, width: uint(MAX_ID), height: uint(MAX_ID) });
export type PixelRect = ValueOf<typeof pixelRect>;

/** An area in whole px, as rectangles that cover it. */
export const region = list(pixelRect, MAX_REGION_RECTS);

/** A colour as 0xRRGGBBAA, not premultiplied. */
export const color = uint(0xffffffff);

/** A 4 by 4 matrix in column order, as in `DOMMatrix` and the surrogate. */
export type Matrix = readonly number[];

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const MATRIX_KINDS = ['identity', 'translation', 'affine', 'whole'] as const;
/** Indexes of a matrix that are encoded; the others are those of the identity. */
const PLACES = {
  identity: [],
  translation: [12, 13],
  affine: [0, 1, 4, 5, 12, 13],
  whole: IDENTITY.map((_, place) => place),
} as const satisfies Record<(typeof MATRIX_KINDS)[number], readonly number[]>;
const matrixKind = choice(MATRIX_KINDS);

/** Returns the kind with the fewest numbers that describes a matrix. */
function kindOf(value: Matrix): (typeof MATRIX_KINDS)[number] {
  const changed = IDENTITY.flatMap((number, place) => (Object.is(value[place], number) ? [] : [place]));
  const describes = (places: readonly number[]): boolean => changed.every((place) => places.includes(place));
  return MATRIX_KINDS.find((kind) => describes(PLACES[kind])) ?? 'whole';
}

/**
 * A matrix, encoded by the fewest of its numbers: most are identities or translations by x and y. In double precision, since nested
 * ones are multiplied.
 */
export const matrix: Codec<Matrix> = {
  write(writer, value) {
    if (value.length !== IDENTITY.length) throw badBinary('not a matrix of 16 numbers');
    const kind = kindOf(value);
    matrixKind.write(writer, kind);
    for (const place of PLACES[kind]) float64.write(writer, value[place] as number); // an index below 16
  },
  read(reader) {
    const kind = matrixKind.read(reader);
    const value = [...IDENTITY];
    for (const place of PLACES[kind]) value[place] = float64.read(reader);
    if (kindOf(value) !== kind) throw badBinary('a matrix that is not in its shortest form');
    return value;
  },
};
