import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { chunksOf } from '../chunks-of.ts';
import { isLent } from '../pieces.ts';

const own = (length: number): Buffer => Buffer.from(new Uint8Array(length).fill(length % 251).buffer);

it('gives the chunks of a stream as they come, each to be read once', async () => {
  const sizes = [1, 70_000, 2048, 2048, 65_536, 3];
  const stream = Readable.from(sizes.map(own), { objectMode: false });
  const found: number[] = [];
  for await (const chunk of chunksOf(stream)) {
    expect(isLent(chunk)).toBe(true);
    expect(chunk[0]).toBe(chunk.length % 251);
    found.push(chunk.length);
  }
  expect(found).toEqual(sizes);
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
