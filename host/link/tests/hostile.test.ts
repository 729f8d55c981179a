import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_LIMITS } from '../limits.ts';
import { memorySocketPair } from './memory.ts';
import { linkPeer } from '../peer.ts';
import type { LinkPeer } from '../peer.ts';
import { ANSWERING, cancelFrame, creditFrame, headerFrame, jsonFrame, KIND } from '../wire.ts';
import { serveFarSide } from './far-side.ts';

const RUNS = process.env['VITRINE_LONG'] ? 5000 : 300;
const SEED = 20_260_723;
const { jsonBytes, pieceBytes, chunkBytes, windowBytes, bodyBytes, windowChunks, linkBytes } = LINK_LIMITS;
const HELLO = jsonFrame(
  KIND.hello,
  0,
  JSON.stringify([
    'vitrine-link',
    1,
    jsonBytes,
    pieceBytes,
    chunkBytes,
    windowBytes,
    bodyBytes,
    windowChunks,
    linkBytes,
  ]),
);
const json = (kind: number, id: number, value: unknown): Buffer => jsonFrame(kind, id, JSON.stringify(value));
const bytes = (kind: number, id: number, length: number): Buffer =>
  Buffer.concat([headerFrame(kind, id, length), Buffer.alloc(length)]);
const A = ANSWERING;

/** A peer under attack, with calls, a body and streams of its own under way, and the attacker's end of the socket. */
function victim(): { readonly peer: LinkPeer; readonly attacker: Duplex } {
  const [near, attacker] = memorySocketPair();
  const peer = linkPeer(near, { limits: { stallMs: 60_000 } });
  serveFarSide(peer);
  peer.call('a', null).catch(() => undefined); // id 1
  peer.call('b', null, { body: new Uint8Array(100_000) }).catch(() => undefined); // id 2
  peer.open('c', {}).onChunk(() => undefined); // id 3
  attacker.resume();
  return { peer, attacker };
}

async function outcome(frames: readonly Uint8Array[]): Promise<string> {
  const { peer, attacker } = victim();
  for (const frame of frames) attacker.write(frame);
  attacker.end();
  if (!peer.closed.aborted) await once(peer.closed, 'abort');
  return (peer.closed.reason as { code: string }).code;
}

