import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi, onTestFinished } from 'vitest';
import { untilHeld } from '../../../core/testing/until-held.ts';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { UpstreamMeter } from '../upstream-meter.ts';
import type { AttachedChannel } from '../../contracts/link.ts';
import { PERSON_COOKIE, personCookies } from '../person.ts';
import { listen, playedGateway, SECRET } from './played-gateway.ts';

const MIB = 1024 * 1024;

/** A websocket as far as the meter knows it. */
class PlayedSocket extends EventEmitter {
  isPaused = false;
  bufferedAmount = 0;
  readonly terminate = vi.fn();
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
}

describe('the meter of messages', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function start(meter = new UpstreamMeter(), sender: { subject: string; address?: string } = { subject: 'anna' }) {
    const socket = new PlayedSocket();
    return { meter, socket, take: meter.meter(socket as unknown as WebSocket, sender) };
  }

  it('lets what a client sends again after a fault pass at once', () => {
    const { socket, take } = start();
    for (let nr = 0; nr < 7; nr += 1) expect(take(MIB)).toBe(true);
    expect(socket.isPaused).toBe(false);
  });

  it('reads a websocket no faster than its sender may send, and for ever so', () => {
    const { socket, take } = start();
    const began = performance.now();
    for (let nr = 0; nr < 100; nr += 1) {
      expect(take(MIB)).toBe(true);
      while (socket.isPaused) vi.advanceTimersByTime(100);
    }
    expect(performance.now() - began).toBeGreaterThan(150_000);
    expect(performance.now() - began).toBeLessThan(250_000);
  });

  it('refuses a flood, which comes although the websocket is not read any more', () => {
    const { meter, socket, take } = start();
    const taken = Array.from({ length: 64 }, () => take(MIB));
    expect(taken.filter(Boolean).length).toBeLessThanOrEqual(16);
    expect(socket.isPaused).toBe(true);
    expect(() => meter.admit({ subject: 'anna' })).toThrow('Too many bytes were sent.');
    expect(() => meter.admit({ subject: 'ben' })).not.toThrow();
    vi.advanceTimersByTime(130_000);
    expect(() => meter.admit({ subject: 'anna' })).not.toThrow();
  });

  it('counts small messages and pings for more than their bytes', () => {
    const small = start();
    for (let nr = 0; nr < 100_000; nr += 1) small.take(1);
    expect(small.socket.isPaused).toBe(true);
    const pings = start();
    let count = 0;
    while (!pings.socket.isPaused && count < MIB) {
      pings.socket.emit('ping', Buffer.alloc(0));
      count += 1;
    }
    expect(count).toBeLessThan(100_000);
    for (let nr = 0; nr < 100_000; nr += 1) pings.socket.emit('ping', Buffer.alloc(125));
    expect(pings.socket.terminate).toHaveBeenCalled();
  });

  it('ends a websocket that sends pings and does not read the answers', () => {
    const { socket } = start();
    socket.bufferedAmount = 20 * MIB;
    socket.emit('ping', Buffer.alloc(1));
    expect(socket.terminate).toHaveBeenCalledOnce();
  });

  it('bounds a client address, whoever says to send', () => {
    const meter = new UpstreamMeter();
    for (let nr = 0; nr < 5; nr += 1) {
      const { take } = start(meter, { subject: `of-${nr}`, address: '198.51.100.1' });
      for (let count = 0; count < 7; count += 1) take(MIB);
    }
    expect(() => meter.admit({ subject: 'other', address: '198.51.100.1' })).toThrow('Too many');
    expect(() => meter.admit({ subject: 'other', address: '198.51.100.2' })).not.toThrow();
    expect(() => meter.admit({ subject: 'other' })).not.toThrow();
  });

  it('keeps no timer of a websocket that is closed', () => {
    const { socket, take } = start();
    for (let nr = 0; nr < 9; nr += 1) take(MIB);
    expect(vi.getTimerCount()).toBe(1);
    socket.emit('close');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('websockets of a gateway', () => {
  let gateway: FastifyInstance;
  let port: number;
  let attach: (attached: AttachedChannel | undefined) => void;
  let received: number;
  const sockets: WebSocket[] = [];
  const channel: AttachedChannel = { receive: ({ length }) => void (received += length), detach: () => undefined };
  const cookie = `${PERSON_COOKIE}=${personCookies(SECRET).of('anna')}`;
  beforeEach(async () => {
    received = 0;
    const attached = new Promise<AttachedChannel | undefined>((resolve) => (attach = resolve));
    gateway = await playedGateway({ attach: () => attached });
    port = await listen(gateway);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    await gateway.close();
  });

  function open(target = '/r/websocket?cid=c&tab_id=t&chid=h&msg_nr=0') {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${target}`, {
      headers: { cookie },
      perMessageDeflate: { threshold: 0 },
    });
    sockets.push(socket);
    const ended = new Promise<string>((resolve) => {
      socket.once('close', (code, reason) => resolve(`${code} ${String(reason)}`));
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
    });
    socket.on('error', () => undefined);
    return { socket, ended, opened: new Promise<string>((resolve) => socket.once('open', () => resolve('open'))) };
  }

  it('are cut soon where their attempt has led to no tab by then', async () => {
    const { socket, opened, ended } = open('/r/websocket?attempt=a&chid=h');
    await opened;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let attempt = 0; attempt < 16; attempt += 1) open(`/r/websocket?attempt=b${attempt}&chid=h`); // too many wait
    await untilHeld(() => socket.readyState === socket.CLOSING);
    vi.advanceTimersByTime(1000);
    expect(await ended).toMatch(/^1013 /);
  });

  it('are not read until they are attached; then nothing is missing', async () => {
    const { socket, opened } = open();
    await opened;
    const pong = vi.fn();
    socket.on('pong', pong).ping();
    const sent = '1'.repeat(MIB / 2);
    for (let nr = 0; nr < 14; nr += 1) socket.send(sent);
    const echo = open('/r/wsecho');
    await echo.opened;
    for (let nr = 0; nr < 4; nr += 1) {
      const echoed = new Promise((resolve) => echo.socket.once('message', resolve));
      echo.socket.send('text');
      await echoed;
    }
    expect(pong).not.toHaveBeenCalled();
    attach(channel);
    await expect.poll(() => received).toBe(14 * sent.length);
    await expect.poll(() => pong.mock.calls.length).toBe(1);
    const echoed = new Promise((resolve) => echo.socket.once('message', resolve));
    echo.socket.send('text');
    await echoed;
    expect(pong).toHaveBeenCalledOnce();
  });

  it('[M-075] that name no session get the marker that says so, and are closed with its code, soon', async () => {
    attach(undefined);
    const { socket, ended } = open();
    const heard: string[] = [];
    socket.on('message', (data) => heard.push((data as Buffer).toString()));
    expect([await ended, heard]).toEqual(['4404 session not found', ['session_not_found']]);
  });

  it('are ended when their messages grow too much as they are inflated, and not opened for a while', async () => {
    const { socket, ended, opened } = open();
    await opened;
    attach(channel);
    const begun = performance.now();
    for (let nr = 0; nr < 60; nr += 1) socket.send('1'.repeat(MIB - 1), { compress: true });
    expect(await ended).toMatch(/^4400 too many bytes$|^1006 /);
    const elapsedS = (performance.now() - begun) / 1000;
    expect(received).toBeLessThanOrEqual((16 + elapsedS / 2) * MIB); // half a MiB more is allowed each second
    const next = open();
    expect(await Promise.race([next.ended, next.opened])).toBe('429');
  });

  it('echo a few short texts, and nothing more', async () => {
    const echoes = open('/r/wsecho');
    let count = 0;
    echoes.socket.on('message', () => (count += 1));
    await echoes.opened;
    for (let nr = 0; nr < 100; nr += 1) echoes.socket.send('text');
    expect(await echoes.ended).toMatch(/^1006/);
    expect(count).toBeLessThanOrEqual(8);
    expect(echoes.socket.extensions).toBe('');
    const large = open('/r/wsecho');
    let isEchoed = false;
    large.socket.on('message', () => (isEchoed = true));
    await large.opened;
    large.socket.send('x'.repeat(1025));
    expect(await large.ended).toMatch(/^1006/);
    expect(isEchoed).toBe(false);
  });
});
