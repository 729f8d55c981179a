import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pino from 'pino';
import { Channel as ClientChannel } from '../../core/channel/channel.ts';
import { channelConfig } from '../../core/channel/config.ts';
import type { ChannelConfig } from '../../core/channel/config.ts';
import { longPoll } from '../../core/channel/long-poll.ts';
import type { Transport } from '../../core/channel/transport.ts';
import { webSocketTransport } from '../../core/channel/websocket.ts';
import { channelBodies } from '../../core/channel/bodies.ts';
import { BodyCarrier } from '../../core/protocol/bodies/carrier.ts';
import { BodyLayer } from '../../core/protocol/bodies/layer.ts';
import { Endpoint, nameTable } from '../../core/protocol/endpoint.ts';
import type { Packet } from '../../core/protocol/endpoint.ts';
import { KIND } from '../../core/protocol/frames.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { AnyMessage } from '../../core/protocol/message.ts';
import type { Lane } from '../../core/protocol/lanes.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { loadAssets } from '../../host/gateway/assets.ts';
import { integrityTokens } from '../../host/gateway/integrity-tokens.ts';
import { createMetrics } from '../../host/gateway/metrics.ts';
import type { Metrics } from '../../host/gateway/metrics.ts';
import { createGateway } from '../../host/gateway/server.ts';
import { attachOver } from '../../host/cells/attach-over.ts';
import { serveChannel } from '../../host/cell/channel/serve-channel.ts';
import { CHANNEL_STREAM } from '../../host/cells/protocol.ts';
import type { Link } from '../../host/contracts/link.ts';
import { linkPair } from '../../host/link/tests/memory.ts';
import { bypassTokens } from '../../host/policy/bypass.ts';
import { createPolicyEngine } from '../../host/policy/engine.ts';
import { coreSettings } from '../../host/policy/settings-table.ts';
import { Channel as HostChannel } from '../../host/cell/channel/channel.ts';
import { Shaper } from './shaper.ts';

/** The person of everybody who shows no other cookie; browsers would keep theirs, a client in this process does not. */
const ANNA = 'anna';

/** A tab whose surrogate a test plays: the host's end of a channel, and what it told. */
export class PlayedTab {
  readonly owner: string;
  readonly channel: HostChannel;
  readonly packets: Packet[] = [];
  readonly attached: boolean[] = [];
  readonly faults: string[] = [];
  isLagging = false;
  /** Speaks messages with bodies, where a test has some. */
  speaker: Speaker | undefined;

  constructor(owner: string) {
    this.owner = owner;
    this.channel = new HostChannel({
      onPacket: (packet) => {
        this.packets.push(packet);
        this.speaker?.endpoint.receive(packet);
      },
      onPiece: (piece) => this.speaker?.carrier.take(piece),
      onRoom: () => this.speaker?.carrier.resume(),
      onAttached: (fresh, isNew) => {
        this.attached.push(fresh);
        if (fresh) this.speaker?.carrier.restart(new AppError('bodies-lost', 'of the test'), isNew);
      },
      onDetached: () => undefined,
      onLagging: (lagging) => {
        this.isLagging = lagging;
      },
      onFault: ({ code }) => void this.faults.push(code),
    });
  }
}

/** An end of a channel that speaks messages. */
interface Speaker {
  readonly endpoint: Endpoint;
  readonly carrier: BodyCarrier;
}

