import type { Socket } from 'node:net';
import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError, type AppError } from '../../../core/protocol/errors.ts';
import { FaultLog } from '../../base/fault-log.ts';
import { FlowMeter } from '../../base/flow-meter.ts';
import { NETWORK_LIMITS } from '../../base/network-limits.ts';
import type { NetworkLimits } from '../../base/network-limits.ts';
import { AheadConnections } from './ahead.ts';
import { parseAllowedNetworks } from './allowed-networks.ts';
import { destinationOf, type Destination } from './destination.ts';
import { createGuard, type Decide, type Verdict } from './guard.ts';
import { NamePace } from './name-pace.ts';
import { NOWHERE } from './nowhere.ts';
import { forwardPlain, PlainAgent } from './plain.ts';
import { ProxyServer } from './proxy-server.ts';
import { Reasons, type EgressReason } from './reasons.ts';
import { cachedResolve, systemResolver, type Resolve } from './resolver.ts';
import { SocketOwners } from './socket-owners.ts';
import { tunnel } from './tunnel.ts';
import { Upstreams } from './upstreams.ts';

export interface EgressOptions {
  /** Permitted networks beyond public addresses: HOST, HOST:PORT or CIDR. */
  readonly allowNetworks?: readonly string[];
  /** Permits loopback, private and link-local networks. */
  readonly allowPrivate?: boolean;
  /** Ports of the host itself on this machine: never permitted. */
  readonly ownPorts?: readonly number[];
  /** Public origins of the host: never permitted. */
  readonly ownOrigins?: readonly string[];
  /** Site rules. Called before a name is resolved; one that throws denies. Default: everything is allowed. */
  readonly decide?: Decide;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Id of the browser's user, whose connections alone are taken. Default: everybody's. */
  readonly user?: Promise<number | undefined>;
  readonly connectTimeoutMs?: number;
  /** Time without traffic after which a connection is closed. */
  readonly idleTimeoutMs?: number;
  /** Default: {@link NETWORK_LIMITS}. */
  readonly network?: NetworkLimits;
  /** Called with a code when the browser is past its limits, at most once a second for each. */
  readonly onFault?: (code: EgressFault) => void;
  readonly log: Log;
}

/** Past the limits of a browser: names wait or are refused, connections are refused. */
type EgressFault = 'cell-slowed-names' | 'cell-refused-names' | 'cell-refused-connections';

