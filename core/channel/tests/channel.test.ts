import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Packet } from '../../protocol/endpoint.ts';
import { encodeFrame } from '../../protocol/frame-encoding.ts';
import { KIND } from '../../protocol/frames.ts';
import { SESSION_NOT_FOUND } from '../../protocol/wire.ts';
import { ACK_EVERY, channelConfig } from '../config.ts';
import type { ChannelConfig } from '../config.ts';
import type { Transport } from '../transport.ts';
import { channelHost, testChannel } from './channel-host.ts';
import type { HostEnd } from './channel-host.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

/** As specified (M-074). */
const PULL_HOLD_MS = 12_000;

const undo: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const each of undo.splice(0).reverse()) each();
});

async function start(
  onEnd: (end: HostEnd, index: number) => void,
  ...rest: [config?: Parameters<typeof testChannel>[1]]
) {
  const host = await channelHost(onEnd);
  const { channel, told } = testChannel(host.origin, ...rest);
  undo.push(host.close, () => {
    channel.close();
  });
  return { ...host, channel, told };
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });
const numbers = (packets: readonly (readonly [unknown, Packet])[]): unknown[] => packets.map(([, [op]]) => op);

describe('channel', () => {
  it('[M-073][M-074][M-075][S-126] opens /r/websocket with its names and a tracking query of 16 random characters', async () => {
    const { ends, told } = await start((end) => {
      end.found();
    });
    await until(() => {
      expect(told.statuses).toEqual(['connected']);
    });
    const [end] = ends;
    expect(end?.path).toBe('/r/websocket');
    expect(Object.fromEntries(end?.query ?? [])).toMatchObject({
      cid: 'c1',
      rid: 'r1',
      tab_id: 't1',
      cl: 'local',
      msg_nr: '0',
    });
    expect(end?.query.get('xid')).toMatch(/^[\w-]{16}$/);
    expect(end?.query.get('chid')).toMatch(/^[\w-]{16}$/);
  });

  it('reports a websocket that cannot be created', async () => {
    const refusing: Transport = {
      mode: 'websocket',
      open: () => {
        throw new TypeError('forbidden');
      },
    };
    const { channel, told } = testChannel('http://127.0.0.1:1', { wsMaxRetries: 0 }, { websocket: refusing });
    undo.push(() => {
      channel.close();
    });
    expect(told.faults).toEqual(['websocket-create-failed']);
    expect(channel.deathReason).toBe('websock-startup-failed-and-no-xhr');
  });

  it('[M-073] sends packets as JSON arrays that begin with their number, those from before the connection too', async () => {
    const { ends, channel } = await start((end) => {
      setTimeout(() => {
        end.found();
      }, 50);
    });
    channel.send('input', [3, { a: 1 }]);
    expect(channel.status).toBe('pending');
    await until(() => {
      expect(channel.status).toBe('connected');
    });
    channel.send('control', ['by-name', null, 4]);
    await until(() => {
      expect(ends[0]?.packets).toEqual([
        { seq: 1, lane: 'input', body: [3, { a: 1 }, 0] },
        { seq: 2, lane: 'control', body: ['by-name', null, 4] },
      ]);
    });
  });

  it('sends again over a new connection what was not acknowledged, as the same logical channel', async () => {
    const { ends, channel } = await start((end, index) => {
      end.found();
      if (index === 1) end.control({ ack: 1 });
    });
    await until(() => {
      expect(channel.status).toBe('connected');
    });
    channel.send('input', [1, null]);
    channel.send('input', [2, null]);
    channel.send('input', [3, null]);
    await until(() => {
      expect(ends[0]?.packets).toHaveLength(3);
    });
    ends[0]?.control({ ack: 1 });
    ends[0]?.control({ rttping: 7 });
    await until(() => {
      expect(ends[0]?.controls).toContainEqual({ rttpong: 7 }); // so it has the acknowledgement, too
    });
    ends[0]?.socket.terminate();
    await until(() => {
      expect(ends[1]?.packets.map(({ seq }) => seq)).toEqual([2, 3]);
    });
    expect(ends[1]?.query.get('chid')).toBe(ends[0]?.query.get('chid'));
  });

  it('says what it has, and delivers once what comes twice', async () => {
    const { ends, told } = await start((end, index) => {
      end.found();
      if (index === 0) for (const seq of [1, 2, 4]) end.data(seq, 'view', [seq + 10, null]);
      else for (const seq of [3, 4, 5]) end.data(seq, 'view', [seq + 10, null]);
    });
    await until(() => {
      expect(told.packets).toHaveLength(3);
    });
    await until(() => {
      expect(ends[0]?.controls).toContainEqual({ ack: 2 });
    });
    ends[0]?.socket.terminate();
    await until(() => {
      expect(numbers(told.packets)).toEqual([11, 12, 14, 13, 15]);
    });
    expect(ends[1]?.query.get('msg_nr')).toBe('2');
    await until(() => {
      expect(ends[1]?.controls).toContainEqual({ ack: 5 });
    });
  });

  it('gathers acknowledgements, and stops waiting for what the host skips', async () => {
    const { ends } = await start((end) => {
      end.found();
      for (let seq = 1; seq <= ACK_EVERY * 2; seq += 1) end.data(seq, 'view', [9, null]);
      end.control({ skip: ACK_EVERY * 3 });
      end.data(ACK_EVERY * 3 + 1, 'view', [9, null]);
    });
    const acks = (): number[] => (ends[0]?.controls ?? []).flatMap(({ ack }) => (ack === undefined ? [] : [ack]));
    await until(() => {
      expect(acks().at(-1)).toBe(ACK_EVERY * 3 + 1);
    });
    // None is later than for so many; earlier ones come when time has passed, of a busy machine too.
    const steps = [0, ...acks()].map((ack, at, all) => ack - (all[at - 1] ?? 0));
    expect(Math.max(...steps.slice(0, -1))).toBeLessThanOrEqual(ACK_EVERY);
    expect(acks().length).toBeLessThanOrEqual(8);
  });

  it('delivers a small message while a large one of another lane is still on its way', async () => {
    const { told } = await start((end) => {
      end.found();
      end.pieces(1, 'bulk', [20, 'x'.repeat(200_000)], () => {
        end.data(2, 'input', [21, null]);
      });
    });
    await until(() => {
      expect(numbers(told.packets)).toEqual([21, 20]);
    });
    expect(told.packets[1]?.[1][1]).toHaveLength(200_000);
  });

  it('[M-096] passes over a message of no shape and delivers those after it', async () => {
    const { told, channel } = await start((end) => {
      end.found();
      end.data(1, 'view', [-5, null]);
      end.data(2, 'view', [11, null]);
    });
    await until(() => {
      expect(numbers(told.packets)).toEqual([11]);
    });
    expect(told.faults).toEqual(['bad-packet']);
    expect(channel.status).toBe('connected');
  });

  it.each<[string, (end: HostEnd) => void]>([
    ['the marker', (end) => end.socket.send(SESSION_NOT_FOUND)],
    ['the code', (end) => end.socket.close(4404)], // the marker was lost
  ])('[M-044] [M-075] dies of session-not-found without trying again, by %s alone', async (_how, say) => {
    const { ends, told } = await start(say);
    await until(() => {
      expect(told.statuses).toEqual(['dead session-not-found']);
    });
    // One that has lost its connection since has tried again by then, after the same pause.
    const other = await start((end, index) => {
      end.found();
      if (index === 0) end.socket.terminate();
    });
    await until(() => {
      expect(other.ends).toHaveLength(2);
    });
    expect(ends).toHaveLength(1);
  });

  it.each<[string, (end: HostEnd) => void, string]>([
    ['a frame that cannot be read', (end) => end.socket.send(new Uint8Array([1, 2, 3])), 'server-error'],
    ['a goodbye', (end) => end.control({ bye: 'draining' }), 'server-error'],
    ['a client that took its place', (end) => end.socket.close(1000, 'replaced'), 'websocket-close'],
    [
      'partials that contradict each other',
      (end) => end.socket.send(encodeFrame([{ kind: KIND.partial, body: new Uint8Array(20) }])),
      'server-error',
    ],
  ])('[M-044] ends with %s', async (_what, happen, reason) => {
    const { told, channel } = await start((end) => {
      end.found();
      happen(end);
    });
    await until(() => {
      expect(told.statuses.at(-1)).toBe(`dead ${reason}`);
    });
    expect(channel.deathReason).toBe(reason);
    expect(() => {
      channel.send('input', [1, null]);
    }).toThrow(expect.objectContaining({ code: 'channel-dead' }));
  });

  it('[M-044] ends with network-error once nobody acknowledges as much as it keeps', async () => {
    const { told, channel } = await start((end) => {
      end.found();
    });
    await until(() => {
      expect(told.statuses).toEqual(['connected']);
    });
    for (let n = 0; n < 2000; n++) channel.send('input', ['kbd', n]);
    expect(channel.status).toBe('connected');
    channel.send('input', ['kbd', 2000]);
    expect(told.statuses).toEqual(['connected', 'dead network-error']);
  });

  it('[M-044] is dead for good after client-close', async () => {
    const { told, channel, ends } = await start((end) => {
      end.found();
    });
    await until(() => {
      expect(told.statuses).toEqual(['connected']);
    });
    channel.close();
    channel.close();
    channel.wake();
    expect(told.statuses).toEqual(['connected', 'dead client-close']);
    await until(() => {
      expect(ends[0]?.socket.readyState).toBe(3);
    });
    expect(ends).toHaveLength(1);
  });

  it('[M-044] gives up a start that fails after its retries', async () => {
    const { ends, told } = await start(
      (end) => {
        end.socket.terminate();
      },
      { wsMaxRetries: 2 },
    );
    await until(() => {
      expect(told.statuses).toEqual(['dead websock-startup-failed-and-no-xhr']);
    });
    expect(ends).toHaveLength(3);
  });

  it('[M-044] goes on trying once it was connected, until the time for that is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] }); // it moves on by looks
    const { ends, told } = await start(
      (end, index) => {
        if (index === 0) end.found();
        else end.socket.terminate();
      },
      { wsMaxRetries: 1, wsReconnectMs: 1500 },
    );
    await until(() => {
      expect(told.statuses).toEqual(['connected']);
    });
    ends[0]?.socket.terminate();
    await until(() => {
      expect(told.statuses).toEqual(['connected', 'pending', 'dead no-fallback-to-xhr']);
    });
    expect(ends.length).toBeGreaterThan(3);
  });

  it('leaves a connection that does not find the session in time', async () => {
    const { ends, channel } = await start(
      (end, index) => {
        if (index > 0) end.found();
      },
      { wsSessionFoundMs: 500 },
    );
    await until(() => {
      expect(channel.status).toBe('connected');
    });
    expect(ends.length).toBeGreaterThan(1);
  });

  it('[M-075] pings when connected, measures the answer, and leaves a connection that does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // they move on by looks
    const { ends, told } = await start(
      (end, index) => {
        end.socket.on('message', (data) => {
          const value = JSON.parse((data as Buffer).toString()) as { ping_time?: number };
          if (index === 0 && value.ping_time !== undefined) end.control({ pong: value.ping_time });
        });
        end.found();
      },
      { pongTimeoutMs: 1000 },
    );
    await until(() => {
      expect(told.roundTrips).toHaveLength(1);
    });
    ends[0]?.socket.terminate();
    await until(() => {
      expect(ends.length).toBeGreaterThan(2);
    });
    expect(told.roundTrips).toHaveLength(1);
    expect(ends[1]?.controls[0]?.ping_time).toBeTypeOf('number');
  });

  it('refuses a message that is larger than the host takes, and goes on', async () => {
    const { channel, ends } = await start((end) => {
      end.found();
    });
    expect(() => {
      channel.send('feature', [1, 'ü'.repeat(600_000)]);
    }).toThrow(expect.objectContaining({ code: 'message-too-large' }));
    channel.send('feature', [2, 'ü'.repeat(400_000)]);
    await until(() => {
      expect(ends[0]?.packets.map(({ seq, body }) => [seq, body[0]])).toEqual([[1, 2]]);
    });
  });
});

