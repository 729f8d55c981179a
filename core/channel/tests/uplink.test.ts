import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { decodePiece, PIECE_BYTES } from '../../protocol/bodies/pieces.ts';
import { MAX_POSTED_BYTES } from '../../protocol/bodies/posting.ts';
import { decodeFrame, MAX_FRAME_ENTRIES } from '../../protocol/frames.ts';
import { Uplink } from '../uplink.ts';

/** A request of the uplink, and its answer. */
interface Posted {
  readonly url: URL;
  readonly init: RequestInit;
  /** Ids of the bodies whose pieces it has. */
  readonly ids: readonly number[];
  readonly answer: (status: number) => Promise<void>;
  readonly fail: () => Promise<void>;
}

const posted: Posted[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  posted.length = 0;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Pick<Response, 'status'>>();
    init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    const ids = decodeFrame(init.body as Uint8Array).map(({ body }) => decodePiece(body).id);
    const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
    const answer = (status: number): Promise<void> => (resolve({ status }), turn().then(() => undefined));
    const fail = (): Promise<void> => (reject(new TypeError('no network')), turn().then(() => undefined));
    posted.push({ url: new URL(url), init, ids, answer, fail });
    return promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function made() {
  const told: unknown[] = [];
  const uplink = new Uplink({
    origin: 'https://host.test',
    names: { query: { cid: 'c' }, received: () => 3 },
    onRoom: () => told.push('room'),
    onLost: ({ code }) => told.push(code),
  });
  const send = (id: number, length = 10): void => uplink.send({ id, bytes: new Uint8Array(length), isLast: true });
  return { uplink, told, send, turn: () => vi.advanceTimersByTimeAsync(0) };
}
const numbers = (): (string | null)[] => posted.map(({ url }) => url.searchParams.get('nr'));

it('posts what is sent in one turn in one request, and the next once that is answered', async () => {
  const { told, send, turn } = made();
  send(1);
  send(2);
  await turn();
  send(3);
  send(4);
  await turn();
  expect(posted.map(({ ids }) => ids)).toEqual([[1, 2]]);
  const [{ url, init, answer }] = posted as [Posted];
  expect([url.origin, url.pathname, init.method, init.credentials, init.cache]).toEqual([
    'https://host.test',
    '/c/up',
    'POST',
    'include',
    'no-store',
  ]);
  expect(init.headers).toEqual({ 'content-type': 'application/octet-stream' });
  expect(Object.fromEntries(url.searchParams)).toEqual({ cid: 'c', msg_nr: '3', nr: '1' });
  expect(told).toEqual([]);
  await answer(200);
  expect(told).toEqual(['room']);
  expect(posted.map(({ ids }) => ids)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await posted[1]?.answer(200);
  send(5);
  await turn();
  expect([numbers(), told]).toEqual([
    ['1', '2', '3'],
    ['room', 'room'],
  ]);
});

it('sends a request again, with its number, until there is an answer, after longer and longer waits', async () => {
  const { told, send, turn } = made();
  send(1);
  await turn();
  const waits: number[] = [];
  for (const status of [500, 0, 503, 429, 0, 502]) {
    const count = posted.length;
    await (status === 0 ? posted.at(-1)?.fail() : posted.at(-1)?.answer(status));
    let ms = 0;
    for (; posted.length === count; ms += 50) await vi.advanceTimersByTimeAsync(50);
    waits.push(ms);
  }
  expect(waits).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect([new Set(numbers()), told]).toEqual([new Set(['1']), []]);
  await posted.at(-1)?.answer(200);
  expect(told).toEqual(['room']);
});

it('sends a request again that is not answered in time', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { send, turn } = made();
  send(1);
  await turn();
  expect(timeout).toHaveBeenCalledWith(30_000);
  expect(posted[0]?.init.signal?.aborted).toBe(false);
});

it.each([400, 401, 403, 404, 409, 410, 413, 415])('loses what a host refuses for good, with %i', async (status) => {
  const { uplink, told, send, turn } = made();
  send(1);
  await turn();
  send(2, PIECE_BYTES);
  await posted[0]?.answer(status);
  expect(told).toEqual(['body-refused', 'room']);
  expect(uplink.isReady()).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(posted).toHaveLength(1);
  send(3);
  await turn();
  expect([posted.at(-1)?.ids, numbers()]).toEqual([[3], ['1', '1']]);
});

it('[M-075] has all its room again once what waited behind a refused request is lost with it', async () => {
  const { uplink, told, send, turn } = made();
  const fill = (): number => {
    let count = 0;
    for (; uplink.isReady(); count += 1) send(1, PIECE_BYTES);
    return count;
  };
  const room = fill();
  await turn();
  await posted[0]?.answer(413);
  expect(told).toEqual(['body-refused', 'room']);
  expect(fill()).toBe(room);
});

it('has room for two requests', async () => {
  const { uplink, send, turn } = made();
  let sent = 0;
  for (; uplink.isReady(); sent += PIECE_BYTES + 6) send(1, PIECE_BYTES);
  expect(sent).toBeGreaterThanOrEqual(2 * MAX_POSTED_BYTES);
  expect(sent - PIECE_BYTES).toBeLessThan(2 * MAX_POSTED_BYTES);
  await turn();
  expect(uplink.isReady()).toBe(false);
  await posted[0]?.answer(200);
  expect(uplink.isReady()).toBe(true);
});

it('puts no more into a request than a host takes, but one piece at least', async () => {
  const { send, turn } = made();
  for (let id = 1; id <= 9; id++) send(id, PIECE_BYTES);
  await turn();
  // With the table and the headers nine do not fit.
  expect(posted[0]?.ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect((posted[0]?.init.body as Uint8Array).length).toBeLessThanOrEqual(MAX_POSTED_BYTES + 10);
  await posted[0]?.answer(200);
  expect(posted[1]?.ids).toEqual([9]);
  await posted[1]?.answer(200);
  for (let id = 1; id <= MAX_FRAME_ENTRIES + 1; id++) send(id, 1);
  await turn();
  expect(posted[2]?.ids).toHaveLength(MAX_FRAME_ENTRIES);
  await posted[2]?.answer(200);
  expect(posted[3]?.ids).toEqual([MAX_FRAME_ENTRIES + 1]);
});

it('ends its request, and posts nothing more, once it is closed', async () => {
  const { uplink, told, send, turn } = made();
  send(1);
  await turn();
  send(2);
  uplink.close();
  await turn();
  expect(posted[0]?.init.signal?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([posted.length, told]).toEqual([1, []]);

  const waiting = made();
  waiting.send(1);
  await waiting.turn();
  await posted[1]?.fail();
  waiting.uplink.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([posted.length, waiting.told]).toEqual([2, []]);
});
