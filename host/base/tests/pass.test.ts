import { once } from 'node:events';
import net from 'node:net';
import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { pass } from '../pass.ts';

const MIB = 1024 * 1024;
const sent = Buffer.from(Array.from({ length: MIB }, (_each, at) => at % 251));

/** A reader that takes its time for each chunk. */
function slow() {
  const taken: Buffer[] = [];
  const to = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      taken.push(Buffer.from(chunk));
      setImmediate(done);
    },
  });
  return { to, read: () => Buffer.concat(taken) };
}

it('passes all bytes of a socket to a slow reader, and frees the memory of each read', async () => {
  const server = net.createServer((socket) => socket.end(sent)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const from = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const { to, read } = slow();
  const reads: Buffer[] = [];
  from.on('data', (chunk: Buffer) => reads.push(chunk));
  pass(from, to);
  await once(to, 'finish');
  expect(read().equals(sent)).toBe(true);
  expect(reads.map(({ length }) => length)).toEqual(reads.map(() => 0));
  server.close();
});

it('leaves memory alone that others share, and that was not written', async () => {
  const shared = Buffer.from(new Uint8Array(100).fill(7).buffer, 10, 50);
  const { to, read } = slow();
  pass(Readable.from([shared]), to);
  await once(to, 'finish');
  expect([read(), shared]).toEqual([Buffer.alloc(50, 7), Buffer.alloc(50, 7)]);

  const own = Buffer.from(new Uint8Array(100).fill(7).buffer);
  const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) });
  pass(Readable.from([own]), failing);
  await once(failing, 'error');
  expect(own).toHaveLength(100);
});
