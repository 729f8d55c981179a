import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { linkPair } from '../../link/tests/memory.ts';
import { pattern } from '../../link/tests/far-side.ts';
import { isLent, readOnce } from '../../link/pieces.ts';
import type { LinkBody } from '../../link/api.ts';
import { bodyStream } from '../body-stream.ts';

const MIB = 1024 * 1024;
const SIZE = 3 * MIB + 17;
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** A gateway that answers `/N` with a body of a link, a pattern that begins at N, and the chunks that it gives back. */
async function serving() {
  const [near, far] = linkPair();
  undo.push(() => near.close('over'));
  far.handle('read', ({ params }) => ({
    body: (async function* () {
      const bytes = pattern(SIZE, Number(params));
      for (let at = 0; at < SIZE; at += 65_536) yield readOnce(bytes.slice(at, at + 65_536));
    })(),
  }));
  let spent = 0;
  const app = fastify();
  app.get<{ Params: { from: string } }>('/:from', async ({ params }, reply) => {
    const { body } = await near.call('read', Number(params.from));
    const counted = Object.assign(body as LinkBody, { spent: body?.spent?.bind(body) });
    const { spent: giveBack } = counted;
    counted.spent = (chunk) => {
      if (isLent(chunk)) spent += 1;
      giveBack?.(chunk);
    };
    return reply.header('content-length', SIZE).send(bodyStream(counted, SIZE));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  undo.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { spent: () => spent, url: (from: number) => `http://127.0.0.1:${port}/${from}` };
}

/** Reads an answer slowly, so that chunks wait. */
async function slowly(url: string): Promise<Buffer> {
  const [response] = (await once(http.get(url), 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(Buffer.from(chunk as Buffer));
    await turn();
  }
  return Buffer.concat(chunks);
}

it('gives each of many browsers its own bytes, while memory is used again', async () => {
  const { spent, url } = await serving();
  const starts = Array.from({ length: 6 }, (_each, at) => 1000 * at + 7);
  for (let round = 0; round < 2; round++) {
    const got = await Promise.all(starts.map((from) => slowly(url(from))));
    for (const [at, from] of starts.entries()) expect(got[at]?.equals(Buffer.from(pattern(SIZE, from)))).toBe(true);
  }
  expect(spent()).toBeGreaterThanOrEqual(2 * starts.length * Math.floor(SIZE / 65_536));
});

it('leaves its chunks to a transform, which may keep them', async () => {
  const chunks = [pattern(65_536), pattern(65_536, 65_536)].map((each) => readOnce(Uint8Array.from(each)));
  let spent = 0;
  const body = Object.assign(
    (async function* () {
      yield* chunks;
    })(),
    { abort: () => undefined, spent: () => (spent += 1) },
  );
  const kept = new PassThrough({ highWaterMark: MIB });
  bodyStream(body as unknown as LinkBody, 131_072).pipe(kept);
  await finished(kept, { readable: false });
  expect(spent).toBe(0);
  expect((kept.read() as Buffer).equals(Buffer.from(pattern(131_072)))).toBe(true);
});
