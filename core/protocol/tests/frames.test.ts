import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code } from './code.ts';
import type { AppError } from '../errors.ts';
import { encodeFrame } from '../frame-encoding.ts';
import { framesIn } from '../frame-run.ts';
import {
  decodeFrame,
  FRAME_ENTRY_BYTES,
  FRAME_HEADER_BYTES,
  KIND,
  MAX_MESSAGE_BYTES,
  MAX_OPEN_PARTIALS,
  PARTIAL_BODY_BYTES,
  PARTIAL_HEADER_BYTES,
  Reassembly,
} from '../frames.ts';
import type { Entry } from '../frames.ts';
import { splitEntry } from './split-entry.ts';

const kinds = fc.constantFrom(KIND.data, KIND.control, KIND.commit, KIND.canvas, KIND.picture);
const entries = fc.array(fc.record({ kind: kinds, body: fc.uint8Array({ maxLength: 300 }) }), { maxLength: 20 });

/** An entry with the header of a partial: id, kind, number of pieces, place, and a piece. */
function partialOf(id: number, kind: number, total: number, index: number, piece: Uint8Array): Entry {
  const body = new Uint8Array(16 + piece.length);
  const view = new DataView(body.buffer);
  for (const [at, value] of [id, kind, total, index].entries()) view.setUint32(4 * at, value, true);
  body.set(piece, 16);
  return { kind: KIND.partial, body };
}

function partial(id: number, kind: number, total: number, index: number, ...piece: readonly number[]): Entry {
  return partialOf(id, kind, total, index, Uint8Array.from(piece));
}

const bad = (count: number): string[] => new Array<string>(count).fill('bad-frame');

describe('frames', () => {
  it('[R-017] gives the wire kinds their numbers', () => {
    expect(KIND).toEqual({ data: 1, control: 2, commit: 3, canvas: 4, picture: 5, partial: 6 });
  });

  it('[R-018] has a 4-byte length header and 5-byte entries before the bodies', () => {
    const frame = encodeFrame([
      { kind: KIND.data, body: Uint8Array.of(7, 8) },
      { kind: KIND.canvas, body: Uint8Array.of(9) },
    ]);
    expect([...frame]).toEqual([10, 0, 0, 0, 1, 2, 0, 0, 0, 4, 1, 0, 0, 0, 7, 8, 9]);
    expect(FRAME_HEADER_BYTES).toBe(4);
    expect(FRAME_ENTRY_BYTES).toBe(5);
  });

  it('come out as they went in', () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(decodeFrame(encodeFrame(list)).map(({ kind, body }) => ({ kind, body: [...body] }))).toEqual(
          list.map(({ kind, body }) => ({ kind, body: [...body] })),
        );
      }),
    );
  });

  it('refuse any bytes that are no frame with a code, and read nothing past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(['none', 'bad-frame']).toContain(code(() => decodeFrame(bytes)));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuse a frame that has been cut or grown anywhere', () => {
    const frame = encodeFrame([{ kind: KIND.data, body: Uint8Array.of(1, 2, 3) }]);
    for (let length = 0; length < frame.length; length++)
      expect(code(() => decodeFrame(frame.subarray(0, length)))).toBe('bad-frame');
    expect(code(() => decodeFrame(Uint8Array.of(...frame, 0)))).toBe('bad-frame');
  });

  it('[R-017] have entries of the six kinds alone', () => {
    const frameOf = (kind: number): Uint8Array => Uint8Array.of(5, 0, 0, 0, kind, 1, 0, 0, 0, 9);
    for (const kind of [1, 2, 3, 4, 5, 6])
      expect(decodeFrame(frameOf(kind))).toEqual([{ kind, body: Uint8Array.of(9) }]);
    for (const kind of [0, 7, 255]) expect(code(() => decodeFrame(frameOf(kind)))).toBe('bad-frame');
  });

  it('[R-018] refuse a table that is no whole number of entries, also where the bytes are there', () => {
    for (const table of [1, 3, 4, 6, 9])
      expect(code(() => decodeFrame(Uint8Array.of(table, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0)))).toBe('bad-frame');
  });

  it('hold 1024 entries at most', () => {
    const frameOf = (count: number): Uint8Array =>
      encodeFrame(Array.from({ length: count }, () => ({ kind: KIND.data, body: new Uint8Array(0) })));
    expect(decodeFrame(frameOf(1024))).toHaveLength(1024);
    expect(code(() => decodeFrame(frameOf(1025)))).toBe('bad-frame');
  });
});

