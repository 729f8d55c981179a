import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OP, RECORD } from '../ops.ts';
import type { Op } from '../ops.ts';
import { packOps, unpackOps } from '../packing.ts';

/** Rows of a table, each with a text of its own: strings are first used in order, as a host writes them. */
function rows(count: number): Op {
  const stream: number[] = [];
  let strings = 3;
  for (let n = 0; n < count; n++) {
    stream.push(RECORD.element, 0, 0, 0, 1, 1, 2, 1);
    stream.push(RECORD.text, strings++);
  }
  return [OP.insert, 1, 0, 2, ...stream];
}

const record = fc.oneof(
  fc.tuple(fc.constant(RECORD.text), fc.integer({ min: -1, max: 20 })),
  fc.tuple(fc.constant(RECORD.shadow), fc.nat(7), fc.nat(3)),
  fc
    .tuple(fc.nat(3), fc.nat(20), fc.nat(7), fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 3 }), fc.nat(3))
    .map(([namespace, name, flags, attributes, children]) => [
      RECORD.element,
      namespace,
      name,
      flags,
      attributes.length,
      ...attributes.flat(),
      children,
    ]),
);
const insert = fc.array(record, { maxLength: 12 }).map((records) => [OP.insert, 1, 0, 2, ...records.flat()]);

describe('packed ops', () => {
  it('are unpacked unchanged', () => {
    fc.assert(
      fc.property(fc.array(insert, { maxLength: 5 }), (ops) => {
        expect(unpackOps(packOps(ops))).toEqual(ops);
      }),
    );
  });

  it('repeat number by number where the page repeats itself', () => {
    const [op = []] = packOps([rows(5)]);
    const [first, second, ...others] = [0, 1, 2, 3, 4].map((n) => op.slice(4 + n * 10, 14 + n * 10));
    expect(second).not.toEqual(first); // it uses strings of the first one
    expect(new Set(others.map(String))).toEqual(new Set([String(second)]));
  });

  it('change nothing but streams, and finish fast for any input', () => {
    const others = [[OP.scroll, 1, -2, -2] as const, [OP.insert, 1, 0, 2, RECORD.element, 0, -2, 0, -3, 1]];
    expect(unpackOps(others)[0]).toEqual(others[0]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 9 })), (numbers) => {
        expect(unpackOps([[OP.insert, ...numbers]])[0]).toHaveLength(numbers.length + 1);
      }),
    );
  });
});
