import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { channelConfig } from '../../core/channel/config.ts';
import { longPoll } from '../../core/channel/long-poll.ts';
import { ChannelStage } from './channel-stage.ts';
import type { PlayedClient, PlayedTab } from './channel-stage.ts';
import { Random } from '../../core/testing/random.ts';
import type { Fate } from './shaper.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** Time for which a pull is held, in ms: much longer than its way. */
const HELD_MS = 1500;
/** As specified (M-074). */
const PULL_HOLD_MS = 12_000;

let stage: ChannelStage;
beforeEach(async () => {
  stage = await ChannelStage.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });

/** Waits until a message has been delivered in each direction. */
async function talks(tab: PlayedTab, { channel, packets }: PlayedClient, text = 'hello'): Promise<void> {
  tab.channel.send('view', ['down', text]);
  channel.send('input', ['up', text]);
  await until(() => {
    expect(packets).toContainEqual(['view', ['down', text, 0]]);
    expect(tab.packets).toContainEqual(['up', text, 0]);
  });
}

/** A fate of websockets alone. */
const ofWebsockets =
  (fate: Fate) =>
  (line: string): Fate | undefined =>
    line.includes('/r/websocket') || line.includes('/r/wsecho') ? fate : undefined;

/** Queries of the pulls and pushes that have reached the host. */
const queries = (path: string): Record<string, string>[] =>
  stage.requests
    .filter((target) => target.startsWith(`POST /r/${path}?`))
    .map((target) => Object.fromEntries(new URLSearchParams(target.split('?')[1])));

/** Waits until so many requests, one after another, have been answered. */
async function exchanges(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await (await fetch(`${stage.shaper.origin}/healthz`)).arrayBuffer();
}

