/** A file of the store as the judge reads it: by place and as a stream, never whole. */
export interface FileBytes {
  /** Length in bytes. */
  readonly size: number;
  /** Bytes from `offset`, fewer than `length` only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Bytes from `from` (default 0) up to and without `to` (default the end). */
  stream(from?: number, to?: number): AsyncIterable<Uint8Array>;
}

/** Length of the chunks of a file that is in memory, in bytes. */
const CHUNK_BYTES = 65_536;

/** A file of bytes in memory, given as one piece or as several. */
export function memoryFile(bytes: Uint8Array): FileBytes {
  return {
    size: bytes.length,
    async read(offset, length) {
      return bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length));
    },
    async *stream(from = 0, to = bytes.length) {
      const end = Math.min(to, bytes.length);
      for (let at = from; at < end; at += CHUNK_BYTES) yield bytes.subarray(at, Math.min(at + CHUNK_BYTES, end));
    },
  };
}

/** The first bytes of a stream, and the stream from its beginning. */
interface Peeked {
  readonly head: Uint8Array;
  /** Whether the head is all there is. */
  readonly whole: boolean;
  /** The whole stream, head included; read once. */
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Reads up to `length` bytes of a stream ahead. Whoever leaves the returned stream early ends the given one. */
export async function peek(source: AsyncIterable<Uint8Array>, length: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let have = 0;
  let ended = false;
  while (have < length && !ended) {
    const next = await iterator.next();
    if (next.done) ended = true;
    else {
      chunks.push(next.value);
      have += next.value.length;
    }
  }
  async function* stream(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
      while (!ended) {
        const next = await iterator.next();
        if (next.done) ended = true;
        else yield next.value;
      }
    } finally {
      if (!ended) await iterator.return?.();
    }
  }
  return { head: Buffer.concat(chunks).subarray(0, length), whole: ended && have <= length, stream: stream() };
}

/** The pieces of a stream, none longer than `length`, and its last byte as a piece of its own; empty ones are left out. */
export async function* withLastByte(
  source: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += length) {
      if (held.length > 0) yield { bytes: held, isLast: false };
      held = chunk.subarray(at, at + length);
    }
  }
  if (held.length > 1) yield { bytes: held.subarray(0, -1), isLast: false };
  if (held.length > 0) yield { bytes: held.subarray(-1), isLast: true };
}
