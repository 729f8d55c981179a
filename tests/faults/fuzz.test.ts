import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { parsePacket } from '../../core/protocol/endpoint.ts';
import { encodeFrame } from '../../core/protocol/frame-encoding.ts';
import { decodeFrame, KIND, Reassembly } from '../../core/protocol/frames.ts';
import type { Entry } from '../../core/protocol/frames.ts';
import { LANES } from '../../core/protocol/lanes.ts';
import { decodeJson, encodeJson, encodeSequenced, parseControl, parseUpstream } from '../../core/protocol/wire.ts';
import { randomId } from '../../core/channel/random-id.ts';
import { channelHost, testChannel } from '../../core/channel/tests/channel-host.ts';
import type { HostEnd } from '../../core/channel/tests/channel-host.ts';
import { ChannelStage } from './channel-stage.ts';
import type { PlayedTab } from './channel-stage.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const FRAMES = process.env['VITRINE_LONG'] ? 10_000 : 400;
const SEED = 20_261_121;
const sample = <T>(of: fc.Arbitrary<T>): T[] => fc.sample(of, { numRuns: FRAMES, seed: SEED });
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 2 });

/** Changes some bytes, and cuts some off. */
const damage = (bytes: Uint8Array): fc.Arbitrary<Uint8Array> =>
  fc
    .record({
      flips: fc.array(fc.tuple(fc.nat(Math.max(0, bytes.length - 1)), fc.integer({ min: 1, max: 255 })), {
        maxLength: 4,
      }),
      length: fc.option(fc.nat(bytes.length)),
    })
    .map(({ flips, length }) => {
      const copy = bytes.slice();
      for (const [at, by] of flips) copy[at] = (copy[at] ?? 0) ^ by;
      return length === null ? copy : copy.slice(0, length);
    });

const number = fc.oneof(fc.nat(20), fc.integer(), fc.double(), fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 53));
const anything = fc.oneof(fc.jsonValue({ maxDepth: 4 }), number);

describe('frames of a hostile client', () => {
  /** Stands for the number that the host waits for. */
  const NEXT = '$next';
  const message = fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constant(NEXT) }, { weight: 1, arbitrary: anything }),
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...Object.values(LANES)) }, { weight: 1, arbitrary: anything }),
      fc.array(fc.oneof(anything, fc.string({ maxLength: 120 })), { maxLength: 5 }),
    )
    .map(([seq, lane, rest]) => [seq, lane, ...rest]);
  const names = ['ack', 'ping_time', 'pong', 'rttpong', 'anim_pong', 'req-ack', 'srm', 'skip', 'rttping', 'other'];
  const control = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 4 });
  const text = fc.oneof(message, control, anything).map((value) => JSON.stringify(value));
  const frame = fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: text.chain((json) => damage(Buffer.from(json))).map((b) => Buffer.from(b).toString()) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );

  let stage: ChannelStage;
  let tab: PlayedTab;
  beforeEach(async () => {
    stage = await ChannelStage.start();
    tab = stage.tab('c1');
  });
  afterEach(() => stage.close());

  /** The number of a message, in shape or not. */
  function numberOf(data: string | Buffer): number | undefined {
    try {
      const value = parseUpstream(typeof data === 'string' ? JSON.parse(data) : undefined);
      return 'seq' in value ? value.seq : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the expected result for a frame when the host waits for number `next`. A control message's numbers may be valid or not. */
  function due(data: string | Buffer, next: number): 'taken' | 'refused' | 'cut off' | 'control' {
    try {
      const value = parseUpstream(typeof data === 'string' ? JSON.parse(data) : undefined);
      if (!('seq' in value)) return 'control';
      if (value.seq < 1 || value.seq > next) return 'cut off';
      if (value.seq === next) parsePacket(value.body);
      return 'taken';
    } catch {
      return 'refused';
    }
  }

  /** Connections of a client that breaks rules: a new one when the host has closed the last. */
  async function connect() {
    const query = {
      cid: 'c1',
      rid: 'r1',
      tab_id: 't1',
      cl: 'local',
      chid: randomId(16),
      msg_nr: '0',
      xid: 'x',
    };
    const address = `${stage.shaper.origin.replace('http', 'ws')}/r/websocket?${new URLSearchParams(query)}`;
    const socket = new WebSocket(address, { headers: { cookie: 'vitrine_person=anna' } });
    const state = { closed: undefined as string | undefined, acked: 0, pongs: new Set<number>() };
    socket.on('close', (code, reason) => (state.closed = `${code} ${reason.toString()}`));
    socket.on('error', () => undefined);
    const inflow = new Reassembly();
    socket.on('message', (data, isBinary) => {
      if (!isBinary) return;
      for (const part of decodeFrame(data as Buffer)) {
        const entry = inflow.take(part);
        if (entry?.kind !== KIND.control) continue;
        const { pong } = parseControl(decodeJson(entry.body));
        if (pong !== undefined) state.pongs.add(pong);
      }
    });
    await new Promise<void>((resolve) => socket.once('open', () => resolve()));
    return { socket, state };
  }

  it(
    `[M-077] are each taken, or refused with a code and counted; nobody else notices (${FRAMES} frames)`,
    { timeout: 900_000 },
    async () => {
      const bystander = stage.tab('c2');
      const other = stage.client({ cid: 'c2' });
      await until(() => {
        expect(other.channel.status).toBe('connected');
      });
      let { socket, state } = await connect();
      let next = 1;
      const codes = new Set<string | undefined>();
      const counted = async (): Promise<number> => tab.faults.length + (await stage.refusals('bad-frame'));
      for (const [at, given] of sample(frame).entries()) {
        const data = typeof given === 'string' ? given.replaceAll(`"${NEXT}"`, String(next)) : given;
        const expected = due(data, next);
        const before = { counted: await counted(), packets: tab.packets.length };
        socket.send(data);
        const mark = 1e9 + at;
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ ping_time: mark }));
        await until(() => {
          expect(state.pongs.has(mark) || state.closed !== undefined, String(data)).toBe(true);
        });
        const increase = (await counted()) - before.counted;
        const isClosed = state.closed !== undefined;
        const outcome = state.closed ?? (increase > 0 ? tab.faults.at(-1) : 'taken');
        const what = `${String(data)} is ${expected}: ${outcome ?? ''}`;
        codes.add(outcome);
        if (expected === 'control') expect([`true 1`, `false 0`], what).toContain(`${isClosed} ${increase}`);
        else expect(increase, what).toBe(expected === 'taken' ? 0 : 1);
        if (expected === 'cut off' || (isClosed && increase === 1 && expected !== 'refused'))
          expect(outcome, what).toBe('1000 bad-sequence');
        if (expected !== 'taken') expect(tab.packets.length, what).toBe(before.packets);
        else expect(isClosed, what).toBe(false);
        if (!isClosed && numberOf(data) === next) next += 1;
        if (state.closed !== undefined) {
          ({ socket, state } = await connect());
          next = 1;
        }
        if (at % 100 === 99) {
          bystander.channel.send('view', ['down', at]);
          other.channel.send('input', ['up', at]);
        }
      }
      const heard = Array.from({ length: Math.floor(FRAMES / 100) }, (_, n) => n * 100 + 99);
      await until(() => {
        expect(other.packets.map(([, [, n]]) => n)).toEqual(heard);
        expect(bystander.packets.map(([, n]) => n)).toEqual(heard);
      });
      expect(other.statuses).toEqual(['connected']);
      expect([...codes].toSorted()).toEqual(
        ['1000 bad-sequence', '4400 binary upstream', '4400 not JSON', 'bad-frame', 'bad-packet', 'taken'].toSorted(),
      );
      socket.close();
    },
  );
});

