import { pipeline, Readable } from 'node:stream';
import type { Transform } from 'node:stream';

/** Passes a stream through a decompressor; leaving it early ends both. */
export function through(source: AsyncIterable<Uint8Array>, decompressor: Transform): AsyncIterable<Uint8Array> {
  // Readers of the decompressor see its fault.
  pipeline(Readable.from(source, { objectMode: false }), decompressor, () => undefined);
  return decompressor;
}
