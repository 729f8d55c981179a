import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError, type AppError } from '../../../core/protocol/errors.ts';
import { hostText } from './address.ts';
import { AheadConnections } from './ahead.ts';
import { parseAllowedNetworks } from './allowed-networks.ts';
import { createGuard, type Decide, type Destination, type Verdict } from './guard.ts';
import { NOWHERE } from './nowhere.ts';
import { forwardPlain, MAX_HEADER_BYTES, PlainAgent } from './plain.ts';
import { Reasons, type EgressReason } from './reasons.ts';
import { cachedResolve, systemResolve, type Resolve } from './resolver.ts';
import { tunnel } from './tunnel.ts';

export interface EgressOptions {
  /** HOST, HOST:PORT or CIDR that may be reached beyond public addresses. */
  readonly allowNetworks?: readonly string[];
  /** Opens loopback, private and link-local networks. */
  readonly allowPrivate?: boolean;
  /** Ports on which the host itself listens on this machine: never reached, whatever is allowed. */
  readonly ownPorts?: readonly number[];
  /** Site rules. Asked before a name is resolved; one that throws denies. Default: everything is allowed. */
  readonly decide?: Decide;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  readonly connectTimeoutMs?: number;
  /** A connection on which nothing moves for so long is closed. */
  readonly idleTimeoutMs?: number;
  readonly log: Log;
}

/** One surrogate's way out. Whoever created it closes it. */
export interface Egress {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Bytes that came from sites. */
  readonly bytesIn: number;
  /** Bytes that went to sites. */
  readonly bytesOut: number;
  /** Why the latest connection to the address's host and port was refused or failed; undefined when it succeeded or there was none. */
  reasonFor(url: string): EgressReason | undefined;
  /** Connects to the site of an address that will be asked for, if the rules let it be reached; nothing is sent. */
  expect(url: string): void;
  /** Adds the site rules of the person whom the surrogate is given to, in place of those of this kind from before. */
  decideBy(decide: Decide): void;
  /** Ends all connections. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 20_000;
const DEFAULT_IDLE_TIMEOUT_MS = 15 * 60_000;
const HEADERS_TIMEOUT_MS = 30_000;
const MAX_CLIENT_SOCKETS = 1024;

/** Ports of all egress proxies of this process: one surrogate must not use another's. */
const egressPorts = new Set<number>();

/**
 * Starts the proxy through which all of one surrogate's traffic goes, on a port of 127.0.0.1. It resolves names itself, and connects to
 * the addresses that it checked. Refusals answer 403, failures 502 or 504, with the code in `x-vitrine-egress`.
 *
 * A proxy of our own because proxy-chain (2 and 3) neither tells why a connection failed, nor bounds connecting, nor lets literal addresses
 * through the hook that pins resolved ones.
 *
 * @throws AppError `network-invalid`
 */
export async function createEgress(options: EgressOptions): Promise<Egress> {
  const { log, ownPorts = [], idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = options;
  const decide = options.decide ?? ((): Verdict => ({ allow: true }));
  let personal: Decide = () => ({ allow: true });
  const guard = createGuard({
    allowed: parseAllowedNetworks(options.allowNetworks ?? []),
    allowPrivate: options.allowPrivate ?? false,
    resolve: cachedResolve(options.resolve ?? systemResolve),
    decide: async (destination) => {
      const verdict = await decide(destination);
      return verdict.allow ? personal(destination) : verdict;
    },
    isOwnPort: (port) => ownPorts.includes(port) || egressPorts.has(port),
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
  });
  const reasons = new Reasons();
  const meter = { in: 0, out: 0 };
  const upstreams = new Set<Socket>();

  const open = async (destination: Destination): Promise<Socket> => {
    const socket = await guard.connect(destination);
    reasons.clear(destination.host, destination.port);
    upstreams.add(socket);
    socket.setTimeout(idleTimeoutMs);
    socket.on('timeout', () => socket.destroy(Object.assign(new Error('idle'), { code: 'ETIMEDOUT' })));
    socket.once('close', () => {
      upstreams.delete(socket);
      meter.in += socket.bytesRead;
      meter.out += socket.bytesWritten;
    });
    if (closed) socket.destroy();
    return socket;
  };
  const ahead = new AheadConnections(open);
  const connect = async (destination: Destination): Promise<Socket> =>
    (await ahead.take(destination)) ?? open(destination);

  /** Notes a failure and gives the error as the surrogate is told it. */
  const failed = (destination: Destination, thrown: unknown): AppError => {
    const error = toAppError(thrown);
    reasons.add({ ...destination, code: error.code, message: error.message, at: Date.now() });
    log.info('egress refused', {
      host: destination.host,
      port: destination.port,
      code: error.code,
      cause: error.cause instanceof Error ? error.cause.message : undefined,
    });
    return error;
  };

  const agent = new PlainAgent(connect, idleTimeoutMs);
  const server = http.createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 0, // an upload may take its time
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: HEADERS_TIMEOUT_MS,
  });
  server.maxConnections = MAX_CLIENT_SOCKETS;
  const clients = new Set<Socket>();
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    socket.on('error', () => socket.destroy()); // the browser went away: nobody is left to tell
  });
  server.on('request', (request, response) => {
    if (request.url === NOWHERE) response.writeHead(204).end();
    else void forwardPlain(request, response, { admit: guard.admit, agent, failed });
  });
  server.on('connect', (request: http.IncomingMessage, client, head: Buffer) => {
    // On a TCP server it is one.
    void tunnel(request, client as Socket, head, { admit: guard.admit, connect, failed });
  });

  let closed: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  egressPorts.add(port);

  const sum = (start: number, key: 'bytesRead' | 'bytesWritten'): number => {
    let total = start;
    for (const socket of upstreams) total += socket[key];
    return total;
  };
  return {
    port,
    get bytesIn() {
      return sum(meter.in, 'bytesRead');
    },
    get bytesOut() {
      return sum(meter.out, 'bytesWritten');
    },
    reasonFor(url) {
      const destination = destinationOf(url);
      return destination && reasons.get(destination.host, destination.port);
    },
    expect(url) {
      const destination = destinationOf(url);
      if (destination)
        guard.admit(destination).then(
          () => ahead.open(destination),
          () => undefined, // it is told when it is asked for
        );
    },
    decideBy(rules) {
      personal = rules;
    },
    close() {
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        agent.destroy();
        for (const socket of [...clients, ...upstreams]) socket.destroy();
        egressPorts.delete(port);
      });
      return closed;
    },
  };
}

function destinationOf(url: string): Destination | undefined {
  const { hostname = '', port = '', protocol } = URL.parse(url) ?? {};
  const host = hostText(hostname);
  const usual = protocol === 'https:' || protocol === 'wss:' ? 443 : 80;
  return host === undefined ? undefined : { host, port: port === '' ? usual : Number(port) };
}
