import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { channelConfig, MAX_BACKOFF_MS, STABLE_MS, WS_AGAIN_MAX_MS, WS_AGAIN_MS } from '../config.ts';
import type { ChannelConfig } from '../config.ts';
import { Line } from '../line.ts';
import type { ChannelNames, Connection, ConnectionEvents, Transport } from '../transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection that the line has opened, as its transport sees it. */
interface Opened {
  readonly mode: Transport['mode'];
  readonly names: ChannelNames;
  readonly events: ConnectionEvents;
  readonly sent: string[];
  isClosed: boolean;
  wakes: number;
}

interface Played {
  readonly config?: Partial<ChannelConfig>;
  readonly polls?: boolean;
  /** Answers of the echo, the last of which is repeated. */
  readonly passes?: (boolean | Promise<boolean>)[];
}

function played({ config = {}, polls = true, passes = [false] }: Played = {}) {
  const opened: Opened[] = [];
  const told: unknown[] = [];
  const refusing = { error: undefined as Error | undefined };
  let asked = 0;
  const transport = (mode: Transport['mode']): Transport => ({
    mode,
    open: (names, events): Connection => {
      if (refusing.error) throw refusing.error;
      const one: Opened = { mode, names, events, sent: [], isClosed: false, wakes: 0 };
      opened.push(one);
      return {
        send: (text) => one.sent.push(text),
        close: () => (one.isClosed = true),
        wake: () => (one.wakes += 1),
      };
    },
    ...(mode === 'xhr' && {
      websocketsPass: () => Promise.resolve(passes[Math.min(asked++, passes.length - 1)] ?? false),
    }),
  });
  const line = new Line({
    config: channelConfig({ wsSessionFoundMs: 5000, wsBackoffMs: 200, wsReconnectMs: 20_000, ...config }),
    websocket: transport('websocket'),
    ...(polls && { poll: transport('xhr') }),
    names: { query: { cid: 'c', chid: 'h' }, received: () => 7 },
    events: {
      found: () => told.push('found'),
      frame: (bytes) => told.push(['frame', ...bytes]),
      roundTrip: (ms) => told.push(['roundTrip', ms]),
      lost: () => told.push('lost'),
      dead: (reason) => told.push(['dead', reason]),
      fault: ({ code, cause }) => told.push([code, cause]),
    },
  });
  const last = (): Opened => opened.at(-1)!;
  /** Ends the connection, and waits for the next one, in steps of 10 ms. Returns the time that it took. */
  const again = async (why: 'network' | 'server' = 'network'): Promise<number> => {
    const count = opened.length;
    last().events.closed(why);
    for (let ms = 0; ms <= 5000; ms += 10) {
      if (opened.length > count) return ms;
      await vi.advanceTimersByTimeAsync(10);
    }
    return Infinity;
  };
  return { line, opened, told, last, again, refusing, asked: () => asked };
}

