import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ByteStream } from '../../body.ts';
import { toAppError } from '../../errors.ts';
import { BYTES_MAX, MAX_OPEN_BODIES, STALL_MS, WAIT_MS } from '../carrier.ts';
import { BUDGET_BYTES, byteBudget } from '../incoming.ts';
import { encodePiece, PIECE_BYTES } from '../pieces.ts';
import { carrierPair } from './carrier-pair.ts';
import { feed, MESSAGES, pipe, put, say } from './messages.ts';
import { PATIENCE_MS } from '../../../testing/patience.ts';

const MB = 1024 * 1024;
const coded = (code: string): unknown => expect.objectContaining({ code });

describe('bounds', () => {
  it('a sender cannot have more bodies open than it may', () => {
    const [left] = carrierPair(MESSAGES);
    left.room = 0;
    for (let n = 0; n < MAX_OPEN_BODIES; n += 1) left.endpoint.send(feed, { text: '' }, { body: new Uint8Array(1) });
    expect(() => left.endpoint.send(feed, { text: '' }, { body: new Uint8Array(1) })).toThrow(coded('too-many-bodies'));
  });

  it('a receiver takes no more bodies than it may, and none without their messages beyond a few', () => {
    const [, right] = carrierPair(MESSAGES);
    const streams: unknown[] = [];
    right.endpoint.handle(feed, (_params, body) => void streams.push(body));
    for (let id = 1; id <= 100; id += 1) right.endpoint.receive(['test.feed', { text: '' }, 0, undefined, id]);
    expect(streams).toHaveLength(MAX_OPEN_BODIES);
    for (let id = 1000; id < 1100; id += 1) right.carrier.take({ id, bytes: new Uint8Array(10), isLast: false });
    expect(right.carrier.openBodies).toBeLessThanOrEqual(2 * MAX_OPEN_BODIES);
    expect(new Set(right.faults)).toEqual(new Set(['too-many-bodies']));
  });

  it('more than was granted ends the body', async () => {
    const [, right] = carrierPair(MESSAGES);
    const seen = Promise.withResolvers<unknown>();
    right.endpoint.handle(feed, (_params, body) => seen.resolve(body));
    right.endpoint.receive(['test.feed', { text: '' }, 0, undefined, 1]);
    const piece = { id: 1, bytes: new Uint8Array(PIECE_BYTES), isLast: false };
    for (let n = 0; n < 20; n += 1) right.carrier.take(piece);
    expect(right.faults).toEqual(['body-overrun']);
    expect(right.carrier.openBodies).toBe(0);
    await expect(((await seen.promise) as { bytes(): Promise<unknown> }).bytes()).rejects.toMatchObject({
      code: 'body-overrun',
    });
  });

  it('bodies together take up no more than their budget', () => {
    const [, right] = carrierPair(MESSAGES, { budget: byteBudget(300_000) });
    right.endpoint.handle(feed, () => undefined);
    for (let id = 1; id <= 10; id += 1) {
      right.endpoint.receive(['test.feed', { text: '' }, 0, undefined, id]);
      right.carrier.take({ id, bytes: new Uint8Array(PIECE_BYTES), isLast: false });
    }
    expect(right.faults).toEqual(Array(6).fill('body-overrun'));
    expect(BUDGET_BYTES).toBeGreaterThan(2 * BYTES_MAX);
  });

  it('what is not read of a body that is over takes up nothing of their budget', async () => {
    const [, right] = carrierPair(MESSAGES, { budget: byteBudget(100_000) });
    const streams: ByteStream[] = [];
    right.endpoint.handle(feed, (_params, body) => void streams.push(body));
    for (let id = 1; id <= 10; id += 1) {
      right.endpoint.receive(['test.feed', { text: '' }, 0, undefined, id]);
      right.carrier.take({ id, bytes: new Uint8Array(PIECE_BYTES), isLast: id % 2 === 0 });
      streams.at(-1)?.cancel();
    }
    expect(right.faults).toEqual([]);
    expect(right.carrier.openBodies).toBe(0);
  });

  it('a body of very small pieces takes up little more than its bytes, and time that grows with them', async () => {
    const collect = async (size: number): Promise<{ ms: number; heap: number }> => {
      const [, right] = carrierPair(MESSAGES);
      const came = Promise.withResolvers<Uint8Array>();
      right.endpoint.handle(put, (_params, body) => came.resolve(body));
      right.endpoint.receive(['test.put', { text: '' }, 0, undefined, 1]);
      const before = process.memoryUsage();
      const begun = process.threadCpuUsage();
      const one = new Uint8Array(1);
      for (let at = 1; at <= size; at += 1) {
        right.carrier.take({ id: 1, bytes: one, isLast: at === size });
        await Promise.resolve(); // it is read as it comes
        await Promise.resolve();
        await Promise.resolve();
      }
      const { user, system } = process.threadCpuUsage(begun);
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      expect((await came.promise).length).toBe(size);
      return { ms: (user + system) / 1000, heap: heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers };
    };
    await collect(20_000);
    const small = await collect(100_000);
    const large = await collect(400_000);
    expect(large.ms).toBeLessThan(10 * Math.max(small.ms, 20));
    expect(large.heap).toBeLessThan(64 * MB); // 400,000 views of their own take up more
  });

  it('a lane does not wait for ever, nor with more than it may', async () => {
    const [, right] = carrierPair(MESSAGES);
    const heard: string[] = [];
    right.endpoint.handle(put, () => void heard.push('put'));
    right.endpoint.handle(say, ({ text: given }) => void heard.push(given));
    right.endpoint.receive(['test.put', { text: '' }, 0, undefined, 1]);
    for (let n = 0; n < 600; n += 1) right.endpoint.receive(['test.say', { text: String(n) }]);
    await vi.waitFor(() => expect(heard).toEqual(Array.from({ length: 600 }, (_, n) => String(n))), PATIENCE_MS);
    expect(right.faults).toEqual(['body-overrun']);
  });
});