const CALL = json(KIND.call, 1, ['measure', 1000, null, 1]);
const UPLOAD = json(KIND.call, 1, ['hang', 1000, null, 1]);
const HOLD = json(KIND.open, 1, ['hold', {}]);
const MALFORMED: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['an unknown kind', [bytes(0x40, 1, 0)]],
  ['kind 0', [bytes(0, 0, 0)]],
  ['a length above the bound', [headerFrame(KIND.notice, 0, jsonBytes + 1)]],
  ['a length of 4 GiB', [headerFrame(KIND.call, 1, 2 ** 32 - 1)]],
  ['a chunk above the bound of a frame', [CALL, headerFrame(KIND.chunk, 1, pieceBytes + 1)]],
  ['a piece that is not full', [HOLD, bytes(KIND.piece, 1, pieceBytes - 1)]],
  ['a second greeting', [HELLO]],
  ['an id out of order', [json(KIND.call, 2, ['echo', 1, null, 0])]],
  ['an id again', [CALL, CALL]],
  ['a notice with an id', [json(KIND.notice, 1, ['note'])]],
  ['a call without an id', [json(KIND.call, 0, ['echo', 1, null, 0])]],
  ['a call under this side’s ids', [json(KIND.call | A, 1, ['echo', 1, null, 0])]],
  ['an answer to its own call', [CALL, json(KIND.answer, 1, [0])]],
  ['an answer to a call that was never made', [json(KIND.answer | A, 9, [0])]],
  ['an answer to a stream', [json(KIND.answer | A, 3, [0])]],
  ['a frame for an id never given out', [bytes(KIND.end, 7, 0)]],
  ['a pong to no ping', [bytes(KIND.pong | A, 9, 0)]],
  ['text that is not UTF-8', [headerFrame(KIND.notice, 0, 4), Buffer.from([0x22, 0xff, 0xfe, 0x22])]],
  ['text that is not JSON', [headerFrame(KIND.notice, 0, 2), Buffer.from('[]]')]],
  ['JSON of another shape', [json(KIND.notice, 0, { name: 'note' })]],
  ['a notice without a name', [json(KIND.notice, 0, [1, 2])]],
  ['a name too long', [json(KIND.notice, 0, ['n'.repeat(129)])]],
  ['a call with a deadline that is none', [json(KIND.call, 1, ['echo', 'soon', null, 0])]],
  ['a call with a key that is none', [json(KIND.call, 1, ['echo', 1, 5, 0])]],
  ['a call with too many parts', [json(KIND.call, 1, ['echo', 1, null, 0, 1, 1])]],
  ['a failure without a code', [json(KIND.fail | A, 1, ['', 'x', 0])]],
  ['a failure with a long message', [json(KIND.fail | A, 1, ['code', 'x'.repeat(3000), 0])]],
  ['an answer with a flag that is none', [json(KIND.answer | A, 1, [2])]],
  ['a call cancelled by the side that answers', [cancelFrame(KIND.cancel | A, 1, 0)]],
  ['bytes for a call without a body', [json(KIND.call, 1, ['hang', 1000, null, 0]), bytes(KIND.chunk, 1, 5)]],
  ['bytes after the end', [UPLOAD, bytes(KIND.end, 1, 0), bytes(KIND.chunk, 1, 5)]],
  ['a second end', [UPLOAD, bytes(KIND.end, 1, 0), bytes(KIND.end, 1, 0)]],
  ['an end inside a chunk', [CALL, bytes(KIND.piece, 1, pieceBytes), bytes(KIND.end, 1, 0)]],
  ['a stop of a body that is not sent', [json(KIND.stop | A, 1, ['code', 'x', 0])]],
  ['the failure of a body that is not sent', [json(KIND.abort | A, 1, ['code', 'x', 0])]],
  ['credit for a call without a body', [creditFrame(KIND.credit | A, 1, 1, 1)]],
  ['credit for what was not sent', [creditFrame(KIND.credit | A, 2, 100_001, 1)]],
  ['credit for a stream that sent nothing', [creditFrame(KIND.credit | A, 3, 0, 1)]],
  ['the end of a stream as if it were a body', [HOLD, bytes(KIND.end, 1, 0)]],
  ['a reason that is none', [HOLD, json(KIND.close, 1, [1])]],
  ['a second close', [HOLD, bytes(KIND.chunk, 1, 1), json(KIND.close, 1, ['x']), json(KIND.close, 1, ['x'])]],
];

