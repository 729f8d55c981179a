import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LinkLimits } from '../limits.ts';
import { memorySocketPair } from './memory.ts';
import { linkPeer } from '../peer.ts';
import type { LinkPeer } from '../peer.ts';
import { pattern, serveFarSide } from './far-side.ts';
import { eventually } from './links.ts';

const RUNS = process.env['VITRINE_LONG'] ? 200 : 10;
const SEED = 20_260_801;
const IDLE = { calls: 0, handling: 0, opened: 0, accepted: 0, sentBytes: 0, receivedBytes: 0 };
// Small windows, so that everything waits for credit all the time; the bound of the link is reached as well.
const SMALL: Partial<LinkLimits> = {
  windowBytes: 2000,
  bodyBytes: 3000,
  wideBytes: 4000,
  windowChunks: 4,
  linkBytes: 3000,
  pieceBytes: 700,
  chunkBytes: 12_000,
};

interface Act {
  readonly what: string;
  readonly length: number;
  readonly ms: number;
}

async function readAll(body: AsyncIterable<Uint8Array> | undefined, most: number): Promise<void> {
  let length = 0;
  for await (const chunk of body ?? []) {
    expect(Buffer.compare(chunk, pattern(chunk.length, length))).toBe(0);
    length += chunk.length;
    if (length > most) return;
  }
}

/** Each act leaves its own way: completed, aborted, failed, never read. */
async function perform(peer: LinkPeer, { what, length, ms }: Act): Promise<void> {
  const signal = AbortSignal.timeout(ms + 1);
  if (what === 'echo') await peer.call('echo', length);
  else if (what === 'hang') await peer.call('hang', null, { deadlineMs: ms });
  else if (what === 'upload') await peer.call('measure', null, { body: pattern(length) });
  else if (what === 'upload-aborted') await peer.call('measure', null, { body: pattern(length), signal });
  else if (what === 'upload-ignored') await peer.call('ignore', null, { body: pattern(length) });
  else if (what === 'upload-left') await peer.call('measure', { most: length / 2 }, { body: pattern(length) });
  else if (what === 'keyed')
    await peer.call('run', { ms, outcome: 'value' }, { key: String(length % 7), deadlineMs: 20 });
  else if (what === 'stream' || what === 'stream-held') {
    const stream = peer.open(what === 'stream' ? 'echo' : 'hold', {});
    stream.onChunk((chunk) => sleep(chunk.length % 3));
    for (let at = 0; at < 4; at++) stream.send(pattern(length / 4 + at));
    await sleep(ms);
    stream.close('enough');
  } else if (what === 'stream-source' || what === 'stream-unread') {
    const stream = peer.open('source', { chunks: 3, length });
    if (what === 'stream-source') stream.onChunk(() => sleep(1));
    stream.send(pattern(length));
  } else {
    const params = { bytes: length, chunk: 300, ...(what === 'download-failed' ? { failAt: length / 2 } : {}) };
    const { body } = await peer.call('generate', params, what === 'download-aborted' ? { signal } : {});
    if (what !== 'download-unread') await readAll(body, what === 'download-left' ? length / 2 : Infinity);
  }
}

const READ = [
  ...['echo', 'hang', 'upload', 'upload-aborted', 'upload-ignored', 'upload-left', 'keyed', 'stream', 'stream-source'],
  ...['download', 'download-failed', 'download-aborted', 'download-left'],
];

async function leavesNothing(acts: readonly Act[], limits: Partial<LinkLimits>, seed: number): Promise<void> {
  const [near, far] = memorySocketPair({ seed, delayMs: 1 });
  const [peer, other] = [linkPeer(near, { limits }), linkPeer(far, { limits })];
  serveFarSide(other);
  serveFarSide(peer);
  const outcomes = acts.map((one, at) =>
    perform(at % 3 === 0 ? other : peer, one).then(
      () => 'completed',
      (error: unknown) => (error as { code?: string }).code ?? error,
    ),
  );
  for (const outcome of await Promise.all(outcomes)) {
    expect(outcome).toMatch(/^(completed|link-aborted|link-timeout|source-failed)$/);
  }
  await eventually(() => expect([peer.load, other.load]).toEqual([IDLE, IDLE]));
  peer.close('done');
}

const actsOf = (whats: readonly string[]): fc.Arbitrary<Act[]> =>
  fc.array(fc.record({ what: fc.constantFrom(...whats), length: fc.nat(12_000), ms: fc.nat(20) }), {
    minLength: 5,
    maxLength: 40,
  });

describe('a link after much use', () => {
  it('has nothing left of it, whatever way each call, body and stream has ended', async () => {
    const limits = { ...SMALL, stallMs: 1_000_000 };
    const property = fc.asyncProperty(actsOf(READ), fc.nat(2 ** 31), (acts, seed) => leavesNothing(acts, limits, seed));
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  });

  it('gets rid of what nobody reads, too', async () => {
    const limits = { ...SMALL, stallMs: 500 };
    const whats = [...READ, 'download-unread', 'stream-unread', 'stream-held'];
    const property = fc.asyncProperty(actsOf(whats), fc.nat(2 ** 31), (acts, seed) =>
      leavesNothing(acts, limits, seed),
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS / 2 });
  });
});