describe('a network that blocks websockets', () => {
  it.each<[string, Fate]>([
    ['refuses it', { answer: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n' }],
    ['resets it in the handshake', { resetAfter: { down: 100 } }],
    ['resets it again and again, soon after the session was found', { resetAfter: { down: 350 } }],
    ['keeps what the host says for itself', { buffersDown: true }],
  ])('[M-003] and %s: the channel uses the long poll', async (_how, fate) => {
    stage.shaper.fateOf = ofWebsockets(fate);
    const tab = stage.tab();
    tab.channel.send('view', ['down', new Random(1).text(400)]);
    const client = stage.client({ config: { wsSessionFoundMs: 300 } });
    await until(() => {
      expect(client.modes.at(-1)).toBe('xhr');
    });
    await talks(tab, client);
    expect(client.modes.at(-1)).toBe('xhr');
    expect(stage.shaper.lines.filter((line) => line.includes('/r/websocket')).length).toBeLessThanOrEqual(4);
  });

  it('[M-003][M-044] ends the channel where polling is not allowed', async () => {
    stage.shaper.fateOf = ofWebsockets({ answer: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n' });
    stage.tab();
    const { statuses } = stage.client({ only: 'websocket' });
    await until(() => {
      expect(statuses).toEqual(['dead websock-startup-failed-and-no-xhr']);
    });
    expect(queries('p')).toEqual([]);
  });

  it('[M-073] is detected by an echo', async () => {
    const passes = (wsTestMs: number): Promise<boolean> | undefined => {
      const config = channelConfig({ wsTestMs });
      return longPoll({ origin: stage.shaper.origin, config, isActive: () => true }).websocketsPass?.();
    };
    expect(await passes(PATIENCE_MS)).toBe(true);
    stage.shaper.fateOf = ofWebsockets({ answer: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
    expect(await passes(PATIENCE_MS)).toBe(false);
    stage.shaper.fateOf = ofWebsockets({ buffersDown: true });
    expect(await passes(300)).toBe(false);
  });
});

describe('a proxy that buffers', () => {
  it.each(['websocket', 'xhr'] as const)(
    '[M-003] that passes bytes in bursts: over %s all messages arrive, once and in order',
    async (only) => {
      stage.shaper.burstMs = 250;
      const tab = stage.tab();
      const client = stage.client({ only, config: { wsMaxRetries: only === 'xhr' ? 0 : 3 } });
      await until(() => {
        expect(client.channel.status).toBe('connected');
      });
      for (let n = 0; n < 100; n += 1) {
        tab.channel.send(n % 3 === 0 ? 'bulk' : 'view', ['down', [n, new Random(n).text(n * 50)]]);
        client.channel.send('input', ['up', n]);
        if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await until(() => {
        expect(client.packets).toHaveLength(100);
        expect(tab.packets.map(([, n]) => n)).toEqual([...Array(100).keys()]);
      });
      for (const lane of ['bulk', 'view']) {
        const numbers = client.packets
          .filter(([each]) => each === lane)
          .map(([, [, params]]) => (params as [number])[0]);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
      expect(client.modes).toEqual([only]);
      expect(stage.shaper.lines.filter((line) => line.includes('/r/websocket'))).toHaveLength(only === 'xhr' ? 0 : 1);
    },
  );

  it('[M-003][M-073] that holds websocket data back: the client polls, through the same proxy', async () => {
    stage.shaper.burstMs = 50;
    stage.shaper.fateOf = ofWebsockets({ buffersDown: true });
    const tab = stage.tab();
    const client = stage.client({ config: { wsSessionFoundMs: 500 } });
    await talks(tab, client);
    expect(client.modes).toEqual(['xhr']);
  });
});

describe('the long poll', () => {
  it('[M-073][M-074] names session, channel and message number, and holds the pulls of an active window', async () => {
    const tab = stage.tab();
    const client = stage.client({ only: 'xhr', config: { wsMaxRetries: 0 } });
    await talks(tab, client);
    const before = queries('p').length;
    await exchanges(20); // a pull that is not held would be repeated as often: at most the push's ack ends one
    await new Promise((resolve) => setTimeout(resolve, 1500)); // a pull that is held for a moment only would be repeated, too
    expect(queries('p').length - before).toBeLessThanOrEqual(2);
    await talks(tab, client, 'again');
    await until(() => {
      expect(queries('p').at(-1)?.['msg_nr']).toBe('2');
    });
    const pulls = queries('p');
    expect(pulls.at(-1)).toMatchObject({ cid: 'c1', rid: 'r1', tab_id: 't1', cl: 'local', tms: String(PULL_HOLD_MS) });
    expect(new Set(pulls.map(({ chid }) => chid)).size).toBe(1);
    for (const push of queries('push'))
      expect(push).toMatchObject({ chid: pulls[0]?.['chid'], msg_nr: expect.stringMatching(/^\d+$/) });
  });

  it('[M-074] of a passive window is not held, waits 3 s between pulls, and pulls immediately when the window becomes active', async () => {
    let isActive = false;
    /** Ends of the waits between two pulls: time does not. */
    const waits: (() => void)[] = [];
    const start = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...given: unknown[]) =>
      ms === 3000 ? waits.push(run) && undefined : start(run, ms, ...given)) as typeof setTimeout);
    const tab = stage.tab();
    const { channel, packets } = stage.client({
      only: 'xhr',
      config: { wsMaxRetries: 0 },
      isActive: () => isActive,
    });
    await until(() => {
      expect(channel.status).toBe('connected');
      expect(waits).toHaveLength(1);
    });
    tab.channel.send('view', ['down', 1]);
    await exchanges(20);
    expect(queries('p').map(({ tms }) => tms)).toEqual(['0']);
    expect(packets).toEqual([]);
    waits.shift()?.();
    await until(() => {
      expect(packets).toHaveLength(1);
      expect(waits).toHaveLength(1);
    });
    tab.channel.send('view', ['down', 2]);
    isActive = true;
    channel.wake();
    await until(() => {
      expect(packets).toHaveLength(2);
    });
    expect(
      queries('p')
        .map(({ tms }) => tms)
        .slice(0, 3),
    ).toEqual(['0', '0', String(PULL_HOLD_MS)]);
  });

  it('[M-076] measures round trips without the time for which the host holds a pull', async () => {
    stage.shaper.delayMs = 40;
    const startedAt = performance.now();
    const tab = stage.tab();
    const { channel, roundTrips } = stage.client({ only: 'xhr', config: { wsMaxRetries: 0 } });
    await until(() => {
      expect(channel.status).toBe('connected');
    });
    await exchanges(8); // a pull is held by now
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
    const before = roundTrips.length;
    tab.channel.send('view', ['down', 1]);
    await until(() => {
      expect(roundTrips.length).toBeGreaterThan(before);
    });
    expect(roundTrips[before]).toBeGreaterThanOrEqual(75);
    expect(roundTrips[before]).toBeLessThan(performance.now() - startedAt - HELD_MS + 10);
  });

  it('continues when a pull never returns', async () => {
    const tab = stage.tab();
    const config = { wsMaxRetries: 0, pollMaxRetries: 1000 };
    const client = stage.client({ only: 'xhr', config, pullTimeoutMs: 400 });
    await talks(tab, client);
    stage.shaper.stall('down', true);
    const before = client.statuses.filter((status) => status === 'pending').length; // a pull is held for longer, too
    tab.channel.send('view', ['down', 'while nothing returns']);
    await until(() => {
      expect(client.statuses.filter((status) => status === 'pending').length).toBeGreaterThan(before);
    });
    stage.shaper.stall('down', false);
    await talks(tab, client, 'after');
    expect(client.packets.map(([, [, text]]) => text)).toEqual(['hello', 'while nothing returns', 'after']);
  });

  it('continues through a proxy that repeats a pull: messages of the first answer are resent', async () => {
    const tab = stage.tab();
    const client = stage.client({ only: 'xhr', config: { wsMaxRetries: 0 } });
    await talks(tab, client);
    const last = stage.requests.findLast((target) => target.startsWith('POST /r/p?'))?.split(' ')[1] ?? '';
    tab.channel.send('view', ['down', 'between']);
    const repeated = await fetch(`${stage.shaper.origin}${last}`, { method: 'POST' });
    expect(repeated.status).toBe(409);
    await talks(tab, client, 'after');
    expect(client.packets.map(([, [, text]]) => text)).toEqual(['hello', 'between', 'after']);
  });

  it('[M-044] ends when another client takes the channel over, and does not take it back', async () => {
    const tab = stage.tab();
    const first = stage.client({ only: 'xhr', config: { wsMaxRetries: 0 } });
    await talks(tab, first);
    const second = stage.client();
    await until(() => {
      expect(second.channel.status).toBe('connected');
    });
    await talks(tab, second, 'second');
    await until(() => {
      expect(first.statuses.at(-1)).toBe('dead websocket-close');
    });
    expect(second.channel.status).toBe('connected');
  });

  it('[M-044] ends with session-not-found for an unknown session', async () => {
    const { statuses } = stage.client({ only: 'xhr', cid: 'nobody', config: { wsMaxRetries: 0 } });
    await until(() => {
      expect(statuses.at(-1)).toBe('dead session-not-found');
    });
  });

  it('[M-044] ends with network-error when nothing answers, with server-error when the server fails', async () => {
    const config = { wsMaxRetries: 0, pollMaxRetries: 1 };
    stage.shaper.fateOf = () => ({ answer: 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n' });
    const failing = stage.client({ only: 'xhr', config });
    await until(() => {
      expect(failing.statuses.at(-1)).toBe('dead server-error');
    });
    stage.shaper.isDown = true;
    const alone = stage.client({ only: 'xhr', config });
    await until(() => {
      expect(alone.statuses.at(-1)).toBe('dead network-error');
    });
  });
});

describe('one logical channel', () => {
  it('[M-003] continues over the long poll after the websocket, each message once', async () => {
    const tab = stage.tab();
    const client = stage.client();
    await talks(tab, client, 'by websocket');
    stage.shaper.fateOf = ofWebsockets({ answer: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
    stage.shaper.reset();
    for (let n = 0; n < 50; n += 1) {
      tab.channel.send('view', ['down', n]);
      client.channel.send('input', ['up', n]);
    }
    await until(() => {
      expect(client.packets.map(([, [, text]]) => text)).toEqual(['by websocket', ...Array(50).keys()]);
      expect(tab.packets.map(([, text]) => text)).toEqual(['by websocket', ...Array(50).keys()]);
    });
    expect(client.modes).toEqual(['websocket', 'xhr']);
    expect(tab.attached).toEqual([false, false]);
  });

  it('starts anew above the limit of kept messages, and only then', async () => {
    const tab = stage.tab();
    const client = stage.client();
    await talks(tab, client);
    for (const [count, fresh] of [
      [1500, false],
      [2500, true],
    ] as const) {
      stage.shaper.isDown = true;
      stage.shaper.reset();
      await until(() => {
        expect(tab.channel.attached).toBe(false);
      });
      for (let n = 0; n < count; n += 1) tab.channel.send('view', ['down', n]);
      stage.shaper.isDown = false;
      await until(() => {
        expect(tab.attached.at(-1)).toBe(fresh);
        expect(tab.channel.attached).toBe(true);
      });
      await talks(tab, client, `after ${count}`);
    }
    expect(client.packets.filter(([, [, text]]) => typeof text === 'number')).toHaveLength(1500);
  });
});