describe('a peer that breaks the wire format', () => {
  it.each(MALFORMED)('ends the link with %s', async (_what, frames) => {
    expect(await outcome([HELLO, ...frames])).toBe('link-malformed');
  });

  it('ends the link when it does not greet, or as something else', async () => {
    expect(await outcome([CALL])).toBe('link-version');
    expect(await outcome([Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')])).toBe('link-malformed');
    expect(await outcome([json(KIND.hello, 0, ['vitrine-link', 2])])).toBe('link-version');
  });

  it('ends the link when it sends more than its credit', async () => {
    const full = bytes(KIND.chunk, 1, pieceBytes);
    const window = Array.from({ length: bodyBytes / pieceBytes }, () => full);
    expect(await outcome([HELLO, UPLOAD, ...window])).toBe('link-closed');
    expect(await outcome([HELLO, UPLOAD, ...window, full])).toBe('link-overrun');
    const chunks = Array.from({ length: windowChunks }, () => bytes(KIND.chunk, 1, 0));
    expect(await outcome([HELLO, UPLOAD, ...chunks])).toBe('link-closed');
    expect(await outcome([HELLO, UPLOAD, ...chunks, bytes(KIND.chunk, 1, 0)])).toBe('link-overrun');
    const pieces = Array.from({ length: chunkBytes / pieceBytes }, () => bytes(KIND.piece, 1, pieceBytes));
    expect(await outcome([HELLO, HOLD, ...pieces])).toBe('link-closed');
    expect(await outcome([HELLO, HOLD, ...pieces, bytes(KIND.piece, 1, pieceBytes)])).toBe('link-overrun');
  });

  it('ends the link when its unread chunks pass the bound of the whole link', async () => {
    const streams = Array.from({ length: 6 }, (_, at) => at + 1);
    const piece = (id: number): Buffer => bytes(KIND.piece, id, pieceBytes);
    const frames = streams.flatMap((id) => [
      json(KIND.open, id, ['hold', {}]),
      ...Array.from({ length: 127 }, () => piece(id)),
    ]);
    // Six chunks of just under 8 MiB each, none of them complete.
    expect(await outcome([HELLO, ...frames])).toBe('link-overrun');
  });

  it('is ended as stalled when it calls without end and does not read', async () => {
    const [near, attacker] = memorySocketPair();
    const peer = linkPeer(near, { limits: { controlBytes: 1 << 20, unitsPerMs: 10_000 } });
    serveFarSide(peer);
    attacker.write(HELLO);
    for (let id = 1; !peer.closed.aborted && id < 100_000; id++) {
      attacker.write(json(KIND.call, id, ['echo', 1000, null, 0, 'x'.repeat(1000)]));
      if (id % 50 === 0) await new Promise(setImmediate);
    }
    expect(peer.closed.reason).toMatchObject({ code: 'link-stalled' });
  });

  it('gets a share of the thread, however much it sends', async () => {
    const [near, attacker] = memorySocketPair();
    const peer = linkPeer(near, { limits: { burstUnits: 500, unitsPerMs: 2 } });
    let handled = 0;
    peer.handle('count', () => {
      handled += 1;
      return {};
    });
    attacker.resume();
    attacker.write(HELLO);
    const frames = Array.from({ length: 4000 }, (_, at) => json(KIND.call, at + 1, ['count', 1000, null, 0]));
    attacker.write(Buffer.concat(frames));
    const start = performance.now();
    let most = 0;
    for (let last = 0; handled < 400; last = handled) {
      await new Promise(setImmediate);
      most = Math.max(most, handled - last);
    }
    expect(most).toBeLessThanOrEqual(130); // 128 units a turn, 2 for a call, and two turns where the machine stood still between
    expect(handled).toBeLessThanOrEqual((500 + 2 * (performance.now() - start)) / 2 + 65);
    peer.close('done');
  });
});

describe('frames of a hostile peer', () => {
  const id = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) }, fc.nat(2 ** 48 - 1));
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.tuple(
      fc.constantFrom('measure', 'echo', 'hold', 'note', 'mirror'),
      fc.nat(100),
      fc.constant(null),
      fc.constantFrom(0, 1),
    ),
    fc.tuple(fc.constantFrom('hold', 'count', 'echo'), fc.constant({})),
    fc.tuple(fc.string(), fc.string(), fc.constantFrom(0, 1, 2)),
  );
  const kind = fc
    .tuple(fc.constantFrom(...Object.values(KIND)), fc.constantFrom(0, A))
    .map(([plain, side]) => plain | side);
  const frame = fc.oneof(
    fc.tuple(kind, id, anything).map(([k, i, value]) => json(k, i, value)),
    fc.tuple(kind, id, fc.nat(300)).map(([k, i, length]) => bytes(k, i, length)),
    fc.tuple(kind, id, fc.nat(100_000), fc.nat(300)).map(([k, i, b, c]) => creditFrame(k, i, b, c)),
    fc.constantFrom(CALL, HOLD, json(KIND.open, 2, ['echo', {}]), json(KIND.call, 2, ['echo', 5, 'key', 0, {}])),
    fc.uint8Array({ maxLength: 40 }),
  );

  it('never do more than end their link', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 12 }), fc.nat(60), async (frames, cut) => {
        const all = Buffer.concat([HELLO, ...frames]);
        const code = await outcome([all.subarray(0, HELLO.length + cut), all.subarray(HELLO.length + cut)]);
        expect(['link-malformed', 'link-overrun', 'link-closed']).toContain(code);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
