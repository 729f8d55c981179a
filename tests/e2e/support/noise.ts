import { createHash } from 'node:crypto';

/** Bytes of which no part is like another. */
export function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 32) createHash('sha256').update(`${at}`).digest().copy(bytes, at);
  return bytes;
}
