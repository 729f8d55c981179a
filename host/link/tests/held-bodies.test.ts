import { expect, it } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { HeldBodies } from '../held-bodies.ts';
import { linkPair } from './memory.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

/** Cost of a chunk of one byte. */
const CHUNK_COST = 257;
const full = (): AppError => new AppError('link-busy', 'full', { retryable: true });

it('counts what chunks cost beside their bytes: a body of many small ones is refused long before its bytes', async () => {
  const room = new HeldBodies(100 * CHUNK_COST, full);
  const [near, far] = linkPair();
  let taken = 0;
  far.handle(
    'collect',
    room.counting(async ({ body }) => {
      for await (const chunk of body ?? []) taken += chunk.length;
      return { value: room.bytes };
    }),
  );
  async function* small(count: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < count; at++) yield new Uint8Array(1);
  }
  await expect(near.call('collect', null, { body: small(101) })).rejects.toMatchObject({ code: 'link-busy' });
  expect(taken).toBe(100);
  expect(room.bytes).toBe(0);
  expect((await near.call('collect', null, { body: small(100) })).value).toBe(100 * CHUNK_COST);
  expect(room.bytes).toBe(0);
  near.close('done');
});

it('gives the room of an answer back once it is read, left, or never wanted', async () => {
  const room = new HeldBodies(1000, full);
  const [near, far] = linkPair({ limits: { bodyBytes: 10, windowChunks: 1 } });
  const { promise: asked, resolve: go } = Promise.withResolvers<void>();
  far.handle(
    'get',
    room.counting(async ({ params }) => {
      if (params === 'late') await asked;
      return { body: new Uint8Array(600) };
    }),
  );
  const { body } = await near.call('get', null);
  await expect(near.call('get', null)).rejects.toMatchObject({ code: 'link-busy' });
  expect(room.bytes).toBe(600);
  let length = 0;
  for await (const chunk of body ?? []) length += chunk.length;
  expect(length).toBe(600);
  await expect.poll(() => room.bytes).toBe(0);

  const left = await near.call('get', null);
  left.body?.abort();
  await expect.poll(() => room.bytes).toBe(0);

  const unwanted = near.call('get', 'late', { deadlineMs: 10 });
  await expect(unwanted).rejects.toMatchObject({ code: 'link-timeout' });
  await near.ping(PATIENCE_MS);
  go();
  await expect.poll(() => far.load.handling).toBe(0);
  expect(room.bytes).toBe(0);
  near.close('done');
});

it('takes the room of an answer before the handler waits for it', async () => {
  const room = new HeldBodies(1000, full);
  const [near, far] = linkPair({ limits: { bodyBytes: 10, windowChunks: 1 } });
  const { promise: asked, resolve: go } = Promise.withResolvers<void>();
  let running = 0;
  const handler = async (): Promise<{ body?: Uint8Array }> => {
    running += 1;
    await asked;
    if (running === 3) throw full();
    return { body: new Uint8Array(100) };
  };
  far.handle('get', room.counting(handler, 400));
  const calls = [near.call('get', null), near.call('get', null)];
  await expect(near.call('get', null)).rejects.toMatchObject({ code: 'link-busy' });
  expect([running, room.bytes]).toEqual([2, 800]);
  go();
  const answers = await Promise.all(calls);
  expect(room.bytes).toBe(200);
  running = 2;
  await expect(near.call('get', null)).rejects.toMatchObject({ code: 'link-busy' }); // the handler's own
  expect(room.bytes).toBe(200);
  for (const { body } of answers) body?.abort();
  await expect.poll(() => room.bytes).toBe(0);
  near.close('done');
});
