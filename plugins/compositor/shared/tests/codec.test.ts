import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BinaryReader } from '../binary-reader.ts';
import { BinaryWriter } from '../binary-writer.ts';
import { binaryForm } from '../binary.ts';
import { blob, choice, float32, float64, id, int, list, MAX_ID, nodeOrNone, text, uint } from '../codec.ts';
import type { Codec } from '../codec.ts';
import { matrix } from '../geometry.ts';
import { flag, oneOf, optional, record } from '../record.ts';
import { faultCode, faultText } from './fault-code.ts';

function written<T>(codec: Codec<T>, value: T): number[] {
  const writer = new BinaryWriter(100_000);
  codec.write(writer, value);
  return [...writer.finish()];
}

function read<T>(codec: Codec<T>, ...bytes: number[]): T {
  const reader = new BinaryReader(Uint8Array.from(bytes));
  const value = codec.read(reader);
  reader.finish();
  return value;
}

const carried = <T>(codec: Codec<T>, value: T): T => read(codec, ...written(codec, value));
const whole = uint(Number.MAX_SAFE_INTEGER);

describe('numbers', () => {
  it('are decoded unchanged, small ones from a byte', () => {
    for (const value of [0, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32, 2 ** 49, Number.MAX_SAFE_INTEGER])
      expect(carried(whole, value)).toBe(value);
    fc.assert(fc.property(fc.maxSafeNat(), (value) => carried(whole, value) === value));
    fc.assert(fc.property(fc.integer(), (value) => carried(int, value) === value));
    fc.assert(fc.property(fc.integer({ min: -1, max: MAX_ID }), (value) => carried(nodeOrNone, value) === value));
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        Object.is(carried(float64, value), value),
      ),
    );
    expect(carried(float32, 0.1)).toBe(Math.fround(0.1));
    expect([127, -64, 63].map((value) => written(value < 0 ? int : uint(1000), value).length)).toEqual([1, 1, 1]);
    expect(written(whole, 300)).toEqual([0xac, 0x02]);
    expect([written(int, -1), written(int, 1), written(nodeOrNone, -1)]).toEqual([[1], [2], [0]]);
  });

  it('that one side would refuse are refused by both', () => {
    for (const value of [-1, 0.5, NaN, Infinity, 101])
      expect(faultCode(() => written(uint(100), value))).toBe('bad-binary');
    expect(faultCode(() => read(uint(100), 101))).toBe('bad-binary');
    for (const value of [2 ** 31, -(2 ** 31) - 1, 0.5, NaN])
      expect(faultCode(() => written(int, value))).toBe('bad-binary');
    expect(faultCode(() => read(int, 0x80, 0x80, 0x80, 0x80, 0x10))).toBe('bad-binary');
    for (const value of [-2, MAX_ID + 1]) expect(faultCode(() => written(nodeOrNone, value))).toBe('bad-binary');
    for (const value of [NaN, Infinity, 1e39]) expect(faultCode(() => written(float32, value))).toBe('bad-binary');
    for (const value of [NaN, -Infinity]) expect(faultCode(() => written(float64, value))).toBe('bad-binary');
    expect(faultCode(() => read(float32, 0, 0, 0xc0, 0x7f))).toBe('bad-binary');
    expect(faultCode(() => read(float64, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f))).toBe('bad-binary');
  });

  it('have one form: a longer one is refused, however long it is', () => {
    expect(faultText(() => read(whole, 0x81, 0))).toMatch(/shortest form/);
    for (const count of [7, 8, 20, 1000])
      for (const last of [0, 1, 0x7f])
        expect(faultCode(() => read(whole, ...Array<number>(count).fill(0x80), last))).toBe(
          count === 7 && last > 0 && last < 16 ? 'none' : 'bad-binary',
        );
    expect(faultText(() => read(whole, 0x80))).toMatch(/past the end/);
  });
});

describe('a matrix', () => {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

  it('is encoded by the fewest numbers', () => {
    const bytes = (changes: Record<number, number>): number => {
      const value = identity.map((number, place) => changes[place] ?? number);
      expect(carried(matrix, value)).toEqual(value);
      return written(matrix, value).length;
    };
    expect([bytes({}), bytes({ 12: 5 }), bytes({ 1: 0.5, 13: -2 }), bytes({ 14: 1 }), bytes({ 12: -0 })]).toEqual([
      ...[1, 17, 49, 129, 17],
    ]);
  });

  it('of another size or form is refused', () => {
    expect(faultCode(() => written(matrix, identity.slice(1)))).toBe('bad-binary');
    expect(faultCode(() => written(matrix, [...identity, 0]))).toBe('bad-binary');
    expect(faultCode(() => written(matrix, identity.with(3, NaN)))).toBe('bad-binary');
    expect(faultText(() => read(matrix, 1, ...Array<number>(16).fill(0)))).toMatch(/shortest form/);
    expect(faultCode(() => read(matrix, 4))).toBe('bad-binary');
  });
});

