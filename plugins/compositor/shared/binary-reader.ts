import { badBinary } from './fault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the output of a {@link BinaryWriter}. Every method throws AppError `bad-binary` instead of reading past the end. */
export class BinaryReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  /** Number of bytes left. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** Reads a whole number from 0 to `max`, which is 2^53 - 1 at most; only its shortest form is accepted. */
  uint(max: number): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#view.getUint8(this.#take(1));
      value += (byte & 0x7f) * scale;
      if (value > max) throw badBinary(`a number greater than ${max}`);
      if (byte >= 0x80 && scale * 0x80 <= max) continue;
      if (byte >= 0x80) throw badBinary(`a number with more bytes than ${max}`);
      if (byte === 0 && scale > 1) throw badBinary('a number that is not in its shortest form');
      return value;
    }
  }

  float32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Returns a copy, so that keeping a part of a message does not keep all of it. */
  bytes(count: number): Uint8Array<ArrayBuffer> {
    const start = this.#take(count);
    return new Uint8Array(this.#bytes.subarray(start, start + count));
  }

  /** Reads text of at most `maxBytes` in UTF-8. */
  text(maxBytes: number): string {
    const bytes = this.bytes(this.uint(maxBytes));
    try {
      return decoder.decode(bytes);
    } catch {
      throw badBinary('text that is not valid UTF-8');
    }
  }

  /** Reads a part that is preceded by its length; `read` must use all of it, and nothing beyond it. */
  sized<T>(read: () => T): T {
    const outer = this.#end;
    const length = this.uint(this.left);
    if (length > this.left) throw badBinary('past the end');
    this.#end = this.#at + length;
    const value = read();
    this.finish();
    this.#end = outer;
    return value;
  }

  /** @throws AppError `bad-binary` when bytes are left. */
  finish(): void {
    if (this.left > 0) throw badBinary(`${this.left} trailing bytes`);
  }

  #take(count: number): number {
    if (count > this.left) throw badBinary('past the end');
    const start = this.#at;
    this.#at += count;
    return start;
  }
}
