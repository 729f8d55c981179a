/** Size of the buffers that small pieces are gathered in, and of the largest that is small. */
const BUFFER_BYTES = 8192;
const SMALL_BYTES = 4096;

/** Bytes that wait to be read: copies, so that no larger buffer is kept for a small piece, and many small pieces in few buffers. */
export class ByteQueue {
  readonly #buffers: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes used of the last buffer. */
  #used = 0;
  #length = 0;

  /** Bytes that wait. */
  get length(): number {
    return this.#length;
  }

  push(bytes: Uint8Array): void {
    const last = this.#buffers.at(-1);
    this.#length += bytes.length;
    if (last && this.#used + bytes.length <= last.length) {
      last.set(bytes, this.#used);
      this.#used += bytes.length;
      return;
    }
    if (last) this.#buffers[this.#buffers.length - 1] = last.subarray(0, this.#used);
    // A reader that keeps up gets what came, in a buffer of its size.
    const buffer = new Uint8Array(last && bytes.length < SMALL_BYTES ? BUFFER_BYTES : bytes.length);
    buffer.set(bytes);
    this.#buffers.push(buffer);
    this.#used = bytes.length;
  }

  /** The first bytes that wait, as many as are together; undefined when there are none. */
  shift(): Uint8Array<ArrayBuffer> | undefined {
    const isLast = this.#buffers.length === 1;
    const first = this.#buffers.shift();
    if (!first) return undefined;
    const bytes = isLast ? first.subarray(0, this.#used) : first;
    this.#length -= bytes.length;
    return bytes;
  }

  /** Drops all that waits, and answers with how many bytes that was. */
  clear(): number {
    const dropped = this.#length;
    this.#buffers.length = 0;
    this.#length = this.#used = 0;
    return dropped;
  }
}
