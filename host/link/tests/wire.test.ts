import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth, growthBetween } from '../../../core/testing/growth.ts';
import { LINK_LIMITS } from '../limits.ts';
import { FrameParser, jsonFrame, KIND } from '../wire.ts';

const SEED = 20_260_729;

interface Seen {
  readonly kind: number;
  readonly text: string;
}

function parse(parts: Iterable<Buffer>): Seen[] {
  const seen: Seen[] = [];
  const parser = new FrameParser(LINK_LIMITS, (kind, _answering, _id, payload) => {
    seen.push({ kind, text: payload.toString() });
  });
  for (const part of parts) parser.push(part);
  return seen;
}

function* cut(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Parses all parts, which make up `count` frames. */
function parseAll({ parts, count }: { parts: readonly Buffer[]; count: number }): void {
  let frames = 0;
  const parser = new FrameParser(LINK_LIMITS, () => (frames += 1));
  for (const part of parts) parser.push(part);
  expect(frames).toBe(count);
}

describe('the frame parser', () => {
  it('gives the same frames, however the bytes are cut', () => {
    const texts = fc.array(fc.string({ minLength: 2, maxLength: 400, unit: 'grapheme' }), { maxLength: 20 });
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (all, lengths) => {
        const bytes = Buffer.concat(all.map((text) => jsonFrame(KIND.notice, 0, text)));
        const parts: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1;
          parts.push(bytes.subarray(at, at + length));
          at += length;
        }
        expect(parse(parts).map(({ text }) => text)).toEqual(all);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('takes one large frame in small parts, and many small frames at once, in time that grows with the bytes', () => {
    const large = (length: number): Buffer => jsonFrame(KIND.notice, 0, 'x'.repeat(length));
    const small = (count: number): Buffer => {
      const frame = large(20);
      return Buffer.alloc(count * frame.length, frame);
    };
    const oneLarge = (length: number) => ({ parts: [...cut(large(length), 16)], count: 1 });
    const manySmall = (count: number) => ({ parts: [small(count)], count });
    expect(growthBetween({ input: oneLarge, run: parseAll }, 9, [250_000, 1_000_000])).toBeLessThan(9);
    expect(growth({ input: manySmall, run: parseAll }, 9)).toBeLessThan(9);
  });

  it('takes nothing after it was stopped or has failed', () => {
    const seen: number[] = [];
    const parser = new FrameParser(LINK_LIMITS, (kind) => {
      seen.push(kind);
      if (seen.length === 2) parser.stop();
    });
    const frame = jsonFrame(KIND.notice, 0, '[]');
    parser.push(Buffer.concat([frame, frame, frame]));
    expect(seen).toHaveLength(2);
    parser.push(frame);
    expect(seen).toHaveLength(2);

    const failing = new FrameParser(LINK_LIMITS, (kind) => seen.push(kind));
    expect(() => failing.push(Buffer.alloc(20))).toThrow('malformed');
    failing.push(frame);
    expect(seen).toHaveLength(2);
  });

  it('leaves the rest of the bytes when it is held', () => {
    const seen: string[] = [];
    const parser = new FrameParser(LINK_LIMITS, (_kind, _answering, _id, payload) => {
      seen.push(payload.toString());
      parser.hold();
    });
    let rest = Buffer.concat(['[1]', '[2]', '[3]'].map((text) => jsonFrame(KIND.notice, 0, text)));
    for (let turn = 1; turn <= 3; turn++) {
      rest = rest.subarray(parser.push(rest));
      expect(seen).toHaveLength(turn);
    }
    expect(rest).toHaveLength(0);
  });
});
