import { describe, expect, it } from 'vitest';
import { code } from './code.ts';
import type { Packet } from '../endpoint.ts';
import { LANES } from '../lanes.ts';
import type { Lane } from '../lanes.ts';
import {
  decodeJson,
  decodeSequenced,
  encodeJson,
  encodeSequenced,
  encodeUpstream,
  MAX_UPSTREAM_BYTES,
  parseControl,
  parseUpstream,
} from '../wire.ts';

const LANE_NAMES = Object.keys(LANES) as Lane[]; // the keys of the literal

describe('sequenced entries', () => {
  it('have number and lane before their bytes, little endian', () => {
    expect([...encodeSequenced(0x01020304, 'bulk', Uint8Array.of(8, 9))]).toEqual([4, 3, 2, 1, 4, 8, 9]);
    expect(LANES).toEqual({ control: 0, view: 1, input: 2, feature: 3, bulk: 4 });
  });

  it('come out as they went in, wherever they lie in their buffer', () => {
    for (const lane of LANE_NAMES)
      for (const seq of [0, 1, 0xffffffff]) {
        const entry = encodeSequenced(seq, lane, Uint8Array.of(8, 9));
        const within = Uint8Array.of(7, ...entry).subarray(1);
        expect(decodeSequenced(within)).toEqual({ seq, lane, body: Uint8Array.of(8, 9) });
      }
  });

  it('may be empty, and are refused where they are shorter than their header or of no lane', () => {
    expect(decodeSequenced(Uint8Array.of(5, 0, 0, 0, 0))).toEqual({ seq: 5, lane: 'control', body: new Uint8Array(0) });
    for (const bytes of [[], [5, 0, 0, 0], [5, 0, 0, 0, 5], [5, 0, 0, 0, 255]])
      expect(code(() => decodeSequenced(Uint8Array.from(bytes)))).toBe('bad-frame');
  });
});

describe('JSON', () => {
  it('comes out as it went in, as UTF-8', () => {
    const value = { text: 'ä€', list: [1, null, true] };
    expect([...encodeJson('ä')]).toEqual([0x22, 0xc3, 0xa4, 0x22]);
    expect(decodeJson(encodeJson(value))).toEqual(value);
  });

  it('is refused where it is none, or no UTF-8, with the cause', () => {
    for (const bytes of [[], [0x7b], [0x22, 0xff, 0x22]]) {
      const run = (): unknown => decodeJson(Uint8Array.from(bytes));
      expect(run).toThrow(expect.objectContaining({ code: 'bad-frame', cause: expect.any(Error) as Error }));
    }
  });
});

describe('control messages', () => {
  it.each([
    ['[M-075] a ping', { ping_time: 12.5 }],
    ['[M-075] its answer', { pong: 12.5 }],
    ['[R-085] the answer to a round trip', { rttpong: 3 }],
    ['[R-085] the answer to a frame', { anim_pong: 4 }],
    ['[R-085] a request to acknowledge', { 'req-ack': true }],
    ['[R-085] a request to send again', { srm: 7 }],
    ['the measure of a round trip', { rttping: 3 }],
    ['the measure of a frame', { anim_ping: 4 }],
    ['an acknowledgement', { ack: 9 }],
    ['what was forgotten', { skip: 9 }],
    ['the end', { bye: 'x'.repeat(100) }],
    ['nothing', {}],
  ])('are read: %s', (_, control) => {
    expect(parseControl(control)).toEqual(control);
    expect(parseUpstream(control)).toEqual(control);
  });

  it.each([
    undefined,
    null,
    'ack',
    7,
    { ack: '9' },
    { ack: -1 },
    { ack: 0.5 },
    { skip: '9' },
    { srm: '9' },
    { ping_time: '9' },
    { pong: Infinity },
    { rttping: '9' },
    { rttpong: '9' },
    { anim_ping: '9' },
    { anim_pong: '9' },
    { 'req-ack': false },
    { bye: 'x'.repeat(101) },
    { ack: undefined },
  ])('are refused where they are none: %j', (value) => {
    expect(code(() => parseControl(value))).toBe('bad-frame');
    expect(code(() => parseUpstream(value))).toBe('bad-frame');
  });
});

describe('upstream messages', () => {
  it('[M-073] are arrays with the sequence number prepended', () => {
    const body: Packet = ['navigate', { url: 'https://site.test/' }, 5];
    const value = encodeUpstream({ seq: 3, lane: 'input', body });
    expect(value).toEqual([3, 2, 'navigate', { url: 'https://site.test/' }, 5]);
    expect(parseUpstream(value)).toEqual({ seq: 3, lane: 'input', body });
  });

  it.each([
    { value: [] },
    { value: [3] },
    { value: ['3', 2] },
    { value: [0.5, 2] },
    { value: [2 ** 53, 2] },
    { value: [null, 2] },
    { value: [3, '2'] },
    { value: [3, 'input'] },
    { value: [3, 5] },
    { value: [3, -1] },
    { value: [3, 'length'] },
  ])('[M-073] are refused without a whole number or a lane: $value', ({ value }) => {
    expect(code(() => parseUpstream(value))).toBe('bad-frame');
  });

  it('may have a body of no length', () => {
    expect(parseUpstream([0, 0])).toEqual({ seq: 0, lane: 'control', body: [] });
  });

  it('are 1 MiB at most', () => {
    expect(MAX_UPSTREAM_BYTES).toBe(1_048_576);
  });
});
