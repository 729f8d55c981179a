import { finished } from 'node:stream';
import type { Readable } from 'node:stream';
import { readOnce } from './pieces.ts';

/** Bytes that wait to be taken before the stream is paused. */
const WAITING_BYTES = 64 * 1024;

/**
 * The chunks of a stream as they come, for a body: none are joined, as the stream's own iterator does, and each is read once. Throws the error of the
 * stream, which is destroyed where the loop is left early.
 */
export async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array, undefined> {
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let end: { readonly error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;
  stream.on('data', (chunk: Uint8Array) => {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= WAITING_BYTES) stream.pause();
    wake?.();
  });
  finished(stream, { writable: false }, (error) => {
    end = { error: error ?? undefined };
    wake?.();
  });
  try {
    for (;;) {
      for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
        bytes -= chunk.length;
        yield readOnce(chunk);
      }
      if (end?.error) throw end.error;
      if (end) return undefined;
      const more = new Promise<void>((resolve) => (wake = resolve));
      stream.resume();
      await more;
    }
  } finally {
    if (!end) stream.destroy();
  }
}