describe('texts, bytes and lists', () => {
  it('are decoded unchanged', () => {
    const texts = fc.array(fc.nat(0x10ffff)).map((codes) => String.fromCodePoint(...codes).toWellFormed());
    fc.assert(fc.property(texts, (value) => carried(text(10_000), value) === value));
    expect(carried(text(10), '\ufeffa')).toBe('\ufeffa');
    expect(carried(text(10), 'a\ud800')).toBe('a\ufffd');
    expect(carried(blob(3), Uint8Array.of(1, 2, 3))).toEqual(Uint8Array.of(1, 2, 3));
    expect(carried(list(text(5), 3), ['a', '', 'b'])).toEqual(['a', '', 'b']);
  });

  it('are bounded on both sides', () => {
    expect(faultCode(() => written(text(3), 'ää'))).toBe('bad-binary');
    expect(faultCode(() => read(text(3), 4, 97, 97, 97, 97))).toBe('bad-binary');
    expect(faultCode(() => read(text(3), 1, 0xff))).toBe('bad-binary');
    expect(faultCode(() => written(blob(1), Uint8Array.of(1, 2)))).toBe('bad-binary');
    expect(faultCode(() => read(blob(1), 2, 1, 2))).toBe('bad-binary');
    expect(faultCode(() => written(list(id, 1), [1, 2]))).toBe('bad-binary');
    expect(faultCode(() => read(list(id, 1), 2, 1, 2))).toBe('bad-binary');
    expect(faultCode(() => read(choice(['a', 'b']), 2))).toBe('bad-binary');
  });

  it('of more items than there are bytes are refused before any is read', () => {
    let reads = 0;
    const item: Codec<number> = { write: () => undefined, read: () => ++reads };
    expect(faultText(() => read(list(item, MAX_ID), 0xff, 0xff, 0xff, 0xff, 0x07, 1, 2))).toMatch(/more items than/);
    expect(faultCode(() => read(blob(MAX_ID), 0xff, 0xff, 0xff, 0xff, 0x07, 1))).toBe('bad-binary');
    expect(reads).toBe(0);
  });

  it('share no bytes with their input', () => {
    const bytes = Uint8Array.of(2, 5, 6);
    const value = blob(9).read(new BinaryReader(bytes));
    bytes.fill(0);
    expect(value).toEqual(Uint8Array.of(5, 6));
  });
});

describe('a record', () => {
  const codec = record({ a: id, b: optional(id), c: flag, d: optional(text(9)), e: flag });

  it('has a bit for each flag and each optional field', () => {
    expect(written(codec, { a: 9, c: true, e: false })).toEqual([0b0010, 9]);
    expect(written(codec, { a: 9, b: 8, c: false, d: 'x', e: true })).toEqual([0b1101, 9, 8, 1, 120]);
    expect(read(codec, 0b0010, 9)).toEqual({ a: 9, c: true, e: false });
  });

  it('with an unknown bit is refused', () => {
    expect(faultCode(() => read(codec, 0b10010, 9))).toBe('bad-binary');
  });

  it('has no more such fields than bits', () => {
    const fields = (count: number): Record<string, Codec<boolean>> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, flag]));
    const all = Object.fromEntries(Object.keys(fields(31)).map((name, i) => [name, i % 3 > 0]));
    expect(carried(record(fields(31)), all)).toEqual(all);
    expect(() => record(fields(32))).toThrow(RangeError);
  });

  it('reports the place of a fault, on either side', () => {
    const form = binaryForm('thing', record({ parts: list(codec, 9) }), 100);
    const part = { a: 1, c: false, e: false };
    expect(faultText(() => form.encode({ parts: [part, { ...part, b: -1 }] }))).toMatch(/^thing: parts: 1: b: not/);
    expect(faultText(() => form.decode(Uint8Array.of(1, 1, 1, 7)))).toBe('thing: parts: 0: b: past the end');
  });
});

describe('one of several records', () => {
  const codec = list(
    oneOf({ one: { tag: 1, body: record({ a: id }) }, two: { tag: 2, body: record({ b: text(300) }) } }),
    9,
  );

  it('is decoded unchanged, whatever its length', () => {
    for (const length of [0, 1, 126, 127, 128, 300])
      expect(
        carried(codec, [
          { type: 'one', a: 1 },
          { type: 'two', b: 'x'.repeat(length) },
          { type: 'one', a: 2 },
        ]),
      ).toEqual([
        { type: 'one', a: 1 },
        { type: 'two', b: 'x'.repeat(length) },
        { type: 'one', a: 2 },
      ]);
  });

  it('of an unknown kind is skipped, and the next one is read', () => {
    const values = read(codec, 3, 1, 1, 5, 9, 3, 1, 2, 3, 1, 1, 6);
    expect(values).toEqual([
      { type: 'one', a: 5 },
      { type: 'unknown', tag: 9, body: Uint8Array.of(1, 2, 3) },
      { type: 'one', a: 6 },
    ]);
    expect(written(codec, values)).toEqual([3, 1, 1, 5, 9, 3, 1, 2, 3, 1, 1, 6]);
  });

  it('is refused when its length differs from that of its fields', () => {
    expect(faultText(() => read(codec, 1, 1, 2, 5, 0))).toMatch(/trailing bytes/);
    expect(faultText(() => read(codec, 1, 1, 0, 5))).toMatch(/past the end/);
    expect(faultText(() => read(codec, 1, 9, 4, 0))).toMatch(/a number greater than/);
    expect(faultText(() => read(codec, 2, 2, 2, 1, 97, 1, 0, 5))).toMatch(/^1: one: a: past the end/);
  });
});