describe('a line', () => {
  it('begins with one websocket, which has a name of its own', () => {
    const { line, opened, last } = played();
    line.connect();
    line.connect();
    expect(opened).toHaveLength(1);
    expect([line.mode, last().mode]).toEqual(['websocket', 'websocket']);
    expect(last().names.query).toEqual({ cid: 'c', chid: 'h', xid: expect.stringMatching(/^.{16}$/) as string });
    expect([last().names.received(), line.names.query]).toEqual([7, { cid: 'c', chid: 'h' }]);
  });

  it('reports what its connection does, and sends by it', async () => {
    const { line, last, told, again } = played();
    line.send('nobody is there');
    line.connect();
    last().events.found();
    last().events.frame(Uint8Array.of(1, 2));
    last().events.roundTrip(12);
    line.send('a');
    expect(last().sent).toEqual(['a']);
    expect(told).toEqual(['found', ['frame', 1, 2], ['roundTrip', 12]]);
    const { names } = last();
    await again();
    line.send('b');
    expect(last().sent).toEqual(['b']);
    expect(last().names.query['xid']).not.toBe(names.query['xid']);
  });

  it('hears nothing more of a connection that it has left, nor after its end', async () => {
    const { line, opened, told, again } = played();
    line.connect();
    await again();
    const [first] = opened;
    told.length = 0;
    expect(first?.isClosed).toBe(true);
    first?.events.found();
    first?.events.frame(Uint8Array.of(1));
    expect(told).toEqual([]);
    line.close();
    expect(opened[1]?.isClosed).toBe(true);
    opened[1]?.events.found();
    opened[1]?.events.closed('network');
    opened[1]?.events.notFound();
    line.connect();
    line.wake();
    line.lost(true);
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MAX_MS);
    expect([opened.length, told]).toEqual([2, []]);
  });

  it('dies where the host does not know the session, or wants this client no more', () => {
    for (const [event, reason] of [
      ['notFound', 'session-not-found'],
      ['final', 'websocket-close'],
    ] as const) {
      const { line, last, told } = played();
      line.connect();
      if (event === 'final') last().events.closed('final');
      else last().events.notFound();
      expect(told).toEqual([['dead', reason]]);
      expect(last().isClosed).toBe(true);
      last().events.notFound();
      expect(told).toHaveLength(1);
    }
  });

  it('reports a browser that refuses a connection, and tries again', async () => {
    const { line, opened, told, refusing } = played();
    refusing.error = new Error('no more sockets');
    line.connect();
    expect(told).toEqual([['websocket-create-failed', refusing.error], 'lost']);
    refusing.error = undefined;
    await vi.advanceTimersByTimeAsync(199);
    expect(opened).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened).toHaveLength(1);
  });

  it('connects at once where it is woken while it waits, and otherwise wakes its connection', async () => {
    const { line, opened, last } = played();
    line.wake(); // nothing to do yet
    expect(opened).toHaveLength(0);
    line.connect();
    line.wake();
    expect([opened.length, last().wakes]).toEqual([1, 1]);
    last().events.closed('network');
    line.wake();
    expect([opened.length, last().wakes]).toEqual([2, 1]); // a new one may wait, too
    await vi.advanceTimersByTimeAsync(4000);
    expect(opened).toHaveLength(2);
  });
});

describe('[M-003] a websocket', () => {
  it('that is not answered in time gives way to the poll at once', async () => {
    const { line, opened, told, last } = played();
    line.connect();
    await vi.advanceTimersByTimeAsync(4999);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(opened.map(({ mode, isClosed }) => [mode, isClosed])).toEqual([
      ['websocket', true],
      ['xhr', false],
    ]);
    expect([line.mode, told]).toEqual(['xhr', ['lost']]);
    // A poll has no such limit.
    await vi.advanceTimersByTimeAsync(20_000);
    expect([opened.length, last().isClosed]).toEqual([2, false]);
  });

  it('that is answered stays', async () => {
    const { line, opened, last } = played();
    line.connect();
    last().events.found();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([opened.length, last().isClosed]).toEqual([1, false]);
  });

  it('is tried again after longer and longer waits, and gives way to the poll when it has failed too often', async () => {
    const { line, opened, last, again } = played({ config: { wsMaxRetries: 4 } });
    line.connect();
    last().events.found();
    expect([await again(), await again(), await again(), await again()]).toEqual([200, 400, 800, MAX_BACKOFF_MS]);
    expect(line.mode).toBe('websocket');
    expect(await again()).toBe(10); // at once
    expect([line.mode, opened.length]).toEqual(['xhr', 6]);
  });

  it('that lasted for a while has not failed', async () => {
    const { line, last, again } = played({ config: { wsMaxRetries: 1 } });
    line.connect();
    for (const [lasts, waits] of [
      [STABLE_MS, 200],
      [STABLE_MS, 200],
      [STABLE_MS - 500, 10],
    ] as const) {
      last().events.found();
      await vi.advanceTimersByTimeAsync(lasts);
      expect(await again()).toBe(waits);
    }
    expect(line.mode).toBe('xhr');
  });

  it('that is silent is not closed in vain where there is no poll', async () => {
    const { line, opened, told, last } = played({ polls: false, config: { wsMaxRetries: 1 } });
    line.connect();
    await vi.advanceTimersByTimeAsync(5000 + 200);
    expect(opened.map(({ mode }) => mode)).toEqual(['websocket', 'websocket']);
    last().events.closed('network');
    expect(told).toEqual(['lost', ['dead', 'websock-startup-failed-and-no-xhr']]);
  });
});

