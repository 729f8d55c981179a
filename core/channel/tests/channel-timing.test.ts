import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeFrame } from '../../protocol/frame-encoding.ts';
import { KIND } from '../../protocol/frames.ts';
import type { Entry, Kind } from '../../protocol/frames.ts';
import { encodeJson, encodeSequenced } from '../../protocol/wire.ts';
import type { Control } from '../../protocol/wire.ts';
import { channelConfig, MISSING_MS, WS_AGAIN_MS } from '../config.ts';
import { longPoll } from '../long-poll.ts';
import type { ConnectionEvents, Transport } from '../transport.ts';
import { testChannel } from './channel-host.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });

describe('channel timing', () => {
  /** A transport that a test plays; nothing leaves the process. `down` hands a frame to the newest connection. */
  function fakeTransport(mode: Transport['mode'] = 'websocket', websocketsPass = () => Promise.resolve(true)) {
    const sent: Control[] = [];
    const opened: ConnectionEvents[] = [];
    const transport: Transport = {
      mode,
      websocketsPass,
      open: (_names, events) => {
        opened.push(events);
        queueMicrotask(() => {
          events.found();
        });
        return { send: (text) => void sent.push(JSON.parse(text) as Control), close: () => undefined };
      },
    };
    const down = (...entries: Entry[]): void => {
      opened.at(-1)?.frame(encodeFrame(entries));
    };
    return { sent, opened, transport, down };
  }
  const control = (body: Control): Entry => ({ kind: KIND.control, body: encodeJson(body) });
  const data = (seq: number, kind: Kind = KIND.data, body = encodeJson([11, seq])): Entry => ({
    kind,
    body: encodeSequenced(seq, 'view', body),
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('[M-045] looks at the age of the oldest unacknowledged message every second: level 1 past the threshold, 2 another 5 s later', async () => {
    vi.useFakeTimers();
    const { transport } = fakeTransport();
    const { channel, told } = testChannel(
      '',
      { latencyNotificationMs: 2000, pongTimeoutMs: 60_000 },
      { websocket: transport },
    );
    await vi.advanceTimersByTimeAsync(0);
    channel.send('input', [1, null]);
    await vi.advanceTimersByTimeAsync(2999);
    expect(channel.latency).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(channel.latency).toBe(1);
    await vi.advanceTimersByTimeAsync(4000);
    expect(channel.latency).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told.latencies).toEqual([1, 2]);
    channel.close();
  });

  it('[M-075] pings every 12 s', async () => {
    vi.useFakeTimers();
    const { transport, sent } = fakeTransport();
    const { channel } = testChannel('', { pongTimeoutMs: 60_000 }, { websocket: transport });
    await vi.advanceTimersByTimeAsync(35_000);
    expect(sent.filter((each) => 'ping_time' in each)).toHaveLength(3); // 0, 12, 24 s
    channel.close();
  });

  it('[M-003] leaves a websocket that answers no ping for the long poll, and comes back when an echo passes', async () => {
    vi.useFakeTimers();
    const socket = fakeTransport();
    let passes = Promise.resolve(false);
    const poll = fakeTransport('xhr', () => passes);
    const config = { pongTimeoutMs: 3000 };
    const { channel, told } = testChannel('', config, { websocket: socket.transport, poll: poll.transport });
    await vi.advanceTimersByTimeAsync(0);
    expect(channel.mode).toBe('websocket');
    await vi.advanceTimersByTimeAsync(3000);
    expect(channel.mode).toBe('xhr');
    expect(poll.sent).toEqual([]); // a pull has its own time limit: no pings
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MS + 50);
    expect(channel.mode).toBe('xhr');
    passes = Promise.resolve(true);
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MS * 2 - 100);
    expect(channel.mode).toBe('xhr');
    await vi.advanceTimersByTimeAsync(200);
    expect(channel.mode).toBe('websocket');
    expect(socket.opened).toHaveLength(2);
    expect(told.statuses.at(-1)).toBe('connected');
    expect(told.statuses.filter((status) => status.startsWith('dead'))).toEqual([]);
    channel.close();
  });

  it('[M-003] leaves a websocket that has answered pings, too, once it answers none', async () => {
    vi.useFakeTimers();
    const socket = fakeTransport();
    const poll = fakeTransport('xhr');
    const config = { pongTimeoutMs: 3000 };
    const { channel } = testChannel('', config, { websocket: socket.transport, poll: poll.transport });
    await vi.advanceTimersByTimeAsync(0);
    for (let pings = 1; pings <= 3; pings += 1) {
      expect(socket.sent.filter((each) => 'ping_time' in each)).toHaveLength(pings);
      await vi.advanceTimersByTimeAsync(2999);
      expect(channel.mode).toBe('websocket');
      if (pings < 3) socket.down(control({ pong: Date.now() }));
      await vi.advanceTimersByTimeAsync(1);
      if (pings < 3) await vi.advanceTimersByTimeAsync(9000);
    }
    expect(channel.mode).toBe('xhr');
    channel.close();
  });

  it('[M-074] waits 3 s between the pulls of a passive window', async () => {
    vi.useFakeTimers();
    const pulls: number[] = [];
    vi.stubGlobal('fetch', () => {
      pulls.push(performance.now());
      return Promise.resolve(new Response(null));
    });
    const told = { found: () => undefined, notFound: () => undefined, frame: () => undefined, closed: () => undefined };
    const connection = longPoll({ origin: 'http://host.test', config: channelConfig({}), isActive: () => false }).open(
      { query: {}, received: () => 0 },
      { ...told, roundTrip: () => undefined },
    );
    await vi.advanceTimersByTimeAsync(9000);
    connection.close();
    expect(pulls.map((at) => at - (pulls[0] ?? 0))).toEqual([0, 3000, 6000, 9000]);
  });

  it('[M-076] takes the time for which the host has held a pull off its round trip', async () => {
    vi.useFakeTimers();
    const answers = [
      { after: 80, held: '0' },
      { after: 11_080, held: '11000.5' },
      { after: 70, held: undefined },
      { after: 50, held: '60' }, // the clocks of two machines
    ];
    vi.stubGlobal('fetch', async () => {
      const { after, held } = answers.shift() ?? { after: 60_000, held: '0' };
      await new Promise((resolve) => setTimeout(resolve, after));
      return new Response(null, { ...(held !== undefined && { headers: { 'x-backend-delay': held } }) });
    });
    const config = channelConfig({});
    const roundTrips: number[] = [];
    const told = { found: () => undefined, notFound: () => undefined, frame: () => undefined, closed: () => undefined };
    const connection = longPoll({ origin: 'http://host.test', config, isActive: () => true }).open(
      { query: {}, received: () => 0 },
      { ...told, roundTrip: (ms) => void roundTrips.push(ms) },
    );
    await vi.advanceTimersByTimeAsync(11_300);
    expect(roundTrips).toEqual([80, 79.5, 70, 0]);
    connection.close();
  });

  it('[R-085] answers rttping with rttpong at once, and anim_ping with anim_pong in the next animation frame', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16)); // of the browser
    const { transport, sent, down } = fakeTransport();
    const { channel } = testChannel('', { pongTimeoutMs: 60_000 }, { websocket: transport });
    await vi.advanceTimersByTimeAsync(0);
    down(control({ rttping: 7.5, anim_ping: 8.5 }));
    expect(sent.slice(1)).toEqual([{ rttpong: 7.5 }]);
    await vi.advanceTimersByTimeAsync(16);
    expect(sent.slice(1)).toEqual([{ rttpong: 7.5 }, { anim_pong: 8.5 }]);
    channel.close();
  });

  it('[R-085] asks for acknowledgements with req-ack when they lag, once for each level, and gives them when asked', async () => {
    vi.useFakeTimers();
    const { transport, sent, down } = fakeTransport();
    const config = { latencyNotificationMs: 2000, pongTimeoutMs: 60_000 };
    const { channel, told } = testChannel('', config, { websocket: transport });
    await vi.advanceTimersByTimeAsync(0);
    channel.send('input', [1, null]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent.filter((each) => 'req-ack' in each)).toHaveLength(2);
    down(control({ ack: 1 }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(told.latencies).toEqual([1, 2, 0]);
    down(data(1), control({ 'req-ack': true }));
    expect(sent.at(-1)).toEqual({ ack: 1 });
    channel.close();
  });

  it('[R-085] asks with srm for what is missing when nothing comes any more', async () => {
    vi.useFakeTimers();
    const { transport, sent, down } = fakeTransport();
    const { channel, told } = testChannel('', { pongTimeoutMs: 60_000 }, { websocket: transport });
    await vi.advanceTimersByTimeAsync(0);
    down(data(1), data(3));
    await vi.advanceTimersByTimeAsync(MISSING_MS - 1000);
    down(control({ ack: 0 })); // something comes
    await vi.advanceTimersByTimeAsync(MISSING_MS - 1);
    expect(sent.filter((each) => 'srm' in each)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    await vi.advanceTimersByTimeAsync(MISSING_MS - 1000);
    expect(sent.filter((each) => 'srm' in each)).toEqual([{ srm: 1 }]); // its answer takes a while
    down(data(2), data(3));
    await vi.advanceTimersByTimeAsync(3 * MISSING_MS);
    expect(sent.filter((each) => 'srm' in each)).toHaveLength(1);
    expect(told.packets.map(([, [, seq]]) => seq)).toEqual([1, 3, 2]);
    channel.close();
  });

  it('hands on commits, canvases and pictures as bytes with their kind, and passes over what a newer one has replaced', async () => {
    const { transport, down } = fakeTransport();
    const { channel, told } = testChannel('', {}, { websocket: transport });
    await until(() => {
      expect(channel.status).toBe('connected');
    });
    const bytes = new Uint8Array([1, 2]);
    [KIND.commit, KIND.canvas, KIND.picture].forEach((kind, index) => {
      down(data(index + 1, kind, bytes));
    });
    down(data(4, KIND.picture, new Uint8Array()), data(5));
    expect(told.binaries).toEqual([KIND.commit, KIND.canvas, KIND.picture].map((kind) => [kind, 'view', bytes]));
    expect(told.packets).toHaveLength(1);
    expect(told.faults).toEqual([]);
    channel.close();
  });
});
