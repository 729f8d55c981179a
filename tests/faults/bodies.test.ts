import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { INITIAL_CREDIT, PIECE_BYTES } from '../../core/protocol/bodies/pieces.ts';
import { inPieces, patterned } from '../../core/protocol/bodies/tests/carrier-pair.ts';
import type { ByteStream } from '../../core/protocol/body.ts';
import { encodePiece } from '../../core/protocol/bodies/pieces.ts';
import { toAppError } from '../../core/protocol/errors.ts';
import { encodeFrame } from '../../core/protocol/frame-encoding.ts';
import { KIND } from '../../core/protocol/frames.ts';
import { message } from '../../core/protocol/message.ts';
import { MAX_POSTED_BYTES } from '../../core/protocol/bodies/posting.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { ChannelStage, speak } from './channel-stage.ts';
import type { PlayedClient, PlayedTab } from './channel-stage.ts';
import { Random } from '../../core/testing/random.ts';

const named = v.object({ name: v.string() });
const up = message('test.up', { direction: 'client-to-host', params: named, body: 'bytes' });
const upStream = message('test.upStream', { direction: 'client-to-host', params: named, body: 'stream' });
const down = message('test.down', { direction: 'host-to-client', params: named, body: 'bytes' });
const downStream = message('test.downStream', { direction: 'host-to-client', params: named, body: 'stream' });
const note = message('test.note', { direction: 'host-to-client', lane: 'input', params: named });
const echo = message('test.echo', {
  direction: 'client-to-host',
  params: named,
  result: named,
  body: 'stream',
  resultBody: 'stream',
});
const MESSAGES = [up, upStream, down, downStream, note, echo];

const MB = 1024 * 1024;
const SIZES = [0, 1, 64 * 1024, 5 * MB] as const;
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });

let stage: ChannelStage;
let spoken: ReturnType<typeof speak>[] = [];
beforeEach(async () => {
  stage = await ChannelStage.start();
});
afterEach(async () => {
  for (const each of spoken) each.close();
  spoken = [];
  await stage.close();
});

interface Played extends ReturnType<typeof speak> {
  readonly tab: PlayedTab;
  readonly played: PlayedClient;
}

async function start(only: 'websocket' | 'xhr', cid = 'c1'): Promise<Played> {
  const tab = stage.tab(cid);
  const config = { wsMaxRetries: only === 'xhr' ? 0 : 1000, pollMaxRetries: 1000 };
  const played = stage.client({ cid, only, config });
  const both = speak(stage, tab, played, MESSAGES);
  spoken.push(both);
  await until(() => expect(played.channel.status).toBe('connected'));
  return { ...both, tab, played };
}

/** Bytes that are made while they are read, and checked without being kept. */
async function* made(size: number, told: { given: number } = { given: 0 }): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += 50_000) {
    const piece = patterned(Math.min(50_000, size - at), at + 1);
    told.given += piece.length;
    yield piece;
    await Promise.resolve();
  }
}
async function isMade(stream: ByteStream, size: number): Promise<boolean> {
  let rest = Buffer.alloc(0);
  let at = 0;
  for await (const piece of stream) {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 50_000 || (at + rest.length === size && rest.length > 0)) {
      const whole = rest.subarray(0, 50_000);
      if (Buffer.compare(whole, patterned(whole.length, at + 1)) !== 0) return false;
      rest = rest.subarray(whole.length);
      at += whole.length;
    }
  }
  return at === size;
}

