import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { encodeFrame } from '../../protocol/frame-encoding.ts';
import { KIND } from '../../protocol/frames.ts';
import type { Entry, Kind } from '../../protocol/frames.ts';
import { parsePacket } from '../../protocol/endpoint.ts';
import type { Packet } from '../../protocol/endpoint.ts';
import type { Lane } from '../../protocol/lanes.ts';
import { encodeJson, encodeSequenced, parseUpstream, SESSION_FOUND } from '../../protocol/wire.ts';
import type { Control, Sequenced } from '../../protocol/wire.ts';
import { Channel } from '../channel.ts';
import type { ChannelEvents, ChannelOptions } from '../channel.ts';
import { channelConfig } from '../config.ts';
import type { ChannelConfig } from '../config.ts';
import { splitEntry } from '../../protocol/tests/split-entry.ts';
import { webSocketTransport } from '../websocket.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

/** One websocket as the host sees it. */
export class HostEnd {
  readonly query: URLSearchParams;
  readonly path: string;
  readonly received: (Sequenced<Packet> | Control)[] = [];
  readonly socket: WebSocket;
  /** Pings are answered, as by the host (M-075); tests of the channel do that themselves. */
  answersPings = false;

  constructor(socket: WebSocket, target: string) {
    const url = new URL(target, 'http://host');
    this.socket = socket;
    this.path = url.pathname;
    this.query = url.searchParams;
    socket.on('message', (data) => {
      const message = parseUpstream(JSON.parse((data as Buffer).toString()));
      this.received.push('seq' in message ? { ...message, body: parsePacket(message.body) } : message);
      if (this.answersPings && 'ping_time' in message) this.control({ pong: message.ping_time });
    });
  }

  get packets(): Sequenced<Packet>[] {
    return this.received.filter((message) => 'seq' in message);
  }

  get controls(): Control[] {
    return this.received.filter((message): message is Control => !('seq' in message));
  }

  found(): void {
    this.socket.send(SESSION_FOUND);
  }

  control(control: Control): void {
    this.socket.send(encodeFrame([{ kind: KIND.control, body: encodeJson(control) }]));
  }

  data(seq: number, lane: Lane, packet: Packet): void {
    this.socket.send(encodeFrame([this.entry(seq, lane, packet)]));
  }

  /** A large message in pieces, each in a frame of its own; `between` runs after the first. */
  pieces(seq: number, lane: Lane, packet: Packet, between: () => void): void {
    splitEntry(this.entry(seq, lane, packet), seq).forEach((entry, index) => {
      this.socket.send(encodeFrame([entry]));
      if (index === 0) between();
    });
  }

  entry(seq: number, lane: Lane, packet: Packet): Entry {
    return { kind: KIND.data, body: encodeSequenced(seq, lane, encodeJson(packet)) };
  }
}

/** A websocket server on loopback; connections are in `ends`, in order. */
export async function channelHost(onEnd: (end: HostEnd, index: number) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const ends: HostEnd[] = [];
  server.on('connection', (socket, request) => {
    const end = new HostEnd(socket, request.url ?? '');
    ends.push(end);
    onEnd(end, ends.length - 1);
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    ends,
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

/** Events that a channel has reported. */
interface Told {
  readonly packets: [Lane, Packet][];
  readonly binaries: [Kind, Lane, Uint8Array][];
  readonly statuses: string[];
  readonly latencies: number[];
  readonly roundTrips: number[];
  readonly faults: string[];
}

/** A channel over a websocket, whose configuration is quick. */
export function testChannel(
  origin: string,
  config: Partial<ChannelConfig> = {},
  more: Partial<Pick<ChannelOptions, 'config' | 'websocket' | 'poll' | 'query'>> = {},
): { channel: Channel; told: Told } {
  const told: Told = { packets: [], binaries: [], statuses: [], latencies: [], roundTrips: [], faults: [] };
  const events: ChannelEvents = {
    packet: (...received) => void told.packets.push(received),
    binary: (kind, lane, body) => void told.binaries.push([kind, lane, body]),
    status: (status, reason) => void told.statuses.push(reason ? `${status} ${reason}` : status),
    latency: (level) => void told.latencies.push(level),
    roundTrip: (ms) => void told.roundTrips.push(ms),
    fault: ({ code }) => void told.faults.push(code),
  };
  const channel = new Channel({
    config: channelConfig({ wsBackoffMs: 10, wsSessionFoundMs: PATIENCE_MS, pongTimeoutMs: PATIENCE_MS, ...config }),
    websocket: webSocketTransport(origin),
    query: { cid: 'c1', rid: 'r1', tab_id: 't1', cl: 'local' },
    events,
    ...more,
  });
  return { channel, told };
}