/** Egress proxy of one surrogate. The caller closes it. */
export interface Egress {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Bytes that came from sites. */
  readonly bytesIn: number;
  /** Bytes that went to sites. */
  readonly bytesOut: number;
  /**
   * Reason why the latest connection to the address's host and port was refused or failed; undefined when it succeeded
   * or there was none.
   */
  reasonFor(url: string): EgressReason | undefined;
  /** Connects in advance to the site of an address, if the rules permit it; nothing is sent. */
  expect(url: string): void;
  /** Sets the site rules of the surrogate's person; replaces earlier ones. */
  decideBy(decide: Decide): void;
  /** Ends all connections. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 20_000;
const DEFAULT_IDLE_TIMEOUT_MS = 15 * 60_000;

/** Ports of all egress proxies of this process: one surrogate must not use another's. */
const egressPorts = new Set<number>();

/**
 * Starts the proxy for all traffic of one surrogate, on a port of 127.0.0.1. It resolves names itself, and connects to
 * the addresses that it checked. Refusals answer 403, failures 502 or 504, with the code in `x-vitrine-egress`.
 *
 * A proxy of our own because proxy-chain (2 and 3) neither reports why a connection failed, nor limits the time to
 * connect, nor passes literal addresses through the hook that pins resolved ones.
 *
 * @throws AppError `network-invalid`
 */
export async function createEgress(options: EgressOptions): Promise<Egress> {
  const { log, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS, network = NETWORK_LIMITS } = options;
  const tell = onceASecond(options.onFault);
  let personal: Decide = () => ({ allow: true });
  const guard = guardOf(options, (destination) => personal(destination));
  const reasons = new Reasons();
  const upstreams = new Upstreams(
    async (destination) => {
      const socket = await guard.connect(destination);
      reasons.clear(destination.host, destination.port);
      return socket;
    },
    { idleTimeoutMs, max: network.connections, closeUnused: () => agent.closeUnused() },
  );
  const ahead = new AheadConnections((destination) => upstreams.open(destination));
  const connect = async (destination: Destination): Promise<Socket> =>
    (await ahead.take(destination)) ?? upstreams.open(destination);
  const faults = new FaultLog(log);
  const failed = (destination: Destination, thrown: unknown): AppError => {
    const error = noteFailure(destination, thrown, { reasons, faults });
    if (error.code === 'too-many-names') tell('cell-refused-names');
    else if (error.code === 'too-many-connections') tell('cell-refused-connections');
    return error;
  };

  const agent = new PlainAgent(connect, idleTimeoutMs);
  const pace = new NamePace(network.names, () => tell('cell-slowed-names'));
  const admit = async (destination: Destination): Promise<void> => {
    await pace.turn(destination.host);
    await guard.admit(destination); // by the rules as they are after the wait
  };
  const server = new ProxyServer({
    maxConnections: network.connections,
    onTooMany: () => tell('cell-refused-connections'),
    isOwn: options.user ? takesFrom(options.user, log) : () => Promise.resolve(true),
    request: (request, response) => {
      if (request.url === NOWHERE) response.writeHead(204).end();
      else void forwardPlain(request, response, { admit, agent, failed });
    },
    connect: (request, client, head) => void tunnel(request, client, head, { admit, connect, failed }),
  });
  const port = await server.listen();
  egressPorts.add(port);

  let closed: Promise<void> | undefined;
  return {
    port,
    get bytesIn() {
      return upstreams.bytesIn;
    },
    get bytesOut() {
      return upstreams.bytesOut;
    },
    reasonFor(url) {
      const destination = destinationOf(url);
      return destination && reasons.get(destination.host, destination.port);
    },
    expect(url) {
      const destination = destinationOf(url);
      if (destination)
        admit(destination).then(
          () => ahead.open(destination),
          () => undefined, // the failure is reported on the request
        );
    },
    decideBy(rules) {
      personal = rules;
    },
    close() {
      closed ??= (async () => {
        const isClosed = server.close();
        agent.destroy();
        upstreams.close();
        egressPorts.delete(port);
        await isClosed;
      })();
      return closed;
    },
  };
}

/** The rules for destinations, with those of the surrogate's person. */
function guardOf(options: EgressOptions, personal: Decide): ReturnType<typeof createGuard> {
  const { ownPorts = [], ownOrigins = [] } = options;
  const decide = options.decide ?? ((): Verdict => ({ allow: true }));
  const own = ownOrigins.map(destinationOf);
  return createGuard({
    allowed: parseAllowedNetworks(options.allowNetworks ?? []),
    allowPrivate: options.allowPrivate ?? false,
    resolve: cachedResolve(options.resolve ?? systemResolver()),
    decide: async (destination) => {
      const verdict = await decide(destination);
      return verdict.allow ? personal(destination) : verdict;
    },
    isOwnOrigin: ({ host, port }) => own.some((origin) => origin?.host === host && origin.port === port),
    isOwnPort: (port) => ownPorts.includes(port) || egressPorts.has(port),
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
  });
}

/**
 * Returns the check for connections of one user. Where the system does not tell whose a connection is, everybody's are taken,
 * and the log says so once.
 */
function takesFrom(user: Promise<number | undefined>, log: Log): (client: Socket) => Promise<boolean> {
  const owners = new SocketOwners();
  const logged = new Set<string>();
  const tell = (message: string, data: Record<string, unknown>): void => {
    if (!logged.has(message)) log.warn(message, data);
    logged.add(message);
  };
  return async ({ remoteAddress: address, remotePort: port, localPort: to }) => {
    const own = await user;
    try {
      const owner = await owners.ownerOf({ address, port, to });
      if (own !== undefined && own === owner) return true;
      if (owner !== undefined) tell('egress: connections of another user are refused', { owner });
      return false;
    } catch (thrown) {
      tell('egress: connections of all users are taken', { error: toAppError(thrown).message });
      return true;
    }
  };
}

/** Passes a code on once a second. */
function onceASecond(onFault: EgressOptions['onFault']): (code: EgressFault) => void {
  const meters = new Map<EgressFault, FlowMeter>();
  return (code) => {
    const meter = meters.get(code) ?? new FlowMeter(1, Number.MAX_SAFE_INTEGER);
    meters.set(code, meter);
    if (meter.take(0)) onFault?.(code);
  };
}

/** Records a failure and returns the error for the surrogate. */
function noteFailure(
  destination: Destination,
  thrown: unknown,
  { reasons, faults }: { readonly reasons: Reasons; readonly faults: FaultLog },
): AppError {
  const error = toAppError(thrown);
  reasons.add({ ...destination, code: error.code, message: error.message, at: Date.now() });
  faults.line('info', 'egress refused', {
    host: destination.host,
    port: destination.port,
    code: error.code,
    cause: error.cause instanceof Error ? error.cause.message : undefined,
  });
  return error;
}
