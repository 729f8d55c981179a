import { describe, expect, it, vi } from 'vitest';
import { KIND } from '../../../core/protocol/frames.ts';
import { Inbox, INBOX_WINDOW } from '../../../core/protocol/sequence.ts';
import { SILENCE_MS, UPKEEP_MS } from '../channel/channel.ts';
import { HIGH_WATER_BYTES, LOW_WATER_BYTES } from '../channel/sender.ts';
import { open, Peer, turn, upstream } from './channel-peer.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

describe('upkeep of a channel', () => {
  it('[R-085] measures round trips, and accepts rttpong and anim_pong only as answers to its own pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const { channel, faults } = open();
      const peer = new Peer();
      const end = channel.attach('c', 0, peer);
      expect([channel.roundTrip, channel.paint]).toEqual([undefined, undefined]);
      vi.advanceTimersByTime(UPKEEP_MS);
      await turn();
      const asked = peer.controls.find(({ rttping }) => rttping !== undefined);
      expect(asked?.anim_ping).toBe(asked?.rttping);
      end.receive({ rttpong: -5 });
      expect(channel.roundTrip).toBeUndefined();
      vi.advanceTimersByTime(30);
      end.receive({ rttpong: asked?.rttping });
      vi.advanceTimersByTime(15);
      end.receive({ anim_pong: asked?.anim_ping });
      expect([channel.roundTrip, channel.paint]).toEqual([30, 45]);
      vi.advanceTimersByTime(UPKEEP_MS);
      expect([channel.roundTrip, channel.paint]).toEqual([30, undefined]); // a hidden window does not answer
      expect(faults).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('[R-085] acknowledges immediately on req-ack, and sends it for late acknowledgements', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { channel } = open();
      const peer = new Peer();
      const end = channel.attach('c', 0, peer);
      end.receive(upstream(1, 'kbd'));
      end.receive({ 'req-ack': true });
      await turn();
      expect(peer.controls).toContainEqual({ ack: 1 });
      channel.send('view', ['a', 1]);
      vi.advanceTimersByTime(UPKEEP_MS);
      await turn();
      expect(peer.controls.at(-1)).not.toHaveProperty('req-ack');
      vi.advanceTimersByTime(UPKEEP_MS);
      await turn();
      expect(peer.controls.at(-1)).toHaveProperty('req-ack', true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('[R-085] resends missing messages on srm, at a limited rate', async () => {
    const { channel } = open();
    const inbox = new Inbox();
    const losing = new Peer(inbox);
    const end = channel.attach('c', 0, losing);
    await turn();
    const take = losing.send.bind(losing);
    losing.send = () => undefined; // an answer of a proxy
    channel.send('view', ['a', 1]);
    await turn();
    losing.send = take;
    channel.send('view', ['a', 2]);
    await turn();
    expect(losing.texts).toEqual([2]);
    const before = losing.frames;
    end.receive({ srm: 0 });
    end.receive({ srm: 0 });
    await turn();
    expect(losing.texts).toEqual([2, 1]);
    expect(losing.frames - before).toBe(1);
    expect(inbox.acknowledged).toBe(2);
  });

  it('detaches a client that has been silent for too long', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const { channel, detached } = open();
      const peer = new Peer();
      const end = channel.attach('c', 0, peer);
      vi.advanceTimersByTime(SILENCE_MS - 1000);
      end.receive({ ack: 0 });
      vi.advanceTimersByTime(SILENCE_MS);
      expect(peer.closed).toBeUndefined();
      vi.advanceTimersByTime(UPKEEP_MS);
      expect(peer.closed).toBe('silent');
      expect(detached).toEqual(['silent']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a client that lags', () => {
  it('gets only the newest message of a subject, with all sequence numbers, in the order of its lane', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    peer.waiting = HIGH_WATER_BYTES;
    const picture = (value: string): Uint8Array => new TextEncoder().encode(JSON.stringify(['picture', value]));
    channel.sendBinary(KIND.picture, 'bulk', picture('a, old'), 'a');
    channel.send('bulk', ['word', 'between']);
    channel.sendBinary(KIND.picture, 'bulk', picture('b'), 'b');
    channel.sendBinary(KIND.picture, 'bulk', picture('a, newer'), 'a');
    channel.sendBinary(KIND.picture, 'bulk', picture('a, newest'), 'a');
    await turn();
    peer.drain();
    await expect.poll(() => peer.texts).toEqual(['between', 'b', 'a, newest']);
    expect(peer.received).toBe(5);
  });

  it('uses little memory for messages that replace each other', () => {
    const { channel, attached } = open();
    const inbox = new Inbox();
    const peer = new Peer(inbox);
    channel.attach('c', 0, peer);
    peer.waiting = HIGH_WATER_BYTES;
    const picture = new TextEncoder().encode(JSON.stringify(['picture', 'x'.repeat(1_000_000)]));
    for (let i = 0; i < 1000; i += 1) channel.sendBinary(KIND.picture, 'bulk', picture, 'canvas');
    expect(peer.closed).toBeUndefined();
    channel.attach('c', inbox.acknowledged, new Peer(inbox));
    expect(attached).toEqual([false, false]);
  });

  it('is not reported as lagging after another transport has replaced it', async () => {
    const { channel, lagging } = open();
    const slow = new Peer();
    channel.attach('c', 0, slow);
    slow.waiting = LOW_WATER_BYTES;
    channel.send('view', ['a', 1]);
    await turn();
    channel.attach('c', 0, new Peer());
    await turn();
    expect(lagging).toEqual([true, false]);
  });

  it('neither starves one lane nor exceeds the window while another is busy', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    await turn();
    const take = peer.send.bind(peer);
    peer.send = (frame) => {
      take(frame);
      peer.waiting = HIGH_WATER_BYTES; // one frame at a time
      setImmediate(() => peer.drain());
    };
    channel.send('bulk', ['big', 'x'.repeat(500_000)]);
    const view = 6000;
    for (let i = 0; i < view; i += 1) {
      channel.send('view', ['a', 'y'.repeat(1000)]);
      if (i - peer.arrivals.length > 1000)
        await vi.waitUntil(() => i - peer.arrivals.length < 500, { timeout: PATIENCE_MS });
    }
    await vi.waitFor(() => expect(peer.received).toBe(view + 1), { timeout: PATIENCE_MS }); // its inbox rejects messages too far ahead
    expect(peer.order.lastIndexOf('bulk')).toBeLessThan(view / 2);
  });

  it('[M-073] overtakes what waits for the transport no further than a client takes it', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    peer.waiting = LOW_WATER_BYTES; // too much for the view, and not for input
    channel.send('view', ['first', 0]);
    const keys = INBOX_WINDOW + 100; // the inbox of a client throws at the last of them
    for (let key = 0; key < keys; key += 1) {
      channel.send('input', ['key', key]);
      if (key % 500 === 0) await turn();
    }
    await turn();
    expect(peer.arrivals.length).toBeGreaterThan(1000);
    expect(new Set(peer.order)).toEqual(new Set(['input']));
    peer.drain();
    await vi.waitFor(() => expect(peer.received).toBe(keys + 1), { timeout: PATIENCE_MS });
  });
});

describe('invalid sequence numbers', () => {
  it('[M-077] end a transport that skips one', () => {
    const { channel, faults, packets } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer).receive(upstream(2, 'kbd'));
    expect(faults.map(({ code }) => code)).toEqual(['bad-sequence']);
    expect(peer.closed).toBe('bad-sequence');
    expect(packets).toEqual([]);
  });

  it('[M-077] are refused immediately, without affecting the attached client', () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    for (const chid of ['c', 'd'])
      expect(() => channel.attach(chid, 1, new Peer())).toThrow(expect.objectContaining({ code: 'bad-sequence' }));
    expect(peer.closed).toBeUndefined();
    expect(channel.attached).toBe(true);
  });
});