describe('a run of frames, as a poll is answered', () => {
  const lists = fc.array(entries, { maxLength: 5 });

  it('[R-018] is split into its frames, wherever it lies in its buffer', () => {
    fc.assert(
      fc.property(lists, fc.nat(9), (all, before) => {
        const frames = all.map((list) => encodeFrame(list));
        const buffer = Buffer.concat([new Uint8Array(before).fill(1), ...frames]);
        expect(framesIn(buffer.subarray(before)).map((frame) => [...frame])).toEqual(frames.map((frame) => [...frame]));
      }),
    );
  });

  it('that ends within a frame is refused, and one that ends after a frame is not', () => {
    const one = encodeFrame([
      { kind: KIND.data, body: Uint8Array.of(1, 2, 3) },
      { kind: KIND.canvas, body: Uint8Array.of(4) },
    ]);
    const two = encodeFrame([{ kind: KIND.picture, body: Uint8Array.of(5, 6) }]);
    const run = Uint8Array.of(...one, ...two);
    const taken = Array.from({ length: run.length + 1 }, (_, length) => {
      try {
        return framesIn(run.subarray(0, length)).length;
      } catch (thrown) {
        return (thrown as AppError).code;
      }
    });
    expect(taken).toEqual([0, ...bad(17), 1, ...bad(10), 2]);
  });

  it('whose table is longer than its whole entries is refused as a frame', () => {
    const run = Uint8Array.of(7, 0, 0, 0, 1, 0, 0, 0, 0, 9, 9);
    expect(code(() => framesIn(run).map(decodeFrame))).toBe('bad-frame');
  });
});