describe.each(['websocket', 'xhr'] as const)('bodies over %s', (only) => {
  it.each(SIZES)('[M-075][R-018] of %i bytes arrive whole, both ways', async (size) => {
    const { host, client, tab, played } = await start(only);
    const came: [string, Uint8Array][] = [];
    host.handle(up, ({ name }, body) => void came.push([name, body]));
    client.handle(down, ({ name }, body) => void came.push([name, body]));
    client.send(up, { name: 'up' }, { body: patterned(size) });
    host.send(down, { name: 'down' }, { body: patterned(size, 7) });
    await until(() => expect(came.length).toBe(2));
    const [upward, downward] = came.toSorted(([a], [b]) => (a < b ? 1 : -1));
    expect(Buffer.compare(upward?.[1] ?? Buffer.of(9), patterned(size))).toBe(0);
    expect(Buffer.compare(downward?.[1] ?? Buffer.of(9), patterned(size, 7))).toBe(0);
    expect([tab.faults, played.faults]).toEqual([[], []]);
  });

  it('streams of 20 MB go up and come back, in little memory', async () => {
    const { host, client, tab, played } = await start(only);
    const size = 20 * MB;
    const told = { given: 0 };
    host.handle(echo, (params, body) => ({ result: params, body }));
    const { body } = await client.call(echo, { name: 'round' }, { body: made(size, told), deadlineMs: PATIENCE_MS });
    expect(told.given).toBeLessThan(8 * MB);
    expect(await isMade(body, size)).toBe(true);
    expect([tab.faults, played.faults]).toEqual([[], []]);
  });

  it('a reader that stops has the sender wait: neither side keeps more than its window', async () => {
    const { host, client, tab } = await start(only);
    const upward = { given: 0 };
    const downward = { given: 0 };
    const readers: ByteStream[] = [];
    host.handle(upStream, (_params, body) => void readers.push(body));
    client.handle(downStream, (_params, body) => void readers.push(body));
    client.send(upStream, { name: 'up' }, { body: made(20 * MB, upward) });
    host.send(downStream, { name: 'down' }, { body: made(20 * MB, downward) });
    await until(() => expect(readers).toHaveLength(2));
    // Bodies take turns: while these pass, those that are not held back would have passed as much.
    let passed = 0;
    host.handle(up, (_params, body) => void (passed += body.length));
    client.handle(down, (_params, body) => void (passed += body.length));
    client.send(up, { name: 'beside' }, { body: patterned(6 * MB) });
    host.send(down, { name: 'beside' }, { body: patterned(6 * MB) });
    await until(() => expect(passed).toBe(12 * MB));
    expect(Math.max(upward.given, downward.given)).toBeLessThan(3 * MB);
    await until(() => expect(tab.isLagging).toBe(false));
    expect(await Promise.all(readers.map((each) => isMade(each, 20 * MB)))).toEqual([true, true]);
  });

  it('are aborted from either side, and the other is told', async () => {
    const { host, client, hostCarrier, clientCarrier } = await start(only);
    const ends: string[] = [];
    const abort = new AbortController();
    host.handle(upStream, async ({ name }, body) => {
      try {
        for await (const _piece of body) {
          if (name === 'leave') break;
          abort.abort();
        }
        ends.push(`${name} left`);
      } catch (thrown) {
        ends.push(`${name} ${toAppError(thrown).code}`);
      }
    });
    client.handle(downStream, async (_params, body) => {
      for await (const _piece of body) break;
    });
    const returned: string[] = [];
    async function* endless(name: string): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield new Uint8Array(20_000);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        returned.push(name);
      }
    }
    client.send(upStream, { name: 'leave' }, { body: endless('leave') });
    client.send(upStream, { name: 'abort' }, { body: endless('abort'), signal: abort.signal });
    host.send(downStream, { name: 'down' }, { body: endless('down') });
    await until(() => {
      expect(returned.toSorted()).toEqual(['abort', 'down', 'leave']);
      expect(ends.toSorted()).toEqual(['abort aborted', 'leave left']);
      expect(hostCarrier.openBodies + clientCarrier.openBodies).toBe(0);
    });
  });

  it('[R-019] hold up no message of another lane', async () => {
    const { host, client } = await start(only);
    stage.shaper.bytesPerSecond = 2 * MB;
    const order: string[] = [];
    const started = Promise.withResolvers<void>();
    client.handle(downStream, async (_params, body) => {
      for await (const _chunk of body) started.resolve();
      order.push('body');
    });
    client.handle(note, ({ name }) => void order.push(name));
    host.send(downStream, { name: 'large' }, { body: patterned(6 * MB) });
    await started.promise;
    host.send(note, { name: 'note' });
    await until(() => expect(order).toEqual(['note', 'body']));
  });

  it('go on where a connection that is cut has left off: all arrives once', async () => {
    const { host, client, tab, played } = await start(only);
    const random = new Random(only === 'xhr' ? 3 : 5);
    let cuts = 0;
    const cut = (): void => {
      const direction = random.of(['up', 'down'] as const);
      void stage.shaper.cutAfter(direction, 1 + random.below(1_500_000)).then(() => {
        if ((cuts += 1) < 6) cut();
      });
    };
    cut();
    const size = 8 * MB;
    host.handle(echo, (params, body) => ({ result: params, body }));
    const { body } = await client.call(echo, { name: 'cut' }, { body: made(size), deadlineMs: PATIENCE_MS });
    expect(await isMade(body, size)).toBe(true);
    expect(cuts).toBeGreaterThan(1);
    expect([tab.faults, played.faults]).toEqual([[], []]);
  });

  it('end where what was on its way is lost, on both sides; others go on', async () => {
    const { host, client, tab, played, hostCarrier, clientCarrier } = await start(only);
    const ends: string[] = [];
    const told = (name: string, body: ByteStream): void =>
      void body.bytes().then(
        (bytes) => ends.push(`${name} ${bytes.length}`),
        (thrown: unknown) => ends.push(`${name} ${toAppError(thrown).code}`),
      );
    host.handle(upStream, ({ name }, body) => told(name, body));
    client.handle(downStream, ({ name }, body) => told(name, body));
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (;;) {
        yield new Uint8Array(10);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    client.send(upStream, { name: 'up' }, { body: slow() });
    host.send(downStream, { name: 'down' }, { body: slow() });
    await until(() => expect(hostCarrier.openBodies + clientCarrier.openBodies).toBe(4));
    stage.shaper.isDown = true;
    stage.shaper.reset();
    for (let n = 0; n < 3100; n += 1) tab.channel.send('view', ['test.note', { name: String(n) }]);
    stage.shaper.isDown = false;
    await until(() => {
      expect(tab.attached.at(-1)).toBe(true);
      expect(ends.toSorted()).toEqual(['down bodies-lost', 'up bodies-lost']);
      expect(hostCarrier.openBodies + clientCarrier.openBodies).toBe(0);
    });
    client.send(upStream, { name: 'again' }, { body: patterned(MB) });
    host.send(downStream, { name: 'again' }, { body: patterned(MB) });
    await until(() => expect(ends.filter((end) => end === `again ${MB}`)).toHaveLength(2));
    expect([tab.faults, played.faults.filter((code) => code !== 'unknown-message')]).toEqual([[], []]);
  });
});

