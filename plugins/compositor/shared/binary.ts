import { BinaryReader } from './binary-reader.ts';
import { BinaryWriter } from './binary-writer.ts';
import { inPlace } from './codec.ts';
import type { Codec } from './codec.ts';
import { badBinary } from './fault.ts';

/**
 * First byte of everything that travels in this format. It rises with every change of it: but for kinds of mutations and drawing
 * operations that are not known, a reader takes nothing that it does not know.
 */
export const BINARY_VERSION = 1;

/** A kind of thing that travels in binary by itself. */
export interface BinaryForm<T> {
  /** @throws AppError `bad-binary`, which names the field, when {@link decode} would not take it. */
  readonly encode: (value: T) => Uint8Array<ArrayBuffer>;
  /** Reads untrusted bytes; what it answers with shares none of them. @throws AppError `bad-binary`, which names the field. */
  readonly decode: (bytes: Uint8Array) => T;
  /** Largest number of bytes of one. */
  readonly maxBytes: number;
}

/** Declares one; its name is where faults say that they lie. */
export function binaryForm<T>(name: string, codec: Codec<T>, maxBytes: number): BinaryForm<T> {
  return {
    maxBytes,
    encode: (value) =>
      inPlace(name, () => {
        const writer = new BinaryWriter(maxBytes);
        writer.uint(BINARY_VERSION);
        codec.write(writer, value);
        return writer.finish();
      }),
    decode: (bytes) =>
      inPlace(name, () => {
        if (bytes.length > maxBytes) throw badBinary(`more than ${maxBytes} bytes`);
        const reader = new BinaryReader(bytes);
        const version = reader.uint(0x7f);
        if (version !== BINARY_VERSION) throw badBinary(`of version ${version}, not ${BINARY_VERSION}`);
        const value = codec.read(reader);
        reader.finish();
        return value;
      }),
  };
}
