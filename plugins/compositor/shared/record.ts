import type { BinaryReader } from './binary-reader.ts';
import { inPlace, uint } from './codec.ts';
import type { Codec, ValueOf } from './codec.ts';
import { badBinary } from './fault.ts';

/** A field that may be missing. */
export interface OptionalField<T> {
  readonly optional: Codec<T>;
}

/** A field that may be missing: a delta leaves out what has not changed. */
export function optional<T>(codec: Codec<T>): OptionalField<T> {
  return { optional: codec };
}

/** Yes or no. In a record it takes one bit. */
export const flag: Codec<boolean> = {
  write: (writer, value) => writer.uint(value ? 1 : 0),
  read: (reader) => reader.uint(1) === 1,
};

type Field = Codec<unknown> | OptionalField<unknown>;
/** The fields of a record by name, in the order in which they travel. */
export type Fields = Readonly<Record<string, Field>>;

type Value<F> = F extends OptionalField<infer T> ? T : ValueOf<F>;
/** The type of a record of these fields. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends OptionalField<unknown> ? never : K]: Value<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends OptionalField<unknown> ? K : never]?: Value<F[K]>;
};

/** Most fields of a record that are optional or flags: each has a bit of a number that is computed with as 32 bits. */
const MAX_BITS = 31;

/**
 * Fields one after the other. Where some are optional or flags, one number goes before them, with a bit for each in turn: that it is
 * there, or that it is set.
 */
export function record<F extends Fields>(fields: F): Codec<RecordOf<F>> {
  const entries = Object.entries<Field>(fields).map(([name, field]) => {
    const isOptional = 'optional' in field;
    return { name, isOptional, isFlag: field === flag, codec: isOptional ? field.optional : field };
  });
  const bitCount = entries.filter(({ isOptional, isFlag }) => isOptional || isFlag).length;
  if (bitCount > MAX_BITS) throw new RangeError(`a record has ${MAX_BITS} optional fields and flags at most`);
  const mask = uint(2 ** bitCount - 1);
  return {
    write(writer, value) {
      const values = value as Readonly<Record<string, unknown>>; // its fields are read by their names
      let present = 0;
      let bit = 1;
      for (const { name, isOptional, isFlag } of entries) {
        if (!isOptional && !isFlag) continue;
        if (isFlag ? values[name] === true : values[name] !== undefined) present += bit;
        bit *= 2;
      }
      if (bitCount > 0) mask.write(writer, present);
      for (const { name, isOptional, isFlag, codec } of entries)
        if (!isFlag && !(isOptional && values[name] === undefined))
          inPlace(name, () => codec.write(writer, values[name]));
    },
    read(reader: BinaryReader) {
      const values: Record<string, unknown> = {};
      let present = bitCount > 0 ? mask.read(reader) : 0;
      for (const { name, isOptional, isFlag, codec } of entries) {
        const isSet = present % 2 === 1;
        if (isOptional || isFlag) present = Math.floor(present / 2);
        if (isFlag) values[name] = isSet;
        else if (!isOptional || isSet) values[name] = inPlace(name, () => codec.read(reader));
      }
      return values as RecordOf<F>; // every field has been read by its codec
    },
  };
}

/** One kind of record: what stands for it on the wire, and its fields. */
export interface Alternative {
  readonly tag: number;
  readonly body: Codec<unknown>;
}

/** What a reader passes over, since a later writer knows of more kinds. */
export interface Unknown {
  readonly type: 'unknown';
  readonly tag: number;
  readonly body: Uint8Array;
}

type Alternatives = Readonly<Record<string, Alternative>>;
type OneOf<A extends Alternatives> = {
  readonly [K in keyof A & string]: { readonly type: K } & ValueOf<A[K]['body']>;
}[keyof A & string];

/** Largest tag of an alternative. */
const MAX_TAG = 127;

/**
 * One of several records, told apart by `type`. Each has its length before it, so that one of a kind that is not known is read as
 * {@link Unknown}: it is to be logged, and what follows goes on.
 */
export function oneOf<const A extends Alternatives>(alternatives: A): Codec<OneOf<A> | Unknown> {
  const byTag = new Map(
    Object.entries<Alternative>(alternatives).map(([type, { tag, body }]) => [tag, { type, body }]),
  );
  const tagCodec = uint(MAX_TAG);
  return {
    write(writer, value) {
      if (value.type === 'unknown') {
        const { tag, body } = value as Unknown; // no alternative has this name
        tagCodec.write(writer, tag);
        writer.sized(() => writer.bytes(body));
        return;
      }
      const known = alternatives[value.type];
      if (!known) throw badBinary('of no known type');
      tagCodec.write(writer, known.tag);
      writer.sized(() => inPlace(value.type, () => known.body.write(writer, value)));
    },
    read(reader) {
      const tag = tagCodec.read(reader);
      const known = byTag.get(tag);
      return reader.sized(() =>
        known
          ? { type: known.type, ...inPlace(known.type, () => known.body.read(reader) as object) }
          : { type: 'unknown', tag, body: reader.bytes(reader.left) },
      ) as OneOf<A> | Unknown; // the body of this tag is that of this type
    },
  };
}
