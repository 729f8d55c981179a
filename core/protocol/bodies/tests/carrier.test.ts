import { describe, expect, it, vi } from 'vitest';
import { AppError, toAppError } from '../../errors.ts';
import { BYTES_MAX, WINDOW_BYTES } from '../carrier.ts';
import { INITIAL_CREDIT, PIECE_BYTES } from '../pieces.ts';
import { carrierPair, inPieces, patterned } from './carrier-pair.ts';
import { feed, get, MESSAGES, other, pipe, put, say, small } from './messages.ts';
import { PATIENCE_MS } from '../../../testing/patience.ts';

const MB = 1024 * 1024;
const SIZES: readonly (readonly [string, number])[] = [
  ['none', 0],
  ['1 B', 1],
  ['a piece', PIECE_BYTES],
  ['64 KiB', 64 * 1024],
  ['one more', 64 * 1024 + 1],
  ['3 MB and some', 3 * MB + 7],
];
const coded = (code: string): unknown => expect.objectContaining({ code });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a body of bytes', () => {
  it.each(SIZES)('arrives whole: %s', async (_name, size) => {
    const [left, right] = carrierPair(MESSAGES);
    const came = Promise.withResolvers<[string, Uint8Array]>();
    right.endpoint.handle(put, (params, body) => came.resolve([params.text, body]));
    left.endpoint.send(put, { text: 'here' }, { body: patterned(size) });
    const [given, bytes] = await came.promise;
    expect(given).toBe('here');
    expect(Buffer.compare(bytes, patterned(size))).toBe(0);
    await turn();
    expect([left.carrier.openBodies, right.carrier.openBodies]).toEqual([0, 0]);
    expect([left.faults, right.faults]).toEqual([[], []]);
  });

  it.each(SIZES)('answers a call: %s', async (_name, size) => {
    const [left, right] = carrierPair(MESSAGES);
    right.endpoint.handle(get, async (params) => ({ result: params, body: patterned(params.size) }));
    const { result, body } = await left.endpoint.call(get, { size });
    expect(result).toEqual({ size });
    expect(Buffer.compare(body, patterned(size))).toBe(0);
  });

  it('of few bytes takes one piece, and not a word beside', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const came = Promise.withResolvers<Uint8Array>();
    right.endpoint.handle(put, (_params, body) => came.resolve(body));
    left.endpoint.send(put, { text: '' }, { body: patterned(1000) });
    await came.promise;
    await turn();
    expect(left.sent).toHaveLength(2);
    expect(right.sent).toEqual([]);
  });

  it('keeps its place in its lane, and holds up no other', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const order: string[] = [];
    right.endpoint.handle(put, ({ text: given }, body) => void order.push(`${given} ${body.length}`));
    right.endpoint.handle(say, ({ text: given }) => void order.push(given));
    right.endpoint.handle(other, ({ text: given }) => void order.push(given));
    left.endpoint.send(put, { text: 'first' }, { body: patterned(MB) });
    left.endpoint.send(say, { text: 'second' });
    left.endpoint.send(put, { text: 'third' }, { body: patterned(2 * MB) });
    left.endpoint.send(say, { text: 'fourth' });
    left.endpoint.send(other, { text: 'elsewhere' });
    await vi.waitFor(() => expect(order).toHaveLength(5), PATIENCE_MS);
    expect(order).toEqual(['elsewhere', `first ${MB}`, 'second', `third ${2 * MB}`, 'fourth']);
  });

  it('of more than its message allows is neither sent nor taken', async () => {
    const [left, right] = carrierPair(MESSAGES);
    right.endpoint.handle(small, () => undefined);
    expect(() => left.endpoint.send(small, { text: '' }, { body: patterned(1001) })).toThrow(coded('body-too-large'));
    expect(() => left.endpoint.send(put, { text: '' }, { body: new Uint8Array(BYTES_MAX + 1) })).toThrow(
      coded('body-too-large'),
    );
    // A sender that does not keep to it.
    right.endpoint.receive(['test.small', { text: '' }, 0, undefined, 9]);
    right.carrier.take({ id: 9, bytes: patterned(1001), isLast: false });
    await vi.waitFor(() => expect(right.faults).toEqual(['body-too-large']), PATIENCE_MS);
    expect(right.sent).toContainEqual({ packet: ['$body', ['cancel', 9, coded('body-too-large')]] });
  });

  it('is refused where the message has none, and missed where it has one', async () => {
    const [, right] = carrierPair(MESSAGES);
    right.endpoint.handle(say, () => undefined);
    right.endpoint.handle(put, () => undefined);
    right.endpoint.receive(['test.say', { text: '' }, 0, undefined, 4]);
    right.endpoint.receive(['test.put', { text: '' }, 7]);
    expect(right.faults).toEqual(['bad-message', 'bad-message']);
    expect(right.sent.map((each) => 'packet' in each && each.packet)).toEqual([
      ['$body', ['cancel', 4, coded('bad-message')]],
      [0, [7, false, coded('bad-message')]],
    ]);
    expect(right.carrier.openBodies).toBe(0);
  });

  it('of a message that nobody handles is refused: the sender stops', async () => {
    const [left, right] = carrierPair(MESSAGES);
    left.endpoint.send(put, { text: '' }, { body: patterned(5 * MB) });
    await vi.waitFor(() => expect(left.carrier.openBodies).toBe(0), PATIENCE_MS);
    expect(right.faults).toEqual(['unknown-message']);
    expect(left.pieceBytes()).toBeLessThan(INITIAL_CREDIT + 1000);
  });
});

