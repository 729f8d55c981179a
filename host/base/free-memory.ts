/**
 * Frees the memory of bytes that nobody will look at any more, at once: left to the garbage collector it costs a collection of the whole heap every few
 * MiB. Does nothing for bytes that share their buffer with others.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && byteLength === buffer.byteLength) buffer.transfer(0);
}
