import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkStream } from '../peer.ts';
import { pattern } from './far-side.ts';
import { eventually, LINKS } from './links.ts';
import type { TestLink } from './links.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const closing = (stream: LinkStream): Promise<string | undefined> =>
  vi.waitFor(
    () => {
      expect(stream.closed.aborted).toBe(true);
      return stream.closeReason;
    },
    { timeout: PATIENCE_MS },
  );

describe.each(LINKS)('streams over %s', (_name, connect) => {
  let link: TestLink;
  beforeAll(() => {
    link = connect({ streams: 20, waitingBytes: 4 << 20, chunkBytes: 2 << 20, stallMs: 1000 });
  });
  beforeEach(() => link.peer.call('reset', null));
  afterAll(() => link.peer.close('done'));

  it('keeps chunks whole and in order, large and empty ones too', async () => {
    const stream = link.peer.open('echo', {});
    const lengths = [0, 1, 300, 65_536, 65_537, 900_000, 0, 5];
    const got: Uint8Array[] = [];
    stream.onChunk((chunk) => void got.push(chunk));
    for (const length of lengths) stream.send(pattern(length));
    await eventually(() => expect(got).toHaveLength(lengths.length));
    expect(got.map((chunk) => Buffer.compare(chunk, pattern(chunk.length)) === 0 && chunk.length)).toEqual(lengths);
    expect(stream.pending).toBe(0);
    stream.close('done');
    await eventually(async () => expect((await link.counters()).streamEnds).toEqual(['done']));
  });

  it('tells how much the other side has not consumed', async () => {
    const { held } = await link.counters();
    const stream = link.peer.open('hold', {});
    const falls: number[] = [];
    const stop = stream.onPending((pending) => falls.push(pending));
    for (let at = 0; at < 8; at++) stream.send(pattern(100_000));
    expect(stream.pending).toBe(800_000);
    await eventually(async () => expect((await link.counters()).held).toBe(held + 100_000));
    expect(stream.pending).toBe(800_000);
    link.peer.notify('let-go', null);
    await eventually(() => expect(stream.pending).toBe(700_000));
    expect((await link.counters()).held).toBe(held + 200_000);
    for (let at = 0; at < 7; at++) {
      await eventually(async () => expect((await link.counters()).held).toBe(held + Math.min(8, at + 2) * 100_000));
      link.peer.notify('let-go', null);
    }
    await eventually(() => expect(falls).toEqual([700_000, 600_000, 500_000, 400_000, 300_000, 200_000, 100_000, 0]));
    stop();
    stream.close('done');
    await eventually(async () => expect((await link.counters()).streamEnds).toEqual(['done']));
  });

  it('closes after what was sent before, on both sides', async () => {
    const { peer, counters } = connect(); // it cuts nothing off while a busy machine stands still
    const stream = peer.open('count', {});
    for (let at = 0; at < 100; at++) stream.send(pattern(12_345));
    stream.close('enough');
    stream.send(pattern(1));
    expect(stream.closed.aborted).toBe(true);
    await eventually(async () => expect((await counters()).streamEnds).toEqual(['enough after 1234500']));

    const source = peer.open('source', { chunks: 50, length: 20_000 });
    let got = 0;
    source.onChunk(async (chunk) => {
      await Promise.resolve();
      got += chunk.length;
    });
    expect(await closing(source)).toBe('all sent');
    expect(got).toBe(1_000_000);
    expect(source.closed.reason).toMatchObject({ code: 'link-closed' });
    peer.close('done');
  });

  it('lets chunks wait that come before there is a listener', async () => {
    const { peer } = connect(); // it cuts nothing off while a busy machine stands still
    const source = peer.open('source', { chunks: 5, length: 10 });
    await peer.call('echo', 1);
    expect(source.closed.aborted).toBe(false);
    const got: number[] = [];
    source.onChunk((chunk) => void got.push(chunk.length));
    expect(await closing(source)).toBe('all sent');
    expect(got).toEqual([10, 10, 10, 10, 10]);
    peer.close('done');
  });

  it('closes a stream that nobody accepts, that is refused, or whose listener throws', async () => {
    expect(await closing(link.peer.open('nothing', {}))).toBe('link-unknown-stream');
    expect(await closing(link.peer.open('broken', {}))).toBe('not-now');
    const stream = link.peer.open('throw', {});
    stream.send(pattern(3));
    expect(await closing(stream)).toBe('internal');
  });

  it('closes a stream whose waiting bytes pass their bound, and refuses a chunk that is too large', async () => {
    const stream = link.peer.open('hold', {});
    expect(() => stream.send(new Uint8Array((2 << 20) + 1))).toThrow('above the bound');
    for (let at = 0; at < 8; at++) stream.send(new Uint8Array(1 << 20));
    expect(stream.closeReason).toBe('link-stalled');
    expect(stream.pending).toBe(0);
    await eventually(async () => expect((await link.counters()).streamEnds).toHaveLength(1));
    link.peer.notify('let-go', null);
  });

  it('cuts a closing stream off whose other side does not read on', async () => {
    const stream = link.peer.open('hold', {});
    for (let at = 0; at < 8; at++) stream.send(pattern(100_000));
    stream.close('leaving');
    await eventually(async () => expect((await link.counters()).streamEnds).toEqual(['link-aborted']));
    link.peer.notify('let-go', null);
    expect((await link.peer.call('echo', 1)).value).toBe(1);
  });

  it('bounds the number of open streams, and opens again after a close', async () => {
    const streams = Array.from({ length: 20 }, () => link.peer.open('echo', {}));
    expect(() => link.peer.open('echo', {})).toThrow('Too many streams');
    for (const stream of streams) stream.close('many');
    await eventually(async () => expect((await link.counters()).streamEnds).toHaveLength(20));
    const again = link.peer.open('echo', {});
    const got: number[] = [];
    again.onChunk((chunk) => void got.push(chunk.length));
    again.send(pattern(7));
    await eventually(() => expect(got).toEqual([7]));
    again.close('done');
  });

  it('survives a close from both sides at once', async () => {
    for (let at = 0; at < 20; at++) {
      const stream = link.peer.open('source', { chunks: 3, length: 50_000 });
      for (let sent = 0; sent < 3; sent++) stream.send(pattern(50_000));
      stream.close('both');
    }
    expect((await link.peer.call('echo', 1)).value).toBe(1);
    const streams: LinkStream[] = [];
    for (let at = 0; at < 20; at++) await eventually(() => void streams.push(link.peer.open('echo', {})));
    for (const stream of streams) stream.close('done');
  });

  it('sends no more than the window of the whole link, however many streams wait', async () => {
    const { peer, counters } = connect({ linkBytes: 300_000, chunkBytes: 200_000 });
    const streams = Array.from({ length: 10 }, () => peer.open('hold', {}));
    for (const stream of streams) for (let at = 0; at < 2; at++) stream.send(pattern(100_000));
    await eventually(async () => expect((await counters()).held).toBeGreaterThanOrEqual(300_000));
    expect(peer.load.sentBytes).toBeLessThanOrEqual(300_000);
    for (let at = 0; at < 20; at++) {
      const { held } = await counters();
      peer.notify('let-go', null);
      if (held < 2_000_000) await eventually(async () => expect((await counters()).held).toBeGreaterThan(held));
      expect(peer.load.sentBytes).toBeLessThanOrEqual(300_000);
    }
    await eventually(() => expect(streams.map(({ pending }) => pending)).toEqual(streams.map(() => 0)));
    peer.close('done');
  });
});