describe('frames of a hostile host', () => {
  const anyKind = fc.nat(8);
  const packet = fc.oneof(fc.tuple(fc.nat(50), anything), anything);
  const sequenced = fc
    .tuple(
      fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 50 }) }, number),
      fc.constantFrom('control', 'view', 'input', 'feature', 'bulk'),
      packet,
    )
    .map(([seq, lane, value]) => encodeSequenced(seq, lane, encodeJson(value)));
  const names = ['ack', 'skip', 'pong', 'rttping', 'anim_ping', 'req-ack', 'srm', 'bye'];
  const control = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 3 }).map((value) => encodeJson(value));
  const partial = fc
    .tuple(fc.array(fc.oneof(fc.nat(3), fc.nat(2 ** 32 - 1)), { minLength: 4, maxLength: 4 }), fc.uint8Array())
    .map(([header, body]) => Buffer.concat([new Uint8Array(Uint32Array.from(header).buffer), body]));
  const noise = fc.uint8Array({ maxLength: 100 });
  const entry = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom(KIND.data, KIND.picture), body: sequenced }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant(KIND.control), body: control }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant(KIND.partial), body: partial }) },
    { weight: 1, arbitrary: fc.record({ kind: anyKind, body: fc.oneof(sequenced, control, partial, noise) }) },
  );
  const whole = fc.array(entry, { maxLength: 6 }).map((entries) => encodeFrame(entries as Entry[])); // and some that are none
  const frame = fc.oneof(
    { weight: 3, arbitrary: whole },
    { weight: 2, arbitrary: whole.chain(damage) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  );

  it(
    `[M-044] are each taken, or end the client with a code; what is handed on has its shape (${FRAMES} frames)`,
    { timeout: 900_000 },
    async () => {
      const opened: HostEnd[] = [];
      const host = await channelHost((end) => {
        end.found();
        opened.push(end);
      });
      const dead = new Set<string | undefined>();
      const faults = new Set<string>();
      // This host answers no ping.
      const patient = { wsSessionFoundMs: PATIENCE_MS, pongTimeoutMs: 10 * PATIENCE_MS };
      let client = testChannel(host.origin, patient);
      let handedOn = 0;
      const connected = (): Promise<void> =>
        until(() => {
          expect(client.channel.status).toBe('connected');
        });
      await connected();
      for (const [at, bytes] of sample(frame).entries()) {
        const end = opened.at(-1);
        const mark = 1e9 + at;
        end?.socket.send(bytes);
        end?.control({ rttping: mark });
        await until(() => {
          const isAnswered = end?.controls.some(({ rttpong }) => rttpong === mark);
          expect(isAnswered || client.channel.status === 'dead', Buffer.from(bytes).toString('hex')).toBe(true);
        });
        const { told, channel } = client;
        for (const [, each] of told.packets.splice(0)) {
          expect(parsePacket(each)).toEqual(each);
          handedOn += 1;
        }
        for (const fault of told.faults) faults.add(fault);
        if (channel.status !== 'dead') continue;
        dead.add(channel.deathReason);
        client = testChannel(host.origin, patient);
        await connected();
      }
      expect([...dead]).toEqual(['server-error']);
      expect([...faults].toSorted()).toEqual(['bad-frame', 'bad-packet', 'bad-sequence']);
      expect(handedOn).toBeGreaterThan(FRAMES / 50);
      client.channel.close();
      host.close();
    },
  );
});
