import http from 'node:http';
import https from 'node:https';
import type { RequestListener, Server } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressShared, sharesOf } from './client-address.ts';
import type { Metrics } from './metrics.ts';

/** Open connections of all clients, and of one client address: that of an office, whose browsers have some ten each. */
const MAX_CONNECTIONS = { all: 10_000, address: 1000 };

/**
 * Requests of a connection that wait for their answers. Browsers, and proxies, send the next one after the answer; whoever sends more has them
 * all taken up at once, for which one packet can hold more than a thousand.
 */
const MAX_UNANSWERED = 8;
/**
 * Bytes of a connection that are parsed in one go: then it may have been ended. While a body arrives each slice has twice as many as the one before, up
 * to what Node reads at once: bodies come in large chunks, and whoever sends many requests in one slice has sent as much before.
 */
const SLICE_BYTES = 2048;
const LARGEST_SLICE_BYTES = 64 * 1024;

/** Bounds on connections, where not the usual ones. */
export type ConnectionBounds = typeof MAX_CONNECTIONS;

/** Options of the connections of a gateway. */
interface ConnectionsOptions {
  readonly metrics: Pick<Metrics, 'fault' | 'gauge'>;
  /** Whether the host is reached from other machines. */
  readonly isExposed?: boolean;
  /** Addresses of proxies, each of which brings many clients: IP or CIDR. They count among all. */
  readonly trustedProxies?: readonly string[];
  readonly connections?: ConnectionBounds;
}

/** Times of a server, in ms. */
interface ServerTimes {
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
}

/**
 * Bounds the open connections of all clients and of each client address, whether or not a request has come on them yet. One too many is
 * answered with 503 or 429 before anything of it is read, or cut off where it would have to be answered in TLS.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #max: ConnectionBounds;
  readonly #proxies: BlockList;
  readonly #open = new Map<string, number>();
  /** Size of the next slice of a connection. */
  readonly #slices = new WeakMap<Socket, number>();
  #all = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#max = options.connections ?? MAX_CONNECTIONS;
    this.#proxies = listOf(options.trustedProxies ?? []);
    options.metrics.gauge('vitrine_connections', 'Open connections of clients', () => this.#all);
  }

  /** Creates a server whose connections are bounded together with those of the others created here. */
  server(handler: RequestListener, times: ServerTimes, tls?: https.ServerOptions): Server {
    const bounded = this.#boundRequests(handler);
    const server = tls ? https.createServer(tls, bounded) : http.createServer(bounded);
    server.keepAliveTimeout = times.keepAliveTimeout;
    server.requestTimeout = times.requestTimeout;
    server.setTimeout(times.connectionTimeout);
    server.on('connection', (socket: Socket) => this.#take(socket, tls !== undefined));
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => this.#readInSlices(socket));
    server.on('upgrade', ({ socket }) => Reflect.deleteProperty(socket, 'push')); // no requests come any more
    return server;
  }

  /** Ends connections that send too many requests ahead of their answers. */
  #boundRequests(handler: RequestListener): RequestListener {
    const unanswered = new WeakMap<Socket, number>();
    return (request, response) => {
      const { socket } = request;
      if (socket.destroyed) return; // ended before: its last packet holds more
      this.#slices.set(socket, SLICE_BYTES);
      const count = (unanswered.get(socket) ?? 0) + 1;
      if (count > MAX_UNANSWERED) {
        this.#options.metrics.fault('connection', 'too-many-requests-ahead');
        socket.destroy();
        return;
      }
      unanswered.set(socket, count);
      response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
      handler(request, response);
    };
  }

  /**
   * Has a connection parsed in slices, and nothing more of it once it has been ended: Node parses all that has been read, up to 64 KiB, whatever
   * becomes of the first requests in it.
   */
  #readInSlices(socket: Socket): void {
    const unheard = (): void => undefined;
    socket.on('data', unheard).off('data', unheard); // bytes come through the stream from now on: before, the parser has them first
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding) => {
      if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
      let takesMore = true;
      for (let at = 0; at < chunk.length && !socket.destroyed;) {
        const size = this.#slices.get(socket) ?? SLICE_BYTES;
        this.#slices.set(socket, Math.min(2 * size, LARGEST_SLICE_BYTES)); // a request that begins in it makes it small again
        takesMore = push(chunk.subarray(at, at + size));
        at += size;
      }
      return takesMore;
    };
  }

  #take(socket: Socket, isTls: boolean): void {
    const shares = this.#sharesOf(socket.remoteAddress ?? '');
    const isPast = shares.some(([key, factor]) => (this.#open.get(key) ?? 0) >= this.#max.address * factor);
    if (isPast || this.#all >= this.#max.all) {
      this.#options.metrics.fault('connection', isPast ? 'too-many-of-address' : 'too-many');
      if (isTls) socket.destroy();
      else refuse(socket, isPast ? '429 Too Many Requests' : '503 Service Unavailable');
      return;
    }
    this.#all += 1;
    for (const [key] of shares) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    socket.once('close', () => {
      this.#all -= 1;
      for (const [key] of shares) {
        const left = (this.#open.get(key) ?? 1) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    });
  }

  #sharesOf(ip: string): (readonly [key: string, factor: number])[] {
    const address = addressShared(ip, this.#options.isExposed ?? false);
    if (address === undefined || this.#isProxy(ip)) return [];
    return sharesOf(ip, address);
  }

  #isProxy(ip: string): boolean {
    if (!ipaddr.isValid(ip)) return false;
    const address = ipaddr.process(ip);
    return this.#proxies.check(address.toString(), address.kind());
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function refuse(socket: Socket, status: string): void {
  const text = 'Too many connections. Close some, and try again.\n';
  const head = ['content-type: text/plain', `content-length: ${text.length}`, 'retry-after: 10', 'connection: close'];
  socket.on('error', () => undefined); // it may be gone already
  socket.write(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${text}`);
  socket.destroySoon();
}
