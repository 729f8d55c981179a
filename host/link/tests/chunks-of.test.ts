import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { chunksOf } from '../chunks-of.ts';
import { giveBack, isLent } from '../pieces.ts';

const own = (length: number): Buffer => Buffer.from(new Uint8Array(length).fill(length % 251).buffer);

it('gives long chunks of a stream as they come, and joins short ones, which their source may keep', async () => {
  const sizes = [1, 70_000, 2048, 2048, 65_536, 3, 4096];
  const sent = sizes.map(own);
  const found: Uint8Array[] = [];
  for await (const chunk of chunksOf(Readable.from(sent, { objectMode: false }))) {
    expect(isLent(chunk)).toBe(true);
    found.push(Uint8Array.from(chunk));
    giveBack(chunk);
  }
  expect(Buffer.concat(found).equals(Buffer.concat(sizes.map(own)))).toBe(true);
  expect(found.length).toBeLessThanOrEqual(sizes.length);
  expect(sent.map(({ length }) => length)).toEqual([1, 0, 2048, 2048, expect.any(Number), 3, 0]);
});

it('costs no chunk for each of many short ones', async () => {
  const stream = new Readable({ read: () => undefined });
  for (let n = 0; n < 100_000; n++) stream.push(Buffer.from([n % 251]));
  stream.push(null);
  const found: number[] = [];
  let isRight = true;
  let at = 0;
  for await (const chunk of chunksOf(stream)) {
    for (const byte of chunk) isRight &&= byte === at++ % 251;
    found.push(chunk.length);
  }
  expect([isRight, at]).toEqual([true, 100_000]);
  expect(found.length).toBeLessThan(5);
});

it('reads no further than its reader, by more than a little', async () => {
  let given = 0;
  const stream = Readable.from(
    (function* () {
      for (; given < 100; given++) yield own(65_536);
    })(),
    { objectMode: false },
  );
  const chunks = chunksOf(stream);
  await chunks.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(given).toBeLessThan(6);
  await chunks.return(undefined);
  expect(stream.destroyed).toBe(true);
});

it('throws the error of the stream after what came before it', async () => {
  const stream = new Readable({ read: () => undefined });
  stream.push(own(10));
  const chunks = chunksOf(stream);
  expect((await chunks.next()).value).toHaveLength(10);
  stream.destroy(new Error('cut'));
  await expect(chunks.next()).rejects.toThrow('cut');
});

it('ends with an error where the stream is destroyed without one', async () => {
  const stream = new Readable({ read: () => undefined });
  const chunks = chunksOf(stream);
  const next = expect(chunks.next()).rejects.toThrow('Premature close');
  stream.destroy();
  await next;
});