describe('partials', () => {
  const large: Entry = {
    kind: KIND.picture,
    body: Uint8Array.from({ length: PARTIAL_BODY_BYTES * 2 + 5 }, (_, i) => i % 251),
  };

  it('[R-019] have a 16-byte header and come together in whatever order they arrive', () => {
    const pieces = splitEntry(large, 42);
    expect(pieces).toHaveLength(3);
    expect(pieces[2]?.body).toHaveLength(PARTIAL_HEADER_BYTES + 5);
    expect(PARTIAL_HEADER_BYTES).toBe(16);
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (order) => {
        const reassembly = new Reassembly();
        const results = order.map((index) => reassembly.take(pieces[index] as Entry));
        expect(results.slice(0, 2)).toEqual([undefined, undefined]);
        expect(results[2]?.kind).toBe(KIND.picture);
        expect(Buffer.compare(results[2]?.body ?? new Uint8Array(), large.body)).toBe(0);
      }),
    );
  });

  it('of several messages do not mix', () => {
    const other: Entry = { ...large, body: large.body.map((byte) => 255 - byte) };
    const reassembly = new Reassembly();
    const a = splitEntry(large, 1);
    const b = splitEntry(other, 2);
    const whole = [a[0], b[0], b[1], a[1], a[2], b[2]]
      .map((piece) => reassembly.take(piece as Entry))
      .filter((entry) => entry !== undefined);
    expect(whole.map((entry) => entry.body[3])).toEqual([large.body[3], other.body[3]]);
  });

  it('[R-019] make room again once they are whole: a connection carries more than its largest message in all', () => {
    const reassembly = new Reassembly();
    const size = 8 * 1024 * 1024;
    const body = new Uint8Array(size);
    for (let sent = 0, id = 0; sent <= MAX_MESSAGE_BYTES; sent += size, id += 1) {
      const whole = splitEntry({ kind: KIND.picture, body }, id).map((piece) => reassembly.take(piece));
      expect(whole.at(-1)?.body).toHaveLength(size);
    }
  });

  it('leave small messages as they are', () => {
    const small: Entry = { kind: KIND.data, body: Uint8Array.of(1) };
    expect(splitEntry(small, 1)).toEqual([small]);
    expect(new Reassembly().take(small)).toBe(small);
  });

  it('[R-019] carry id, kind, number and place of their piece, little endian, before it', () => {
    expect([...(splitEntry(large, 0x01020304)[2]?.body ?? [])]).toEqual([
      ...[4, 3, 2, 1, 5, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0],
      ...[...large.body].slice(131_072),
    ]);
    const [first, second] = splitEntry(large, 7);
    expect([first?.body.length, second?.body.length]).toEqual([65_552, 65_552]);
  });

  it('[R-019] of a message of exactly one piece, or two, are as many', () => {
    const lengths = (size: number): number[] =>
      splitEntry({ kind: KIND.data, body: new Uint8Array(size) }, 1).map(({ body }) => body.length);
    expect(lengths(0)).toEqual([0]);
    expect(lengths(65_536)).toEqual([65_536]);
    expect(lengths(65_537)).toEqual([65_552, 17]);
    expect(lengths(131_072)).toEqual([65_552, 65_552]);
  });

  it('[R-019] may use the id of a message that is whole, for any number of messages', () => {
    const reassembly = new Reassembly();
    for (let n = 0; n < 100; n += 1) {
      expect(reassembly.take(partial(n % 2, 1, 2, 0, n))).toBeUndefined();
      expect(reassembly.take(partial(n % 2, 1, 2, 1, n, n))?.body).toEqual(Uint8Array.of(n, n, n));
    }
  });

  it.each([
    ['no body', partial(1, 1, 2, 0)],
    ['kind 0', partial(1, 0, 2, 0, 9)],
    ['the kind of a partial', partial(1, 6, 2, 0, 9)],
    ['kind 7', partial(1, 7, 2, 0, 9)],
    ['no pieces', partial(1, 1, 0, 0, 9)],
    ['one piece alone', partial(1, 1, 1, 0, 9)],
    ['more pieces than the largest message', partial(1, 1, 1025, 0, 9)],
    ['a place after the last', partial(1, 1, 2, 2, 9)],
  ])('with %s are refused', (_, entry) => {
    expect(code(() => new Reassembly().take(entry))).toBe('bad-frame');
  });

  it('of two pieces, and of as many as the largest message has, are taken', () => {
    for (const total of [2, 1024]) expect(new Reassembly().take(partial(1, 5, total, total - 1, 9))).toBeUndefined();
  });

  it.each([
    ['kind', partial(1, 2, 3, 1, 9)],
    ['number of pieces', partial(1, 1, 4, 1, 9)],
    ['piece', partial(1, 1, 3, 0, 9)],
  ])('of one id with another %s are refused', (_, entry) => {
    const reassembly = new Reassembly();
    reassembly.take(partial(1, 1, 3, 0, 9));
    expect(code(() => reassembly.take(entry))).toBe('bad-frame');
  });

  it('hold 64 MiB of messages that are not whole, and no byte more', () => {
    const reassembly = new Reassembly();
    const half = 32 * 1024 * 1024;
    for (const id of [1, 2]) expect(reassembly.take(partialOf(id, 1, 2, 0, new Uint8Array(half)))).toBeUndefined();
    expect(code(() => reassembly.take(partial(3, 1, 2, 0, 9)))).toBe('bad-frame');
  });

  it('that contradict each other, repeat, or never end are refused', () => {
    const pieces = splitEntry(large, 42);
    const twice = new Reassembly();
    twice.take(pieces[0] as Entry);
    expect(code(() => twice.take(pieces[0] as Entry))).toBe('bad-frame');
    const flooded = new Reassembly();
    for (let id = 0; id < MAX_OPEN_PARTIALS; id++) flooded.take(splitEntry(large, id)[0] as Entry);
    expect(code(() => flooded.take(splitEntry(large, MAX_OPEN_PARTIALS)[0] as Entry))).toBe('bad-frame');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (body) => {
        expect(['none', 'bad-frame']).toContain(code(() => new Reassembly().take({ kind: KIND.partial, body })));
      }),
    );
  });
});
