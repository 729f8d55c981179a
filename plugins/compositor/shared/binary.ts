import { BinaryReader } from './binary-reader.ts';
import { BinaryWriter } from './binary-writer.ts';
import { inPlace } from './codec.ts';
import type { Codec } from './codec.ts';
import { badBinary } from './fault.ts';

/**
 * First byte of everything in this format. It changes with every change of the format: a reader skips unknown kinds of mutations and
 * drawing operations, and refuses everything else that it does not know.
 */
export const BINARY_VERSION = 1;

/** A binary format of one kind of body. */
export interface BinaryForm<T> {
  /** @throws AppError `bad-binary`, which names the field, when {@link decode} would refuse it. */
  readonly encode: (value: T) => Uint8Array<ArrayBuffer>;
  /** Reads untrusted bytes; the result shares none of them. @throws AppError `bad-binary`, which names the field. */
  readonly decode: (bytes: Uint8Array) => T;
  /** Maximum number of encoded bytes. */
  readonly maxBytes: number;
}

/** Declares a form; its name prefixes the messages of faults. */
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
        if (version !== BINARY_VERSION) throw badBinary(`version ${version}, expected ${BINARY_VERSION}`);
        const value = codec.read(reader);
        reader.finish();
        return value;
      }),
  };
}
