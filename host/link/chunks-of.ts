import { finished } from 'node:stream';
import type { Readable } from 'node:stream';
import { readOnce } from './pieces.ts';

/** Bytes that wait to be taken before the stream is paused, and of chunks that are joined, at most. */
const WAITING_BYTES = 64 * 1024;
/** Shorter chunks are joined: a sender of many would have one frame of a link for each. Parsers keep some of them, too. */
const LARGE_BYTES = 4096;

/** Chunks that wait. */
class Waiting {
  bytes = 0;
  #chunks: Uint8Array[] = [];
  /** Bytes at the end of the chunks that further short ones are joined to. */
  #joined: Uint8Array | undefined;
  #filled = 0;

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (chunk.length >= LARGE_BYTES) {
      this.#close();
      this.#chunks.push(readOnce(chunk));
      return;
    }
    if (this.#filled + chunk.length > WAITING_BYTES) this.#close();
    this.#joined ??= new Uint8Array(WAITING_BYTES);
    this.#joined.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  take(): readonly Uint8Array[] {
    this.#close();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.bytes = 0;
    return chunks;
  }

  #close(): void {
    if (this.#joined && this.#filled > 0) this.#chunks.push(readOnce(this.#joined.slice(0, this.#filled)));
    this.#filled = 0;
  }
}

/**
 * The bytes of a stream, for a body of a link: long chunks as they come, each of which is read once, short ones joined. The source of the stream must
 * not keep chunks that have a buffer of their own. Throws the error of the stream, which is destroyed where the loop is left early.
 */
export async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array, undefined> {
  const waiting = new Waiting();
  let end: { readonly error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;
  stream.on('data', (chunk: Uint8Array) => {
    waiting.add(chunk);
    if (waiting.bytes >= WAITING_BYTES) stream.pause();
    wake?.();
  });
  finished(stream, { writable: false }, (error) => {
    end = { error: error ?? undefined };
    wake?.();
  });
  try {
    for (;;) {
      while (waiting.bytes > 0) yield* waiting.take();
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