describe('deadlines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a body that nobody takes is given up by its sender', async () => {
    const [left, right] = carrierPair(MESSAGES);
    right.endpoint.handle(feed, () => undefined);
    left.room = 0;
    left.endpoint.send(feed, { text: '' }, { body: new Uint8Array(100) });
    await vi.advanceTimersByTimeAsync(STALL_MS - 10_000);
    expect(left.carrier.openBodies).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(left.carrier.openBodies).toBe(0);
  });

  it('bytes that do not come are given up, and their lane goes on', async () => {
    const [, right] = carrierPair(MESSAGES);
    const heard: string[] = [];
    right.endpoint.handle(put, () => void heard.push('put'));
    right.endpoint.handle(say, ({ text: given }) => void heard.push(given));
    right.endpoint.receive(['test.put', { text: '' }, 0, undefined, 1]);
    right.endpoint.receive(['test.say', { text: 'behind' }]);
    right.carrier.take({ id: 2, bytes: new Uint8Array(3), isLast: true }); // and a body whose message never comes
    await vi.advanceTimersByTimeAsync(WAIT_MS - 10_000);
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(heard).toEqual(['behind']);
    expect(right.faults).toEqual(['body-stalled']);
    expect(right.carrier.openBodies).toBe(0);
  });

  it('a call waits while its body makes progress', async () => {
    const [left, right] = carrierPair(MESSAGES);
    right.endpoint.handle(pipe, async ({ text: given }, body) => {
      for await (const _piece of body) await new Promise((resolve) => setTimeout(resolve, 500));
      return { result: { text: given }, body: new Uint8Array() };
    });
    const answer = left.endpoint.call(pipe, { text: 'slow' }, { body: new Uint8Array(2 * MB), deadlineMs: 6000 });
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await answer).result).toEqual({ text: 'slow' });
  });

  it('a call that is late aborts its body', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const seen: unknown[] = [];
    right.endpoint.handle(pipe, async (_params, body) => {
      await new Promise((resolve) => setTimeout(resolve, 5000));
      await body.bytes().catch((thrown: unknown) => seen.push(toAppError(thrown).code));
      return { result: { text: '' }, body };
    });
    const answer = left.endpoint.call(pipe, { text: '' }, { body: new Uint8Array(2 * MB), deadlineMs: 2000 });
    answer.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(8000);
    await expect(answer).rejects.toMatchObject({ code: 'call-timeout' });
    expect(seen).toEqual(['call-timeout']);
  });
});

it('a piece in binary is no JSON text', () => {
  expect(encodePiece({ id: 1, bytes: new Uint8Array(), isLast: true })[0]).toBe(0);
});
