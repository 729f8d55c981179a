import type { BinaryReader } from './binary-reader.ts';
import type { BinaryWriter } from './binary-writer.ts';
import { badBinary, within } from './fault.ts';

/**
 * Both directions of one kind of value. The whole format is composed of these, so that writer and reader share one description. Either
 * throws AppError `bad-binary` for values that the other would refuse; each value takes at least one byte, which bounds lists by their
 * input.
 */
export interface Codec<T> {
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
}

/** The type that a codec carries. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never;

/** Largest id of any kind: layers, nodes, frames, elements, resources. Fits the surrogate's ids and the small integers of JavaScript. */
export const MAX_ID = 0x7fffffff;

/** Stands for no node in optional places, as in the surrogate's own property trees. */
export const NO_NODE = -1;

/** A codec that refuses, in both directions, values that the predicate rejects. */
export function checked<T>(codec: Codec<T>, what: string, accepts: (value: T) => boolean): Codec<T> {
  const check = (value: T): T => {
    if (!accepts(value)) throw badBinary(`not ${what}`);
    return value;
  };
  return {
    write: (writer, value) => codec.write(writer, check(value)),
    read: (reader) => check(codec.read(reader)),
  };
}

/** A whole number from 0 to `max`: one byte below 128. */
export function uint(max: number): Codec<number> {
  return {
    write(writer, value) {
      if (!Number.isSafeInteger(value) || value < 0 || value > max) throw badBinary(`not a whole number to ${max}`);
      writer.uint(value);
    },
    read: (reader) => reader.uint(max),
  };
}

/** A signed whole number of 32 bits, in zigzag form: 0, -1, 1, -2 are encoded as 0, 1, 2, 3. */
export const int: Codec<number> = {
  write(writer, value) {
    if ((value | 0) !== value) throw badBinary('not a whole number of 32 bits');
    writer.uint(value < 0 ? -2 * value - 1 : 2 * value);
  },
  read(reader) {
    const zigzag = reader.uint(0xffffffff);
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  },
};

/** An id. */
export const id = uint(MAX_ID);

/** The id of a node, or {@link NO_NODE}. */
export const nodeOrNone: Codec<number> = {
  write(writer, value) {
    if (!Number.isInteger(value) || value < NO_NODE || value > MAX_ID) throw badBinary('not a node id or none');
    writer.uint(value + 1);
  },
  read: (reader) => reader.uint(MAX_ID + 1) - 1,
};

const isFinite = (value: number): boolean => Number.isFinite(value);

/**
 * A length or position in px, in single precision, which the surrogate computes with. A finer value is rounded (`Math.fround`).
 */
export const float32: Codec<number> = checked(
  {
    write: (writer, value) => writer.float32(Math.fround(value)),
    read: (reader) => reader.float32(),
  },
  'a number',
  (value) => isFinite(Math.fround(value)),
);

/** A number in double precision, for factors, which are multiplied. */
export const float64: Codec<number> = checked(
  { write: (writer, value) => writer.float64(value), read: (reader) => reader.float64() },
  'a number',
  isFinite,
);

/** Bits of a set of flags, and no others. */
export function bits(flags: Readonly<Record<string, number>>): Codec<number> {
  const mask = Object.values(flags).reduce((all, flag) => all | flag, 0);
  return checked(uint(mask), 'a set of known flags', (value) => (value & ~mask) === 0);
}

/** One of a list of names, by its index. */
export function choice<const T extends string>(names: readonly T[]): Codec<T> {
  return {
    write(writer, value) {
      const index = names.indexOf(value);
      if (index < 0) throw badBinary(`not one of ${names.join(', ')}`);
      writer.uint(index);
    },
    read: (reader) => names[reader.uint(names.length - 1)] as T, // the bound is the list's
  };
}

/** Text of at most `maxBytes` in UTF-8. A lone surrogate is decoded as U+FFFD. */
export function text(maxBytes: number): Codec<string> {
  return {
    write(writer, value) {
      if (writer.text(value) > maxBytes) throw badBinary(`text of more than ${maxBytes} bytes`);
    },
    read: (reader) => reader.text(maxBytes),
  };
}

/** At most `maxBytes` bytes. */
export function blob(maxBytes: number): Codec<Uint8Array> {
  return {
    write(writer, value) {
      if (value.length > maxBytes) throw badBinary(`more than ${maxBytes} bytes`);
      writer.uint(value.length);
      writer.bytes(value);
    },
    read: (reader) => reader.bytes(reader.uint(maxBytes)),
  };
}

/** At most `max` values, in order. */
export function list<T>(item: Codec<T>, max: number): Codec<readonly T[]> {
  return {
    write(writer, values) {
      if (values.length > max) throw badBinary(`more than ${max} items`);
      writer.uint(values.length);
      for (const [index, value] of values.entries()) inPlace(index, () => item.write(writer, value));
    },
    read(reader) {
      const count = reader.uint(max);
      // Each item takes at least one byte: an impossible count is refused before anything is allocated.
      if (count > reader.left) throw badBinary('more items than bytes left');
      const values: T[] = [];
      for (let index = 0; index < count; index++) values.push(inPlace(index, () => item.read(reader)));
      return values;
    },
  };
}

/** Runs a part of a read or write, and adds its place to a fault. */
export function inPlace<T>(place: string | number, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw within(place, thrown);
  }
}
