import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import type { LinkBody } from '../peer.ts';
import { pattern } from './far-side.ts';
import { eventually, LINKS } from './links.ts';
import type { TestLink } from './links.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

async function whole(body: LinkBody | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Bytes of a body that ends only where a test does not end it. */
const ENDLESS = 2 ** 32;

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

describe.each(LINKS)('bodies over %s', (_name, connect) => {
  let link: TestLink;
  beforeAll(() => {
    link = connect();
  });
  beforeEach(() => link.peer.call('reset', null));
  afterAll(() => link.peer.close('done'));

  it.each([0, 1, 65_536, 65_537, 3_000_000])('carries %i bytes in both directions', async (length) => {
    const bytes = pattern(length);
    expect((await link.peer.call('measure', null, { body: bytes })).value).toEqual({ length, isRight: true });
    const { body } = await link.peer.call('bytes', { length });
    expect(same(await whole(body), bytes)).toBe(true);
    const mirrored = await link.peer.call('mirror', null, { body: bytes });
    expect(same(await whole(mirrored.body), bytes)).toBe(true);
  });

  it('reads a source only as fast as the other side consumes', async () => {
    const before = (await link.counters()).sourced;
    const { body } = await link.peer.call('generate', { bytes: 50_000_000, chunk: 10_000 });
    const filled = async (): Promise<number> => (await link.counters()).sourced - before;
    await eventually(async () => expect(await filled()).toBeGreaterThan(10));
    await sleep(150);
    expect(await filled()).toBeLessThanOrEqual(110); // the window is 1 MiB
    body?.abort();
  });

  it('returns the source when the reader leaves, on either side', async () => {
    const before = (await link.counters()).returned;
    const { body } = await link.peer.call('generate', { bytes: 50_000_000, chunk: 100_000 });
    for await (const chunk of body ?? []) if (chunk.length > 0) break;
    await eventually(async () => expect((await link.counters()).returned).toBe(before + 1));

    let isReturned = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (let at = 0; ; at += 1000) yield pattern(1000, at);
      } finally {
        isReturned = true;
      }
    }
    const answer = await link.peer.call('measure', { most: 5000 }, { body: endless() });
    expect(answer.value).toEqual({ length: 5000, isRight: true });
    await eventually(() => expect(isReturned).toBe(true));
    isReturned = false;
    expect((await link.peer.call('ignore', null, { body: endless() })).value).toBe('ignored');
    await eventually(() => expect(isReturned).toBe(true));
  });

  it('fails the reader with the error of the source', async () => {
    const { body } = await link.peer.call('generate', { bytes: 1_000_000, chunk: 1000, failAt: 300_000 });
    await expect(whole(body)).rejects.toMatchObject({ code: 'source-failed', message: 'The disk is gone.' });

    async function* failing(): AsyncGenerator<Uint8Array> {
      yield pattern(1000);
      await sleep(5);
      throw new AppError('upload-failed', 'The person has left.');
    }
    await expect(link.peer.call('measure', null, { body: failing() })).rejects.toMatchObject({ code: 'upload-failed' });
    await eventually(async () => expect((await link.counters()).aborted).toEqual(['upload-failed']));
  });

  it('aborts both bodies when the call is aborted, before and after the answer', async () => {
    const abort = new AbortController();
    let isReturned = false;
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: async () => {
          isReturned = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const call = link.peer.call('measure', null, { body: never, signal: abort.signal });
    await link.peer.ping(PATIENCE_MS);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'link-aborted' });
    expect(isReturned).toBe(true);
    await eventually(async () => expect((await link.counters()).aborted).toContain('link-aborted'));

    const later = new AbortController();
    const before = (await link.counters()).returned;
    const { body } = await link.peer.call('generate', { bytes: 50_000_000, chunk: 100_000 }, { signal: later.signal });
    const reading = whole(body);
    await link.peer.ping(PATIENCE_MS);
    later.abort();
    await expect(reading).rejects.toMatchObject({ code: 'link-aborted' });
    await eventually(async () => expect((await link.counters()).returned).toBe(before + 1));
  });

  it('gives up a body that nobody reads', async () => {
    const impatient = connect({ stallMs: 500 });
    const { body } = await impatient.peer.call('generate', { bytes: 50_000_000, chunk: 100_000 });
    await eventually(async () => expect((await impatient.counters()).returned).toBe(1));
    await expect(whole(body)).rejects.toMatchObject({ code: 'link-timeout' });
    impatient.peer.close('done');
  });

  it('lets a small call pass a large body', async () => {
    let pulled = 0;
    let isAnswered = false;
    async function* large(): AsyncGenerator<Uint8Array> {
      while (!isAnswered && pulled < ENDLESS) {
        pulled += 1 << 20;
        yield new Uint8Array(1 << 20);
      }
    }
    const sending = link.peer.call('measure', null, { body: large() });
    await eventually(() => expect(pulled).toBeGreaterThan(4 << 20));
    await link.peer.call('echo', 'small');
    isAnswered = true;
    // It does not wait until the body has ended.
    expect(pulled).toBeLessThan(ENDLESS);
    await sending;
  });

  it('shares the link among bodies, and completes all of them', async () => {
    const lengths = Array.from({ length: 24 }, (_, at) => 1000 + at * 70_001);
    const answers = await Promise.all(
      lengths.map(async (length) => {
        const { body } = await link.peer.call('mirror', null, { body: pattern(length) });
        return same(await whole(body), pattern(length));
      }),
    );
    expect(answers).toEqual(lengths.map(() => true));
  });
});