describe('channel configuration', () => {
  it('[M-062] has all parameters, three retries, and a pull that outlasts the hold', () => {
    const config = channelConfig();
    expect(config.wsMaxRetries).toBe(3);
    expect(config.pollMaxRetries).toBe(3);
    expect(config.pullTimeoutMs).toBeGreaterThan(PULL_HOLD_MS);
  });

  it.each([
    ['a pull no longer than the hold', { pullTimeoutMs: 12_000 }],
    ['no push timeout', { pushTimeoutMs: undefined }],
    ['no pong timeout', { pongTimeoutMs: undefined }],
    ['no high RTT', { highRttMs: undefined }],
    ['no latency threshold', { latencyNotificationMs: undefined }],
    ['no session-found timeout', { wsSessionFoundMs: undefined }],
    ['no reconnect timeout', { wsReconnectMs: undefined }],
    ['no test timeout', { wsTestMs: undefined }],
    ['no back-off', { wsBackoffMs: Number.NaN }],
  ])('[M-062] refuses %s', (_what, given) => {
    const refusal = expect.objectContaining({ code: 'channel-config' });
    expect(() => channelConfig(given)).toThrow(refusal);
    const open = vi.fn();
    const config = { ...channelConfig(), ...given } as ChannelConfig; // as code without types could have it
    expect(() => testChannel('http://127.0.0.1:1', {}, { config, websocket: { mode: 'websocket', open } })).toThrow(
      refusal,
    );
    expect(open).not.toHaveBeenCalled();
  });
});