describe('[M-044] the end of a line', () => {
  it('comes when it was lost for longer than a person waits, and says why', async () => {
    for (const [why, polls, reason] of [
      ['network', false, 'no-fallback-to-xhr'],
      ['server', true, 'server-error'],
      ['network', true, 'network-error'],
    ] as const) {
      const { line, last, told, again } = played({ polls, config: { wsMaxRetries: 1, pollMaxRetries: 2 } });
      line.connect();
      last().events.found();
      await vi.advanceTimersByTimeAsync(STABLE_MS);
      const begun = Date.now();
      while ((await again(why)) < Infinity) expect(Date.now() - begun).toBeLessThan(22_000);
      expect(told.at(-1)).toEqual(['dead', reason]);
      expect(Date.now() - begun).toBeGreaterThanOrEqual(20_000);
    }
  });

  it('does not wait for a host that has never been found', async () => {
    const { line, told, again } = played({ config: { wsMaxRetries: 1, pollMaxRetries: 2 } });
    line.connect();
    // The websocket, its one retry; the poll, and its two.
    const waits = [await again(), await again(), await again(), await again()];
    expect(waits).toEqual([200, 10, 200, 400]);
    expect(await again()).toBe(Infinity);
    expect(told.at(-1)).toEqual(['dead', 'network-error']);
  });

  it('counts from the first loss since the host was found last', async () => {
    const { line, last, told, again } = played({ polls: false, config: { wsMaxRetries: 0 } });
    line.connect();
    last().events.found();
    for (let n = 0; n < 15; n++) await again();
    last().events.found();
    for (let n = 0; n < 15; n++) await again();
    expect(told.some((each) => Array.isArray(each))).toBe(false);
  });

  it('names what has ended the last connection alone', async () => {
    const { line, last, told, again } = played({ config: { wsMaxRetries: 0, pollMaxRetries: 0, wsReconnectMs: 0 } });
    line.connect();
    await again('server');
    last().events.found();
    line.lost(true);
    expect(told.at(-1)).toEqual(['dead', 'network-error']);
  });
});

describe('[M-003] a line that polls', () => {
  const polling = async (more: Played = {}) => {
    const one = played(more);
    one.line.connect();
    await vi.advanceTimersByTimeAsync(5001); // the websocket is silent
    one.last().events.found();
    one.told.length = 0;
    return one;
  };

  it('asks for websockets now and again, and goes back to them', async () => {
    const { line, opened, told, last, asked } = await polling({ passes: [false, false, true] });
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MS - 1);
    expect(asked()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * WS_AGAIN_MS - 1);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([asked(), line.mode]).toEqual([2, 'xhr']);
    await vi.advanceTimersByTimeAsync(4 * WS_AGAIN_MS);
    expect(opened.map(({ mode, isClosed }) => [mode, isClosed])).toEqual([
      ['websocket', true],
      ['xhr', true],
      ['websocket', false],
    ]);
    expect([line.mode, told]).toEqual(['websocket', ['lost']]);
    last().events.found();
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MAX_MS);
    expect(asked()).toBe(3);
  });

  it('asks no more often than at the longest interval, and from the first on where it polled for so long', async () => {
    const { last, asked, again } = await polling();
    let wait = WS_AGAIN_MS;
    for (let n = 1; n < 8; n++) {
      await vi.advanceTimersByTimeAsync(wait);
      expect(asked()).toBe(n);
      wait = Math.min(WS_AGAIN_MAX_MS, 2 * wait);
    }
    await again();
    last().events.found();
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MS);
    expect(asked()).toBe(8);
    await again(); // which lasted for a short time: the interval goes on
    last().events.found();
    await vi.advanceTimersByTimeAsync(2 * WS_AGAIN_MS - 1);
    expect(asked()).toBe(8);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked()).toBe(9);
  });

  it('ignores an answer that is about an earlier connection, or comes after its end', async () => {
    for (const isOver of [false, true]) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const { line, last, opened, again } = await polling({ passes: [promise] });
      await vi.advanceTimersByTimeAsync(WS_AGAIN_MS);
      if (isOver) line.close();
      else await again();
      const count = opened.length;
      resolve(true);
      await vi.advanceTimersByTimeAsync(100);
      expect([line.mode, opened.length]).toEqual(['xhr', count]);
      expect(last().isClosed).toBe(isOver);
    }
  });

  it('has failed none of its attempts once websockets pass', async () => {
    const { last, again, line } = await polling({ passes: [true], config: { wsMaxRetries: 2 } });
    await vi.advanceTimersByTimeAsync(WS_AGAIN_MS);
    expect(line.mode).toBe('websocket');
    last().events.found();
    expect([await again(), await again()]).toEqual([200, 400]);
    expect(line.mode).toBe('websocket');
  });
});
