import { pieceAt, piecesOf } from '../frames.ts';
import type { Entry } from '../frames.ts';

/** All entries into which a message is split. */
export function splitEntry(entry: Entry, id: number): Entry[] {
  return Array.from({ length: piecesOf(entry) }, (_, index) => pieceAt(entry, id, index));
}
