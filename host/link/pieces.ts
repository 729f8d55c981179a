import { freeMemory } from '../base/free-memory.ts';
import { LINK_LIMITS } from './limits.ts';

const PIECE_BYTES = LINK_LIMITS.pieceBytes;
/** Pieces that wait to be used again: 4 MiB. */
const MAX_FREE = 64;

const free: Uint8Array[] = [];
/** Buffers of which one reader has all: two views of one are the same memory. */
const lent = new WeakSet<ArrayBufferLike>();

/**
 * Memory of a whole piece, 64 KiB, to be filled to its end. A link takes it back once it has written it (`LinkWriter`): bytes that are passed on from one
 * link to another need no new memory. Memory that is left to the garbage collector costs a collection of the whole heap every few MiB.
 */
export function takePiece(): Uint8Array {
  let piece = free.pop();
  while (piece && piece.length !== PIECE_BYTES) piece = free.pop(); // somebody has freed it
  piece ??= new Uint8Array(PIECE_BYTES);
  lent.add(piece.buffer);
  return piece;
}

/** Memory of a number of bytes, to be filled to its end. */
export const memoryFor = (bytes: number): Uint8Array => (bytes === PIECE_BYTES ? takePiece() : new Uint8Array(bytes));

/**
 * Marks bytes that are read once: whoever takes them over, such as a link whose body they are part of, uses or frees their memory as soon as it has
 * written them. They must have a buffer of their own, which nobody looks at afterwards.
 */
export function readOnce(bytes: Uint8Array): Uint8Array {
  if (isWhole(bytes)) lent.add(bytes.buffer);
  return bytes;
}

/** Whether these bytes are a whole piece, or read once: parts of one, and copies, are not. */
export const isLent = (bytes: Uint8Array): boolean => isWhole(bytes) && lent.has(bytes.buffer);

/** Takes such bytes back. Their owner must not look at them any more. Does nothing for others, and for those that are back already. */
export function giveBack(bytes: Uint8Array): void {
  if (!isWhole(bytes) || !lent.delete(bytes.buffer)) return;
  // One whose memory was transferred to a thread has no bytes any more.
  if (bytes.length === PIECE_BYTES && free.length < MAX_FREE) free.push(new Uint8Array(bytes.buffer));
  else freeMemory(bytes);
}

const isWhole = ({ byteLength, buffer }: Uint8Array): boolean => byteLength === buffer.byteLength;