/** Has a tab and a client speak messages, with bodies, as the product's do. */
export function speak(stage: ChannelStage, tab: PlayedTab, client: PlayedClient, messages: readonly AnyMessage[]) {
  const table = nameTable(messages);
  const carrier = new BodyCarrier({
    transport: {
      transmit: (lane, packet) => tab.channel.send(lane, packet),
      piece: (piece) => tab.channel.sendPiece(piece),
      isReady: () => tab.channel.hasRoom,
    },
    onFault: ({ code }) => void tab.faults.push(code),
  });
  const layer = new BodyLayer(carrier, (lane, packet) => tab.channel.send(lane, packet));
  const host = new Endpoint({
    table,
    transmit: (...sent) => layer.send(...sent),
    onFault: ({ code }) => void tab.faults.push(code),
    bodies: layer,
  });
  tab.speaker = { endpoint: host, carrier };
  const bodies = channelBodies(client.channel, (_name, { code }) => void client.faults.push(code), stage.shaper.origin);
  const endpoint = new Endpoint({
    table,
    transmit: (...sent) => bodies.send(...sent),
    onFault: ({ code }) => void client.faults.push(code),
    bodies,
  });
  client.listen(
    (packet) => endpoint.receive(packet),
    (piece) => bodies.take(KIND.data, 'bulk', piece),
  );
  const close = (): void => {
    endpoint.close(new AppError('channel-dead', 'the test is over'));
    host.close(new AppError('tab-closed', 'the test is over'));
  };
  return { host, client: endpoint, hostCarrier: carrier, clientCarrier: bodies.carrier, close };
}

/** No time limit of a client ends a connection that is only slow, unless a test sets one. */
const PATIENT: Partial<ChannelConfig> = {
  wsSessionFoundMs: PATIENCE_MS,
  wsReconnectMs: PATIENCE_MS,
  pongTimeoutMs: PATIENCE_MS,
  pullTimeoutMs: PATIENCE_MS,
  pushTimeoutMs: PATIENCE_MS,
};

/** A client's end of a channel, and what it told. */
export interface PlayedClient {
  /** From now on these are called with what comes. */
  readonly listen: (onPacket: (packet: Packet) => void, onPiece: (piece: Uint8Array) => void) => void;
  readonly channel: ClientChannel;
  readonly packets: (readonly [Lane, Packet])[];
  readonly statuses: string[];
  readonly modes: string[];
  readonly faults: string[];
  readonly roundTrips: number[];
}

/** How a client of a test reaches its host. */
interface ClientOptions {
  readonly cid?: string;
  readonly config?: Partial<ChannelConfig>;
  /** Both unless given. */
  readonly only?: 'websocket' | 'xhr';
  readonly isActive?: () => boolean;
  /** Time limit of a pull, in ms: shorter than a channel's configuration allows. */
  readonly pullTimeoutMs?: number;
}

/** A real gateway, tabs that a test plays behind it, and a network between it and real client channels. */
export class ChannelStage {
  readonly shaper: Shaper;
  readonly metrics: Metrics;
  /** Requests that have reached the host: method and target. */
  readonly requests: string[] = [];
  /** Tabs by cid. */
  readonly tabs = new Map<string, PlayedTab>();
  readonly #clients: ClientChannel[] = [];
  readonly #close: () => Promise<void>;

  private constructor(shaper: Shaper, metrics: Metrics, close: () => Promise<void>) {
    this.shaper = shaper;
    this.metrics = metrics;
    this.#close = close;
  }

