import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { encodeFrame } from '../frame-encoding.ts';
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

function code(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : 'no AppError';
  }
}

describe('frames', () => {
  it('gives the wire kinds their numbers', () => {
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
