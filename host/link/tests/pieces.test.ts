import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freeMemory } from '../../base/free-memory.ts';
import type { LinkPeer } from '../api.ts';
import { linkPeer } from '../peer.ts';
import { LINK_LIMITS } from '../limits.ts';
import { linkSocket } from '../link-socket.ts';
import { giveBack, isLent, memoryFor, readOnce, takePiece } from '../pieces.ts';
import { pattern } from './far-side.ts';
import { eventually } from './links.ts';
import { linkPair } from './memory.ts';

const { pieceBytes, wideBytes, windowBytes, bodyBytes } = LINK_LIMITS;
const MIB = 1024 * 1024;
const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-link-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let sockets = 0;
/** Two ends of a link over a unix socket, one of which reads into the same memory again and again. */
async function unixLink(): Promise<readonly [LinkPeer, LinkPeer]> {
  const at = path.join(folder, String(++sockets));
  const server = net.createServer({ pauseOnConnect: true }).listen(at);
  await once(server, 'listening');
  const near = linkSocket({ path: at });
  const [far] = (await once(server, 'connection')) as [net.Socket];
  server.close();
  return [linkPeer(near), linkPeer(far)];
}

async function* chunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length);
}

describe('pieces', () => {
  it('are used again once they are given back, and only once', () => {
    const piece = takePiece();
    expect(isLent(piece)).toBe(true);
    expect(isLent(piece.subarray(1))).toBe(false);
    giveBack(piece);
    giveBack(piece);
    const [one, other] = [takePiece(), takePiece()];
    expect(one.buffer).toBe(piece.buffer);
    expect(other.buffer).not.toBe(piece.buffer);
    giveBack(other.subarray(1));
    expect(takePiece().buffer).not.toBe(other.buffer);
    expect(memoryFor(pieceBytes)).toHaveLength(pieceBytes);
    expect(isLent(memoryFor(pieceBytes - 1))).toBe(false);
  });

  it('are made of bytes that are read once, whose memory goes once they are written', async () => {
    const [near, far] = await unixLink();
    far.handle('sum', async ({ body }) => {
      let length = 0;
      for await (const chunk of body ?? []) {
        length += chunk.length;
        body?.spent?.(chunk);
      }
      return { value: length };
    });
    const [own, short] = [pattern(pieceBytes), pattern(1000)];
    const part = pattern(3000).subarray(1000, 2000);
    const bytes = [own, short, part].map((each) => readOnce(each));
    expect(bytes.map(isLent)).toEqual([true, true, false]);
    const body = (async function* () {
      yield* bytes;
    })();
    expect((await near.call('sum', null, { body })).value).toBe(pieceBytes + 2000);
    expect(short).toHaveLength(0);
    expect(part).toHaveLength(1000);
    const taken = Array.from({ length: 100 }, takePiece);
    expect(own.length === 0 || taken.some(({ buffer }) => buffer === own.buffer)).toBe(true); // freed where enough are kept
    taken.forEach(giveBack); // more than are kept
    expect(new Set(taken.map(({ length }) => length))).toEqual(new Set([pieceBytes, 0]));
    near.close('over');
  });

  it('are one for two views of the same memory, and none where somebody has freed it', () => {
    const bytes = pattern(pieceBytes);
    const [one, two] = [readOnce(bytes), readOnce(new Uint8Array(bytes.buffer))];
    giveBack(one);
    giveBack(two);
    const taken = Array.from({ length: 100 }, takePiece);
    expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(100);
    const [freed] = taken.slice(-1) as [Uint8Array];
    taken.forEach(giveBack);
    giveBack(freed);
    for (const piece of taken) freeMemory(piece);
    expect(takePiece()).toHaveLength(pieceBytes);
  });

  it.each([pieceBytes, 5 * pieceBytes, 100_003])(
    'carry what is passed on from link to link byte for byte, beside others, in chunks of %i bytes',
    async (length) => {
      const [from, [near, far]] = [await unixLink(), await unixLink()];
      // From the first link's end over the gateway between both to the second one's.
      far.handle('sum', async ({ body }) => {
        let [at, isRight] = [0, true];
        for await (const chunk of body ?? []) {
          isRight &&= Buffer.compare(chunk, pattern(chunk.length, at)) === 0;
          at += chunk.length;
          body?.spent?.(chunk);
        }
        return { value: { at, isRight } };
      });
      from[1].handle('sum', async ({ body }) => ({ value: (await near.call('sum', null, body && { body })).value }));
      const bytes = pattern(6 * MIB + 17);
      const each = (): Promise<unknown> =>
        from[0].call('sum', null, { body: chunks(bytes, length) }).then(({ value }) => value);
      expect(await Promise.all([each(), each(), each()])).toEqual(Array(3).fill({ at: bytes.length, isRight: true }));
      for (const peer of [...from, near]) peer.close('over');
    },
  );
});

describe('windows of bodies', () => {
  it('are wide for few, and as those of streams while much of the link is unread', async () => {
    const [near, far] = linkPair();
    far.handle('hold', () => new Promise(() => undefined));
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(pieceBytes);
    };
    const hold = (): void =>
      void near.call('hold', null, { body: endless(), deadlineMs: 60_000 }).catch(() => undefined);
    hold();
    await eventually(() => expect(near.load.sentBytes).toBe(bodyBytes));
    for (let more = 1; more < 40; more++) hold();
    // All are served in turn: none has more than the first once 8 MiB are unread.
    await eventually(() => expect(near.load.sentBytes).toBe(bodyBytes + 39 * windowBytes));
    expect(near.load.sentBytes).toBeGreaterThan(wideBytes);
    near.close('over');
  });
});
