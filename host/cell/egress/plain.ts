import http from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { AppError } from '../../../core/protocol/errors.ts';
import { pass } from '../../base/pass.ts';
import { hostText } from './address.ts';
import { CODE_HEADER, errorAnswer } from './answer.ts';
import { codeOf } from './connect-checked.ts';
import type { Destination } from './destination.ts';

/** Chromium's own limit for the headers of a response. */
export const MAX_HEADER_BYTES = 256 * 1024;
const IDLE_POOL_MS = 30_000;

/** Hop-by-hop headers (RFC 9110, 7.6.1), and those between a browser and its proxy. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  CODE_HEADER,
]);

/** Keeps connections to plain http sites alive; each was opened, and so checked, by `connect`. */
export class PlainAgent extends http.Agent {
  readonly #connect: (destination: Destination) => Promise<Socket>;
  readonly #idleTimeoutMs: number;

  constructor(connect: (destination: Destination) => Promise<Socket>, idleTimeoutMs: number) {
    super({ keepAlive: true, scheduling: 'lifo' });
    this.#connect = connect;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  override createConnection(
    options: http.ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#connect({ host: String(options.host), port: Number(options.port) }).then(
      (socket) => {
        // An idle connection that a site ends is removed from the pool.
        socket.allowHalfOpen = false;
        done?.(null, socket);
      },
      // Node's type wants a socket beside the error; its code does not look at it.
      (error: unknown) => (done as ((error: unknown) => void) | undefined)?.(error),
    );
  }

  /** Closes a connection that waits for another request. Returns whether there was one. */
  closeUnused(): boolean {
    const unused = Object.values(this.freeSockets)
      .flat()
      .find((socket) => socket?.destroyed === false);
    unused?.destroy();
    return unused !== undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const isKept = super.keepSocketAlive(socket) as unknown as boolean; // declared void, but it says whether to keep the socket
    const { timeout } = socket as Socket; // `connect` gives sockets; Node has put the site's Keep-Alive hint there
    (socket as Socket).setTimeout(timeout ? Math.min(timeout, IDLE_POOL_MS) : IDLE_POOL_MS);
    return isKept;
  }

  override reuseSocket(socket: Duplex, request: http.ClientRequest): void {
    (socket as Socket).setTimeout(this.#idleTimeoutMs); // `connect` gives sockets
    super.reuseSocket(socket, request);
  }
}

/** Functions of the proxy that forwarding uses. */
interface PlainWay {
  readonly agent: PlainAgent;
  admit(destination: Destination): Promise<void>;
  /** Records a failure; returns the error to answer with. */
  failed(destination: Destination, thrown: unknown): AppError;
}

/** Forwards a request for an http address. Never rejects. */
export async function forwardPlain(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  way: PlainWay,
): Promise<void> {
  const refuse = (error: AppError): void => {
    if (response.headersSent) return void response.destroy(); // the browser notices that the body is cut off
    const { status, headers } = errorAnswer(error);
    response.writeHead(status, headers).end();
  };
  const url = parseUrl(request.url ?? '');
  if (!url) return refuse(new AppError('bad-request', 'Only http addresses and CONNECT are served.'));
  const { destination } = url;
  try {
    await way.admit(destination);
    send(request, response, url, way.agent, (error) => refuse(way.failed(destination, error)));
  } catch (error) {
    refuse(way.failed(destination, error));
  }
}

interface PlainUrl {
  readonly destination: Destination & { readonly url: string };
  /** Value of the Host header. */
  readonly authority: string;
  /** Path and query as received. */
  readonly path: string;
}

function parseUrl(text: string): PlainUrl | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = hostText(url.hostname);
  if (url.protocol !== 'http:' || host === undefined) return undefined;
  const rest = text.replace(/^http:\/\/[^/?#]*/i, '');
  const port = url.port === '' ? 80 : Number(url.port);
  return {
    destination: { host, port, url: text },
    authority: url.host,
    path: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

function send(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  url: PlainUrl,
  agent: PlainAgent,
  failed: (error: unknown) => void,
): void {
  if (response.destroyed) return; // the browser has left while the request was being admitted
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const hasBody = isChunked || Number(request.headers['content-length'] ?? 0) > 0;
  const headers = endToEnd(request.rawHeaders, request.headers.connection).filter(
    ([name]) => name.toLowerCase() !== 'host',
  );
  headers.unshift(['Host', url.authority]);
  if (isChunked) headers.push(['Transfer-Encoding', 'chunked']);

  const upstream = http.request({
    // A request with a body cannot be repeated, so it does not use a connection that may be stale.
    ...(hasBody ? { createConnection: (options, done) => agent.createConnection(options, done) } : { agent }),
    host: url.destination.host,
    port: url.destination.port,
    method: request.method ?? 'GET',
    path: url.path,
    headers: headers.flat(),
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  response.once('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  upstream.once('response', (answer) => {
    if (response.destroyed) {
      upstream.destroy();
      return;
    }
    try {
      if (answer.statusCode === 407) throw new AppError('bad-response', 'The site posed as a proxy.');
      response.sendDate = false;
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage,
        endToEnd(answer.rawHeaders, answer.headers.connection).flat(),
      );
    } catch (error) {
      upstream.destroy();
      failed(
        error instanceof AppError
          ? error
          : new AppError('bad-response', 'The response of the site is not valid HTTP.', { cause: error }),
      );
      return;
    }
    response.flushHeaders();
    answer.on('error', () => {}); // it is closed then
    answer.once('close', () => {
      if (!answer.readableEnded) response.destroy(); // the browser notices that the body is cut off
    });
    pass(answer, response);
  });
  upstream.once('error', (error: Error & { readonly code?: string }) => {
    if (response.destroyed || response.headersSent) return; // the browser notices that it is cut off
    // The site closed a kept-alive connection as it was reused: like browsers, we retry if the request is safe to
    // repeat.
    if (upstream.reusedSocket && error.code === 'ECONNRESET' && ['GET', 'HEAD'].includes(request.method ?? '')) {
      return send(request, response, url, agent, failed);
    }
    if (error instanceof AppError) return failed(error);
    failed(
      new AppError(codeOf(error), 'The site ended the connection without an answer.', {
        retryable: true,
        cause: error,
      }),
    );
  });
  if (hasBody)
    pipeline(request, upstream, () => {}); // errors of either are reported by its own listener
  else upstream.end();
}

/** Raw end-to-end header pairs, in their order and spelling. */
function endToEnd(raw: readonly string[], connection: string | undefined): [string, string][] {
  const listed = new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!HOP_HEADERS.has(name.toLowerCase()) && !listed.has(name.toLowerCase())) kept.push([name, value]);
  }
  return kept;
}