  static async start(): Promise<ChannelStage> {
    const [toCell, toGateway] = linkPair();
    toGateway.accept(CHANNEL_STREAM, (params, stream) => {
      const attach: Parameters<typeof serveChannel>[0] = ({ cid, chid, received }, transport) =>
        stage.tabs.get(cid)?.channel.attach(chid, received, transport);
      serveChannel(attach, params, stream);
    });
    const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'));
    const link: Link = {
      expect: () => undefined,
      waiting: () => Promise.resolve(undefined),
      pair: unused,
      repair: unused,
      unpair: unused,
      resource: unused,
      request: unused,
      drain: unused,
      ready: () => Promise.resolve(true),
      attach: async ({ subject }, names, transport) =>
        stage.tabs.get(names.cid)?.owner === subject ? attachOver(toCell, names, transport) : undefined,
      receiveBodies: async ({ subject }, { cid, chid, number }, frame) => {
        const tab = stage.tabs.get(cid);
        if (tab?.owner !== subject) throw new AppError('session-not-found', 'none of the test');
        tab.channel.receiveBodies(chid, number, frame);
      },
    };
    const metrics = createMetrics();
    const gateway = await createGateway({
      link,
      assets: await loadAssets(path.resolve(import.meta.dirname, '../../dist')),
      persons: { issue: () => ({ subject: ANNA, value: ANNA }), of: (subject) => subject, subjectOf: (value) => value },
      integrity: integrityTokens(new Uint8Array(32)),
      policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log: console }),
      bypass: bypassTokens(new Uint8Array(32)),
      metrics,
      events: { append: () => undefined, dropped: 0, removed: 0, flush: () => Promise.resolve() },
      log: pino({ level: 'silent' }),
      origins: [],
      frameAncestors: [],
      protection: {
        limits: { memory: 'statm', cpu: 'nice', processes: 'none', users: 'none' },
        decoderNetwork: 'none',
        network: { allowed: [], isPrivateAllowed: false },
        settings: coreSettings,
      },
    });
    gateway.addHook('onRequest', async ({ method, originalUrl }) => {
      stage.requests.push(`${method} ${originalUrl}`);
    });
    await gateway.listen({ port: 0, host: '127.0.0.1' });
    const shaper = await Shaper.start((gateway.server.address() as AddressInfo).port); // it listens on TCP
    const stage = new ChannelStage(shaper, metrics, async () => {
      await shaper.close();
      await gateway.close();
    });
    return stage;
  }

  tab(cid = 'c1', owner = ANNA): PlayedTab {
    const tab = new PlayedTab(owner);
    this.tabs.set(cid, tab);
    return tab;
  }

  /** A real client, through the shaper. */
  client({ cid = 'c1', config: given = {}, only, isActive = () => true, ...poll }: ClientOptions = {}): PlayedClient {
    const { origin } = this.shaper;
    const config = channelConfig({ wsBackoffMs: 10, ...PATIENT, ...given });
    const told = { packets: [], statuses: [], modes: [], faults: [], roundTrips: [] } as Omit<
      PlayedClient,
      'channel' | 'listen'
    >;
    let onPacket: ((packet: Packet) => void) | undefined;
    let onPiece: ((piece: Uint8Array) => void) | undefined;
    const channel: ClientChannel = new ClientChannel({
      config,
      websocket: only === 'xhr' ? noWebsocket : webSocketTransport(origin),
      ...(only !== 'websocket' && { poll: longPoll({ origin, config: { ...config, ...poll }, isActive }) }),
      query: { cid, rid: 'r1', tab_id: 't1', cl: 'local' },
      events: {
        packet: (...received) => {
          told.packets.push(received);
          onPacket?.(received[1]);
        },
        binary: (_kind, _lane, body) => onPiece?.(body),
        status: (status, reason) => {
          told.statuses.push(reason ? `${status} ${reason}` : status);
          if (status === 'connected') told.modes.push(channel.mode);
        },
        latency: () => undefined,
        roundTrip: (ms) => void told.roundTrips.push(ms),
        fault: ({ code }) => void told.faults.push(code),
      },
    });
    this.#clients.push(channel);
    const listen: PlayedClient['listen'] = (...listeners) => {
      [onPacket, onPiece] = listeners;
    };
    return { channel, listen, ...told };
  }

  /** The count of a refusal. */
  async refusals(code: string): Promise<number> {
    const { values } = await this.metrics.channelRefusals.get();
    return values.find(({ labels }) => labels.code === code)?.value ?? 0;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.#close();
  }
}

/** A websocket that is never answered: the client polls from the start. */
const noWebsocket: Transport = {
  mode: 'websocket',
  open: (_names, { closed }) => {
    queueMicrotask(() => closed('network'));
    return { send: () => undefined, close: () => undefined };
  },
};