/** The system's code of a failed request. */
const causeOf = (thrown: unknown): string | undefined =>
  ((thrown as Error).cause as NodeJS.ErrnoException | undefined)?.code;

describe('what is posted', () => {
  const post = (query: Record<string, string>, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${stage.shaper.origin}/c/up?${String(new URLSearchParams(query))}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...headers },
      body,
    });
  const frame = (id: number, bytes: Uint8Array, isLast = false): Uint8Array<ArrayBuffer> =>
    encodeFrame([{ kind: KIND.data, body: encodePiece({ id, bytes, isLast }) }]);

  it('is taken for the person’s own channel alone, in its order, once', async () => {
    const { played, host, client, tab } = await start('websocket');
    stage.tab('c2', 'ben');
    const { query } = played.channel.names;
    const names = { ...query, msg_nr: '0' };
    const came: number[] = [];
    host.handle(up, (_params, body) => void came.push(body.length));
    client.send(up, { name: '' }, { body: new Uint8Array(5) });
    await until(() => expect(came).toEqual([5]));
    for (const [changes, status] of [
      [{ cid: 'c2' }, 404],
      [{ cid: 'nobody' }, 404],
      [{ chid: 'another' }, 404],
      [{ nr: '1' }, 200],
      [{ nr: '3' }, 400],
      [{ nr: '-1' }, 400],
      [{ nr: 'x' }, 400],
      [{ tab_id: '../..' }, 400],
    ] as const)
      expect([changes, (await post({ ...names, nr: '2', ...changes }, frame(9, new Uint8Array(3)))).status]).toEqual([
        changes,
        status,
      ]);
    expect((await post({ ...names, nr: '2' }, 'no frame')).status).toBe(400);
    expect((await post({ ...names, nr: '2' }, '{}', { 'content-type': 'application/json' })).status).toBe(400);
    // The host ends the connection while the rest is still being sent: the answer may be lost with it.
    const tooLarge = post({ ...names, nr: '2' }, new Uint8Array(2 * MAX_POSTED_BYTES + 1));
    expect([413, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']).toContain(
      await tooLarge.then(({ status }) => status, causeOf),
    );
    expect(
      (await post({ ...names, nr: '2' }, frame(9, new Uint8Array(3)), { origin: 'https://evil.test' })).status,
    ).toBe(403);
    const other = encodeFrame([{ kind: KIND.control, body: new Uint8Array(8) }]);
    expect((await post({ ...names, nr: '2' }, other)).status).toBe(400);
    // None of it has taken the number, and the client goes on.
    client.send(up, { name: '' }, { body: new Uint8Array(6) });
    await until(() => expect(came).toEqual([5, 6]));
    expect(tab.faults).toEqual([]);
  });

  it('beyond what was granted ends its body, and nothing else', async () => {
    const { played, host, client, tab, hostCarrier } = await start('websocket');
    const names = { ...played.channel.names.query, msg_nr: '0' };
    const came: number[] = [];
    host.handle(up, (_params, body) => void came.push(body.length));
    const flood = Array.from({ length: 8 }, () => ({
      kind: KIND.data,
      body: encodePiece({ id: 77, bytes: new Uint8Array(PIECE_BYTES), isLast: false }),
    }));
    expect((await post({ ...names, nr: '1' }, encodeFrame(flood))).status).toBe(200);
    expect(tab.faults).toEqual(['body-overrun']);
    expect(hostCarrier.openBodies).toBe(0);
    expect(INITIAL_CREDIT).toBeLessThan(8 * PIECE_BYTES);
    // The client counts from 1: its first request is taken for one that was repeated, its bytes are lost to it alone.
    client.send(up, { name: '' }, { body: inPieces(new Uint8Array(0), 1) as never });
    await until(() => expect(tab.packets).toHaveLength(1));
  });

  it('of random bytes is refused or dropped, and the tab goes on', async () => {
    const { played, tab } = await start('websocket');
    const names = { ...played.channel.names.query, msg_nr: '0' };
    let number = 0;
    for (let seed = 0; seed < 150; seed += 1) {
      const random = new Random(seed);
      const bytes = Uint8Array.from({ length: random.below(200) }, () => random.below(256));
      const entries = Array.from({ length: random.below(4) }, () => ({
        kind: random.of([KIND.data, KIND.data, KIND.picture]),
        body:
          random.below(2) === 0
            ? bytes
            : encodePiece({ id: 1 + random.below(50), bytes, isLast: random.below(2) === 0 }),
      }));
      const { status } = await post(
        { ...names, nr: String(number + 1) },
        random.below(3) === 0 ? bytes : encodeFrame(entries),
      );
      expect([200, 400]).toContain(status);
      if (status === 200) number += 1;
    }
    expect(number).toBeGreaterThan(10);
    tab.channel.send('view', ['test.note', { name: 'still there' }]);
    await until(() => expect(played.packets.at(-1)?.[1][1]).toEqual({ name: 'still there' }));
  });
});
