import { AppError } from '../errors.ts';

/**
 * Bytes that the sender of a body may send before the receiver has said anything: what is small arrives without a round trip. From then
 * on the receiver says how much it takes.
 */
export const INITIAL_CREDIT = 64 * 1024;

/** First byte of a piece: no JSON text begins with it, so that both may come in entries of one kind. */
const PIECE_MARK = 0;
/** Bytes before those of the body: mark u8, flags u8, number of the body u32, little endian. */
const PIECE_HEADER_BYTES = 6;
/** Largest piece, in bytes of the body: with all headers it fits in one entry of a frame, uncut. */
export const PIECE_BYTES = 64 * 1024 - 32;
/** Flag of the last piece of a body. */
const LAST = 1;

/** A part of a body on its way. */
export interface Piece {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** A piece in binary. */
export function encodePiece({ id, bytes, isLast }: Piece): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(PIECE_HEADER_BYTES + bytes.length);
  const view = new DataView(piece.buffer);
  view.setUint8(0, PIECE_MARK);
  view.setUint8(1, isLast ? LAST : 0);
  view.setUint32(2, id, true);
  piece.set(bytes, PIECE_HEADER_BYTES);
  return piece;
}

/** Reads a piece; its bytes are a view of those given. @throws AppError `bad-frame`. */
export function decodePiece(piece: Uint8Array): Piece {
  const size = piece.length - PIECE_HEADER_BYTES;
  const [mark, flags = 0] = piece;
  if (size < 0 || size > PIECE_BYTES || mark !== PIECE_MARK || flags > LAST)
    throw new AppError('bad-frame', 'not a piece of a body');
  const id = new DataView(piece.buffer, piece.byteOffset).getUint32(2, true);
  if (id === 0) throw new AppError('bad-frame', 'a piece of no body');
  return { id, bytes: piece.subarray(PIECE_HEADER_BYTES), isLast: flags === LAST };
}
