import http from 'node:http';
import type { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { closing, countsOf } from './raw-person.ts';
import { useStage } from './stage.ts';
import { upstream } from './upstream.ts';
import { clientFrame, closeCodeOf, UPGRADE } from './websocket-bytes.ts';
import { TEST_LIMIT_MS } from '../../core/testing/patience.ts';

const FRAMES = process.env.VITRINE_LONG ? 10_000 : 500;
const TOGETHER = 50;
const SEED = 20_250_102;
const MEBIBYTE = 1024 * 1024;

const stage = useStage();

describe('bytes on a websocket', () => {
  /** Attaches by hand, and writes to the connection below the protocol. Returns the close code. */
  async function closedAfter(...writes: readonly Uint8Array[]): Promise<number | 'cut'> {
    const { cid = '', tab_id = '' } = stage().anna.answer;
    const query = new URLSearchParams({ cid, tab_id, rid: 'r', cl: 'local', chid: 'bytes', msg_nr: '0', xid: 'x' });
    const headers = { ...UPGRADE, cookie: stage().anna.cookie };
    const request = http.get(`${stage().host.origin}/r/websocket?${query}`, { headers, agent: false });
    const [socket, head] = await new Promise<[Duplex, Buffer]>((resolve, reject) => {
      request.once('upgrade', (_response, upgraded: Duplex, first: Buffer) => resolve([upgraded, first]));
      request.once('error', reject);
    });
    const closed = closeCodeOf(socket, head);
    for (const bytes of writes) socket.write(bytes);
    return closed;
  }
  const text = (body: string | Uint8Array): Uint8Array => clientFrame({ opcode: 1, body: Buffer.from(body) });
  const zeros = (size: number): Buffer => Buffer.alloc(size, '0');

  it.each<[string, readonly Uint8Array[], number]>([
    ['text that is no JSON', [text('{"ack":')], 4400],
    ['JSON that ends nested 10,000 deep', [text('['.repeat(10_000))], 4400],
    ['text that is no UTF-8', [text(Uint8Array.of(0xff, 0xfe))], 1007],
    [
      'a frame of the other direction',
      [clientFrame({ opcode: 2, body: Uint8Array.of(5, 0, 0, 0, 1, 0, 0, 0, 0) })],
      4400,
    ],
    ['bytes of no kind', [clientFrame({ opcode: 2, body: Uint8Array.of(255, 255, 255, 255) })], 4400],
    ['an opcode that is none', [clientFrame({ opcode: 3, body: zeros(1) })], 1002],
    ['bits that mean nothing', [clientFrame({ opcode: 1, reserved: 0x30, body: zeros(1) })], 1002],
    ['a frame that is not masked', [clientFrame({ opcode: 1, isMasked: false, body: zeros(1) })], 1002],
    ['a piece of no message', [clientFrame({ opcode: 0, body: zeros(1) })], 1002],
    ['a farewell that is longer in bytes than in letters', [text(JSON.stringify({ bye: '€'.repeat(100) }))], 1000],
    ['a ping that is too long', [clientFrame({ opcode: 9, body: zeros(126) })], 1002],
    ['a header that says 64 MB', [clientFrame({ opcode: 1, body: zeros(0), length: 64 * MEBIBYTE })], 1009],
    [
      'a header that says more than there are numbers for',
      [clientFrame({ opcode: 1, body: zeros(0), length: 2 ** 60 })],
      1009,
    ],
    [
      '64 MB in pieces',
      Array.from({ length: 128 }, (_, at) =>
        clientFrame({ opcode: at === 0 ? 1 : 0, isLast: false, body: zeros(MEBIBYTE / 2) }),
      ),
      1009,
    ],
  ])('are refused: %s', async (_what, writes, code) => {
    expect(await closedAfter(...writes)).toBe(code);
    await stage().anna.attach();
    await stage().anna.expectWorking();
  });

  it.each([
    ['a message', (deep: string) => deep],
    ['a packet', (deep: string) => `[1,1,"kbd",${deep}]`],
    ['a control', (deep: string) => `{"ack":${deep}}`],
  ])('that nest JSON 10,000 deep in %s affect nobody', async (_where, within) => {
    const { anna, ben } = stage();
    const socket = anna.socket({ chid: 'deep' });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(within('['.repeat(10_000) + ']'.repeat(10_000)));
    await ben.expectWorking();
    socket.terminate();
    await anna.attach();
    await anna.expectWorking();
  });

  it('that violate the protocol leave nothing open, whether or not the close code is read', async () => {
    const channels = async (): Promise<number> => (await countsOf(stage().host.origin)).get('vitrine_channels') ?? -1;
    const before = await channels();
    const socket = stage().anna.socket({ chid: 'broken' });
    await new Promise((resolve) => socket.once('open', resolve));
    // The underlying connection, which ws does not expose.
    const { _socket: below } = socket as unknown as { _socket: Duplex };
    below.removeAllListeners('data');
    below.write(clientFrame({ opcode: 3, body: zeros(1) }));
    await expect.poll(channels).toBeLessThanOrEqual(before);
    socket.terminate();
    await stage().anna.attach();
  });

  it('that end within a header leave nothing open', async () => {
    const channels = async (): Promise<number> => (await countsOf(stage().host.origin)).get('vitrine_channels') ?? -1;
    const before = await channels();
    for (const bytes of [[0x81], [0x81, 0xfe, 0x01], [0x81, 0xff, 0, 0, 0], [0x81, 0x85, 1, 2]]) {
      const socket = stage().anna.socket({ chid: 'cut' });
      await new Promise((resolve) => socket.once('open', resolve));
      // The underlying connection, which ws does not expose.
      const { _socket: below } = socket as unknown as { _socket: Duplex };
      below.end(Uint8Array.from(bytes));
      await closing(socket);
    }
    await expect.poll(channels).toBeLessThanOrEqual(before);
    await stage().anna.attach();
    await stage().anna.expectWorking();
  });

  it('that grow without bound when they are inflated are refused', async () => {
    const socket = stage().anna.socket({ chid: 'bomb' });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(zeros(64 * MEBIBYTE), { compress: true, binary: false });
    expect(await closing(socket)).toMatchObject({ code: 1009 });
    await stage().anna.attach();
  });
});

describe('a client that sends much and reads nothing', () => {
  const ROUNDS = 200;
  const resident = async (): Promise<number> =>
    ((await countsOf(stage().host.origin)).get('process_resident_memory_bytes') ?? 0) / MEBIBYTE;

  it('is disconnected by the echo route', async () => {
    const before = await resident();
    const address = `${stage().host.origin.replace('http', 'ws')}/r/wsecho`;
    const socket = new WebSocket(address, { perMessageDeflate: false });
    const closed = closing(socket);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.pause();
    for (let round = 0; round < ROUNDS && socket.bufferedAmount < 4 * MEBIBYTE; round++) {
      socket.send('x'.repeat(MEBIBYTE - 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await resident()).toBeLessThan(before + ROUNDS / 2);
    socket.resume();
    expect(await closed).toMatchObject({ code: expect.toBeOneOf([1006, 1008, 1013]) as number });
  });
});

describe('unknown messages', () => {
  it('are refused and counted, and do not affect other people', { timeout: TEST_LIMIT_MS + FRAMES * 20 }, async () => {
    const codes = ['bad-frame', 'bad-packet', 'bad-sequence', 'bad-message', 'unknown-message'];
    const counts = await Promise.all(
      codes.map((code) => stage().counter(`vitrine_faults_total{from="client",code="${code}"}`)),
    );
    let socket: WebSocket | undefined;
    const closes = new Set<string>();
    let seq = 0;
    const next = (): number => (seq += 1);
    const send = async (texts: readonly ((next: () => number) => string)[]): Promise<void> => {
      for (const each of texts) {
        if (socket?.readyState !== WebSocket.OPEN) {
          const fresh = stage().anna.socket({ chid: `fuzz${Math.random().toString(36).slice(2)}` });
          void closing(fresh).then(({ code, reason }) => closes.add(`${code} ${reason}`));
          await new Promise((resolve, reject) => fresh.once('open', resolve).once('error', reject));
          socket = fresh;
          seq = 0;
        }
        const open = socket;
        open.send(each(next));
        // The gateway has read them once a later ping is answered, or the connection is closed.
        await new Promise<void>((resolve) => {
          const done = (): void => {
            open.off('pong', done).off('close', done);
            resolve();
          };
          open.once('pong', done).once('close', done);
          open.ping();
        });
      }
      await stage().ben.expectWorking();
    };
    const drawn = fc.array(upstream, { minLength: TOGETHER, maxLength: TOGETHER });
    await fc.assert(fc.asyncProperty(drawn, send), { numRuns: FRAMES / TOGETHER, seed: SEED });
    socket?.terminate();
    expect([...closes].filter((each) => !/^(?:4400 not JSON|1000 [ -~]{0,100}|1009 |1006 )$/.test(each))).toEqual([]);
    // The cell reads them later, and tells the gateway of faults. It ignores those that were on their way when it closed the channel: how
    // many there are depends on the load.
    const counted = (): Promise<number[]> => Promise.all(counts.map((count) => count()));
    await expect.poll(async () => (await counted()).reduce((sum, count) => sum + count)).toBeGreaterThan(FRAMES / 10);
    const missing = async (): Promise<string[]> => {
      const found = await counted();
      return codes.filter((_code, at) => found[at] === 0);
    };
    await expect.poll(missing).toEqual([]);
    await stage().anna.attach();
    await stage().anna.expectWorking();
  });
});
