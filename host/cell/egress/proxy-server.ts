import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { MAX_HEADER_BYTES } from './plain.ts';

const HEADERS_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 60_000;

/** Handlers for the requests of a browser to its proxy, and their bound. */
interface ProxyRequests {
  /** Connections that the browser may have open; further ones are closed at once. */
  readonly maxConnections: number;
  /** Called for each that is. */
  readonly onTooMany: () => void;
  /** Whether a connection is the browser's; those of others are closed. */
  readonly isOwn: (client: Socket) => Promise<boolean>;
  /** A plain http request. */
  readonly request: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  /** A CONNECT, with the bytes that followed it. */
  readonly connect: (request: http.IncomingMessage, client: Socket, head: Buffer) => void;
}

/** Listening end of a proxy on 127.0.0.1, with the connections of its browser. The caller closes it. */
export class ProxyServer {
  readonly #clients = new Set<Socket>();
  readonly #server = http.createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 0, // an upload may be slow
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: HEADERS_TIMEOUT_MS,
  });

  constructor(requests: ProxyRequests) {
    const server = this.#server;
    server.maxConnections = requests.maxConnections;
    server.on('drop', requests.onTooMany);
    const owned = new WeakMap<Socket, Promise<boolean>>();
    server.on('connection', (socket) => {
      this.#clients.add(socket);
      const isOwn = requests.isOwn(socket);
      owned.set(socket, isOwn);
      void isOwn.then((own) => {
        if (!own) socket.destroy();
      });
      socket.once('close', () => this.#clients.delete(socket));
      socket.on('error', () => socket.destroy()); // the browser has closed the connection
    });
    server.on('request', (request, response) => {
      void owned.get(request.socket)?.then((own) => {
        if (own && !response.destroyed) requests.request(request, response);
      });
    });
    server.on('connect', (request: http.IncomingMessage, duplex, head: Buffer) => {
      const client = duplex as Socket; // on a TCP server it is one
      void owned.get(client)?.then((own) => {
        if (own && !client.destroyed) requests.connect(request, client, head);
      });
    });
  }

  /** Listens on a port that the system chooses, and returns it. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: '127.0.0.1', port: 0 }, resolve);
    });
    return (this.#server.address() as AddressInfo).port; // it listens on TCP
  }

  /** Ends all connections of the browser. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of [...this.#clients]) socket.destroy();
    });
  }
}
