import { badBinary } from './fault.ts';

const encoder = new TextEncoder();

/** Bytes that grow as they are written, up to a bound. */
export class BinaryWriter {
  readonly #maxBytes: number;
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Writes a whole number from 0 to 2^53 - 1 in the fewest bytes, seven bits in each, low ones first. */
  uint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#byte((rest % 0x80) | 0x80);
    this.#byte(rest);
  }

  float32(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#at, value, true);
    this.#at += 4;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Writes UTF-8, preceded by its length in bytes; returns that length. */
  text(value: string): number {
    const bytes = encoder.encode(value);
    this.uint(bytes.length);
    this.bytes(bytes);
    return bytes.length;
  }

  /** Writes a part, preceded by its length in bytes, so that a reader can skip it. */
  sized(write: () => void): void {
    const start = this.#at;
    write();
    const length = this.#at - start;
    const end = this.#at;
    this.uint(length); // behind the part it belongs before: its own size is known only now
    const head = this.#bytes.slice(end, this.#at);
    this.#bytes.copyWithin(start + head.length, start, end);
    this.#bytes.set(head, start);
  }

  /** Returns a copy of the written bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed > this.#maxBytes) throw badBinary(`more than ${this.#maxBytes} bytes`);
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
