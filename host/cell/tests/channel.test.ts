import { describe, expect, it, vi } from 'vitest';
import { KIND } from '../../../core/protocol/frames.ts';
import { Inbox, OUTBOX_MAX_MESSAGES } from '../../../core/protocol/sequence.ts';
import { ACK_EVERY } from '../channel/acknowledger.ts';
import { QUEUE_MAX_MESSAGES } from '../channel/channel.ts';
import { HIGH_WATER_BYTES, LOW_WATER_BYTES } from '../channel/sender.ts';
import { open, Peer, turn, upstream } from './channel-peer.ts';

describe('the host end of a channel', () => {
  it('[M-077] queues messages until a client attaches, and delivers them in order', async () => {
    const { channel, attached } = open();
    channel.send('control', ['a', 1]);
    channel.send('control', ['a', 2]);
    const peer = new Peer();
    channel.attach('c', 0, peer);
    await turn();
    expect(peer.texts).toEqual([1, 2]);
    expect(attached).toEqual([false]);
  });

  it('batches messages of one turn in one frame', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    await turn();
    const before = peer.frames;
    for (let i = 0; i < 100; i += 1) channel.send('view', ['a', i]);
    await turn();
    expect(peer.frames - before).toBe(1);
    expect(peer.arrivals).toHaveLength(100);
  });

  it('[M-077] resends only unacknowledged messages over another transport', async () => {
    const { channel, attached } = open();
    const inbox = new Inbox();
    const first = new Peer(inbox);
    const end = channel.attach('c', 0, first);
    for (let i = 1; i <= 4; i += 1) channel.send('view', ['a', i]);
    await turn();
    end.receive({ ack: 2 });
    end.detach('gone');
    channel.send('view', ['a', 5]);
    const second = new Peer();
    channel.attach('c', 3, second);
    await turn();
    expect(second.texts).toEqual([4, 5]);
    expect(second.arrivals.map(({ seq }) => seq)).toEqual([4, 5]);
    expect(attached).toEqual([false, false]);
  });

  it('[M-077] delivers an upstream message once, however often it arrives', () => {
    const { channel, packets } = open();
    const end = channel.attach('c', 0, new Peer());
    end.receive(upstream(1, 'kbd', 'x'));
    end.receive(upstream(1, 'kbd', 'x'));
    end.receive(upstream(2, 'kbd', 'y'));
    expect(packets.map((packet) => packet[1])).toEqual(['x', 'y']);
  });

  it('[M-077] acknowledges many messages immediately, and few after a short delay', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { channel } = open();
      const peer = new Peer();
      const end = channel.attach('c', 0, peer);
      await turn();
      const acks = (): number[] => peer.controls.flatMap(({ ack }) => (ack === undefined || ack === 0 ? [] : [ack]));
      for (let seq = 1; seq < ACK_EVERY; seq += 1) end.receive(upstream(seq, 'kbd'));
      await turn();
      expect(acks()).toEqual([]);
      end.receive(upstream(ACK_EVERY, 'kbd'));
      await turn();
      expect(acks()).toEqual([ACK_EVERY]);
      end.receive(upstream(ACK_EVERY + 1, 'kbd'));
      vi.advanceTimersByTime(50);
      await turn();
      expect(acks()).toEqual([ACK_EVERY, ACK_EVERY + 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('[M-075] answers a ping with the time that it carries', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer).receive({ ping_time: 1234.5 });
    await turn();
    expect(peer.controls).toContainEqual({ pong: 1234.5 });
  });

  it('[R-019] lets a small message of another lane overtake a large one', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    peer.waiting = HIGH_WATER_BYTES;
    channel.send('bulk', ['big', 'x'.repeat(1_000_000)]);
    channel.send('view', ['batch', 1]);
    channel.send('input', ['echo', 1]);
    channel.send('control', ['state', 1]);
    await turn();
    peer.drain();
    await expect.poll(() => peer.arrivals.at(-1)?.packet[1]).toHaveLength(1_000_000);
    expect(peer.order.filter((kind) => kind !== 'partial')).toEqual(['control', 'input', 'view', 'bulk']);
    expect(peer.order.indexOf('view')).toBeLessThan(peer.order.indexOf('partial'));
  });

  it('interleaves: a message sent during a large one does not wait for its end', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    await turn();
    const take = peer.send.bind(peer);
    let frames = 0;
    peer.send = (frame) => {
      take(frame);
      if ((frames += 1) === 2) peer.waiting = LOW_WATER_BYTES;
    };
    channel.send('view', ['big', 'x'.repeat(1_000_000)]);
    await turn();
    channel.send('input', ['echo', 1]);
    await turn();
    expect(peer.texts).toEqual([1]);
    peer.drain();
    await expect.poll(() => peer.texts).toHaveLength(2);
  });

  it('applies back-pressure while the transport is full, reports it, and continues', async () => {
    const { channel, lagging } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    await turn();
    peer.waiting = LOW_WATER_BYTES;
    channel.send('view', ['batch', 1]);
    channel.send('input', ['echo', 2]);
    await turn();
    expect(peer.texts).toEqual([2]);
    expect(lagging).toEqual([true]);
    peer.drain();
    await expect.poll(() => peer.texts).toEqual([2, 1]);
    await expect.poll(() => lagging).toEqual([true, false]);
  });

  it('drops messages above its limits while detached, and then starts anew with continuous numbers', async () => {
    const { channel, attached } = open();
    const inbox = new Inbox();
    const end = channel.attach('c', 0, new Peer(inbox));
    channel.send('view', ['a', 'before']);
    await turn();
    end.receive({ ack: 1 });
    end.detach('gone');
    for (let i = 0; i <= OUTBOX_MAX_MESSAGES; i += 1) channel.send('view', ['a', i]);
    const peer = new Peer(inbox);
    channel.attach('c', inbox.acknowledged, peer);
    channel.send('view', ['a', 'after']);
    await turn();
    expect(attached).toEqual([false, true]);
    expect(peer.texts).toEqual(['after']);
    expect(peer.received).toBe(peer.arrivals[0]?.seq);
  });

  it('detaches a client that reads nothing, and starts anew when it reconnects', async () => {
    const { channel, attached } = open();
    const inbox = new Inbox();
    const stuck = new Peer(inbox);
    channel.attach('c', 0, stuck);
    await turn();
    stuck.waiting = HIGH_WATER_BYTES;
    for (let i = 0; i <= QUEUE_MAX_MESSAGES; i += 1) channel.send('view', ['a', i]);
    expect(stuck.closed).toBe('overflow');
    const peer = new Peer(inbox);
    channel.attach('c', inbox.acknowledged, peer);
    channel.send('view', ['a', 'after']);
    await turn();
    expect(attached).toEqual([false, true]);
    expect(peer.texts).toEqual(['after']);
  });

  it('starts from scratch for another client', async () => {
    const { channel, attached } = open();
    const first = new Peer();
    channel.attach('one', 0, first);
    channel.send('view', ['a', 'for the first']);
    await turn();
    const second = new Peer();
    channel.attach('two', 0, second);
    channel.send('view', ['a', 'for the second']);
    await turn();
    expect(first.closed).toBe('replaced');
    expect(second.arrivals).toEqual([{ seq: 1, lane: 'view', packet: ['a', 'for the second'] }]);
    expect(attached).toEqual([false, true]);
  });

  it('[M-077] reports unknown messages and continues', () => {
    const { channel, faults, packets } = open();
    const peer = new Peer();
    const end = channel.attach('c', 0, peer);
    const wrong = [null, 7, 'x', [], [1], [1, 99, 'kbd'], ['1', 2, 'kbd'], [1, 2, {}], { ack: -1 }, { ack: 'x' }];
    for (const value of wrong) end.receive(value);
    expect(faults).toHaveLength(wrong.length);
    expect(peer.closed).toBeUndefined();
    end.receive(upstream(2, 'kbd', 'x')); // one of them had a number, and no packet
    expect(packets).toHaveLength(1);
  });

  it('ends a transport with invalid sequence numbers', () => {
    const { channel, detached } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer).receive({ ack: 10 });
    expect(peer.closed).toBe('bad-sequence');
    expect(detached).toEqual(['bad-sequence']);
  });

  it('ignores messages of a replaced transport', () => {
    const { channel, packets } = open();
    const old = channel.attach('c', 0, new Peer());
    channel.attach('c', 0, new Peer());
    old.receive(upstream(1, 'kbd'));
    old.detach('late');
    expect(packets).toEqual([]);
    expect(channel.attached).toBe(true);
  });

  it('refuses to send a message that no client would accept', () => {
    const { channel, faults } = open();
    channel.sendBinary(KIND.picture, 'bulk', new Uint8Array(33 * 1024 * 1024));
    expect(faults.map(({ code }) => code)).toEqual(['message-too-large']);
  });

  it('says goodbye when it is closed, behind what was sent in the same turn', async () => {
    const { channel } = open();
    const peer = new Peer();
    channel.attach('c', 0, peer);
    await turn();
    channel.send('control', ['disconnect', 1]);
    channel.close('drained');
    expect(peer.texts).toEqual([1]);
    expect(peer.order).toEqual(['control', 'bye']);
    expect(peer.controls).toContainEqual({ bye: 'drained' });
    expect(peer.closed).toBe('drained');
  });
});
