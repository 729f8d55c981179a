import { badBinary } from './fault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads what a {@link BinaryWriter} has written. Every method throws AppError `bad-binary` rather than read past the end. */
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

  /** Bytes that are left. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** A whole number from 0 to `max`, which is 2^53 - 1 at most; only its shortest form is taken. */
  uint(max: number): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#view.getUint8(this.#take(1));
      value += (byte & 0x7f) * scale;
      if (value > max) throw badBinary(`a number of more than ${max}`);
      if (byte >= 0x80 && scale * 0x80 <= max) continue;
      if (byte >= 0x80) throw badBinary(`a number of more bytes than ${max} has`);
      if (byte === 0 && scale > 1) throw badBinary('a number that is longer than it need be');
      return value;
    }
  }

  float32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A copy, so that what is kept of a message does not hold all of it. */
  bytes(count: number): Uint8Array<ArrayBuffer> {
    const start = this.#take(count);
    return new Uint8Array(this.#bytes.subarray(start, start + count));
  }

  /** Text of at most `maxBytes` in UTF-8. */
  text(maxBytes: number): string {
    const bytes = this.bytes(this.uint(maxBytes));
    try {
      return decoder.decode(bytes);
    } catch {
      throw badBinary('text that is no UTF-8');
    }
  }

  /** What `read` reads of a part that has its length before it: all of that part, and nothing beyond it. */
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

  /** @throws AppError `bad-binary` when something is left. */
  finish(): void {
    if (this.left > 0) throw badBinary(`${this.left} bytes too many`);
  }

  #take(count: number): number {
    if (count > this.left) throw badBinary('past the end');
    const start = this.#at;
    this.#at += count;
    return start;
  }
}