describe('a stream', () => {
  it.each(SIZES)('is read piece by piece: %s', async (_name, size) => {
    const [left, right] = carrierPair(MESSAGES);
    right.endpoint.handle(pipe, ({ text: given }, body) => ({ result: { text: given }, body }));
    const { result, body } = await left.endpoint.call(
      pipe,
      { text: 'there and back' },
      { body: inPieces(patterned(size), 100_000) },
    );
    expect(result).toEqual({ text: 'there and back' });
    expect(Buffer.compare(await body.bytes(), patterned(size))).toBe(0);
    await turn();
    expect([left.carrier.openBodies, right.carrier.openBodies]).toEqual([0, 0]);
  });

  it('of 20 MB never takes up more than a window on either side', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const total = 20 * MB;
    let given = 0;
    let read = 0;
    let apart = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < total; at += 65_536) {
        given += 65_536;
        apart = Math.max(apart, given - read);
        yield patterned(65_536, at + 1);
        await Promise.resolve();
      }
    }
    const done = Promise.withResolvers<number>();
    right.endpoint.handle(feed, async (_params, body) => {
      let at = 0;
      const whole: Uint8Array[] = [];
      for await (const piece of body) {
        read += piece.length;
        whole.push(piece);
      }
      const bytes = Buffer.concat(whole);
      for (; at < total; at += 65_536)
        if (Buffer.compare(bytes.subarray(at, at + 65_536), patterned(65_536, at + 1)) !== 0) break;
      done.resolve(at);
    });
    left.endpoint.send(feed, { text: '' }, { body: source() });
    expect(await done.promise).toBe(total);
    expect(apart).toBeLessThanOrEqual(WINDOW_BYTES + 2 * 65_536);
  });

  it('whose reader stops makes the sender wait, and goes on when it reads', async () => {
    const [left, right] = carrierPair(MESSAGES);
    let given = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 64; n += 1) {
        given += 100_000;
        yield new Uint8Array(100_000);
        await Promise.resolve();
      }
    }
    const came = Promise.withResolvers<AsyncIterator<Uint8Array>>();
    right.endpoint.handle(feed, (_params, body) => came.resolve(body[Symbol.asyncIterator]()));
    left.endpoint.send(feed, { text: '' }, { body: source() });
    const reader = await came.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(given).toBeLessThan(WINDOW_BYTES + 200_000);
    expect(left.pieceBytes()).toBeLessThan(WINDOW_BYTES + 1000);
    let read = 0;
    for (let next = await reader.next(); !next.done; next = await reader.next()) read += next.value.length;
    expect(read).toBe(6_400_000);
  });

  it('is aborted by its source: the reader is told why', async () => {
    const [left, right] = carrierPair(MESSAGES);
    async function* source(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      await Promise.resolve();
      throw new AppError('disk-gone', 'no more of it');
    }
    const seen = Promise.withResolvers<unknown>();
    right.endpoint.handle(feed, (_params, body) => seen.resolve(body.bytes().catch((thrown: unknown) => thrown)));
    left.endpoint.send(feed, { text: '' }, { body: source() });
    expect(await seen.promise).toMatchObject({ code: 'disk-gone' });
    expect(left.carrier.openBodies).toBe(0);
  });

  it('is aborted by a signal', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const abort = new AbortController();
    const isReturned = vi.fn();
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield new Uint8Array(1000);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        isReturned();
      }
    }
    const seen = Promise.withResolvers<unknown>();
    right.endpoint.handle(feed, async (_params, body) => {
      try {
        for await (const _piece of body) abort.abort();
      } catch (thrown) {
        seen.resolve(thrown);
      }
    });
    left.endpoint.send(feed, { text: '' }, { body: source(), signal: abort.signal });
    expect(await seen.promise).toMatchObject({ code: 'aborted' });
    await vi.waitFor(() => expect(isReturned).toHaveBeenCalled(), PATIENCE_MS);
    expect(() => left.endpoint.send(feed, { text: '' }, { body: source(), signal: abort.signal })).toThrow(
      coded('aborted'),
    );
  });

  it('is cancelled by a reader that leaves its loop, and by a handler that throws', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const returned: string[] = [];
    async function* source(name: string): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield new Uint8Array(50_000);
          await Promise.resolve();
        }
      } finally {
        returned.push(name);
      }
    }
    right.endpoint.handle(feed, async ({ text: name }, body) => {
      if (name === 'thrown') throw new AppError('no-room', 'there is none');
      for await (const _piece of body) break;
    });
    left.endpoint.send(feed, { text: 'left' }, { body: source('left') });
    left.endpoint.send(feed, { text: 'thrown' }, { body: source('thrown') });
    await vi.waitFor(() => expect(returned.toSorted()).toEqual(['left', 'thrown']), PATIENCE_MS);
    expect(right.faults).toEqual(['no-room']);
    expect([left.carrier.openBodies, right.carrier.openBodies]).toEqual([0, 0]);
  });

  it('is over for both when an endpoint closes', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const seen = Promise.withResolvers<unknown>();
    right.endpoint.handle(feed, (_params, body) => seen.resolve(body.bytes().catch((thrown: unknown) => thrown)));
    left.endpoint.send(feed, { text: '' }, { body: inPieces(patterned(MB), 1000) });
    await turn();
    right.endpoint.close(new AppError('tab-closed', 'over'));
    expect(await seen.promise).toMatchObject({ code: 'tab-closed' });
    expect(right.carrier.openBodies).toBe(0);
  });

  it('gives a turn to others: a small one is not behind a large one', async () => {
    const [left, right] = carrierPair(MESSAGES);
    left.room = 64 * 1024;
    const ends: string[] = [];
    right.endpoint.handle(feed, async ({ text: name }, body) => {
      await body.bytes();
      ends.push(name);
    });
    left.endpoint.send(feed, { text: 'large' }, { body: new Uint8Array(4 * MB) });
    left.endpoint.send(feed, { text: 'small' }, { body: new Uint8Array(200_000) });
    await vi.waitFor(() => expect(ends).toEqual(['small', 'large']), PATIENCE_MS);
  });
});

describe('a connection that loses what was on its way', () => {
  it('ends bodies on both sides, and carries others', async () => {
    const [left, right] = carrierPair(MESSAGES);
    const seen: unknown[] = [];
    right.endpoint.handle(feed, (_params, body) => {
      body.bytes().then(
        (bytes) => seen.push(bytes.length),
        (thrown: unknown) => seen.push(toAppError(thrown).code),
      );
    });
    left.endpoint.send(feed, { text: '' }, { body: inPieces(patterned(MB), 1000) });
    await turn();
    right.carrier.restart(new AppError('bodies-lost', 'they are'), false);
    await vi.waitFor(() => expect(left.carrier.openBodies).toBe(0), PATIENCE_MS);
    left.endpoint.send(feed, { text: '' }, { body: inPieces(patterned(MB), 1000) });
    await vi.waitFor(() => expect(seen).toEqual(['bodies-lost', MB]), PATIENCE_MS);
    expect([left.faults, right.faults]).toEqual([[], []]);
  });
});
