import { freeMemory } from '../base/free-memory.ts';
import { LINK_LIMITS } from './limits.ts';

const PIECE_BYTES = LINK_LIMITS.pieceBytes;
/** Pieces that wait to be used again: 4 MiB. */
const MAX_FREE = 64;

const free: Uint8Array[] = [];
const lent = new WeakSet<Uint8Array>();

/**
 * Memory of a whole piece, 64 KiB, to be filled to its end. A link takes it back once it has written it (`LinkWriter`): bytes that are passed on from one
 * link to another need no new memory. Memory that is left to the garbage collector costs a collection of the whole heap every few MiB.
 */
export function takePiece(): Uint8Array {
  const piece = free.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(PIECE_BYTES).buffer);
  lent.add(piece);
  return piece;
}

/** Memory of a number of bytes, to be filled to its end. */
export const memoryFor = (bytes: number): Uint8Array => (bytes === PIECE_BYTES ? takePiece() : new Uint8Array(bytes));

/**
 * Marks bytes that are read once: whoever takes them over, such as a link whose body they are part of, uses or frees their memory as soon as it has
 * written them. They must have a buffer of their own, which nobody looks at afterwards.
 */
export function readOnce(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) lent.add(bytes);
  return bytes;
}

/** Whether these bytes are a whole piece, or read once: parts of one, and copies, are not. */
export const isLent = (bytes: Uint8Array): boolean => lent.has(bytes);

/** Takes such bytes back. Their owner must not look at them any more. Does nothing for others, and for those that are back already. */
export function giveBack(bytes: Uint8Array): void {
  if (!lent.delete(bytes)) return;
  // One whose memory was transferred to a thread has no bytes any more.
  if (bytes.length === PIECE_BYTES && free.length < MAX_FREE) free.push(bytes);
  else freeMemory(bytes);
}
