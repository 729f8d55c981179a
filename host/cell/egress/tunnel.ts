import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../../core/protocol/errors.ts';
import { pass } from '../../base/pass.ts';
import { hostText } from './address.ts';
import { errorAnswerText } from './answer.ts';
import { codeOf } from './connect-checked.ts';
import type { Destination } from './destination.ts';

/** Functions of the proxy that a tunnel uses. */
interface TunnelWay {
  admit(destination: Destination): Promise<void>;
  connect(destination: Destination): Promise<Socket>;
  /** Records a failure; returns the error to answer with. */
  failed(destination: Destination, thrown: unknown): AppError;
}

/**
 * Answers a CONNECT: bytes are passed unchanged in both directions, and so are TLS, HTTP/2 and websockets. Never
 * rejects.
 */
export async function tunnel(request: IncomingMessage, client: Socket, head: Buffer, way: TunnelWay): Promise<void> {
  const refuse = (error: AppError): void => {
    client.end(errorAnswerText(error), () => client.destroy());
  };
  const destination = parseAuthority(request.url ?? '');
  if (!destination) return refuse(new AppError('bad-request', 'CONNECT needs HOST:PORT.'));
  let upstream: Socket;
  try {
    await way.admit(destination);
    if (client.destroyed) return; // the browser has left meanwhile
    upstream = await way.connect(destination);
  } catch (error) {
    return refuse(way.failed(destination, error));
  }
  join(client, upstream, head, (error) => way.failed(destination, error));
}

function join(client: Socket, upstream: Socket, head: Buffer, failed: (error: AppError) => void): void {
  let failure: Error | undefined;
  let hasClientEnded = false;
  client.once('end', () => (hasClientEnded = true));
  // Before the first byte it is the site's failure: afterwards either side may have closed.
  const report = (): void => {
    if (upstream.bytesRead > 0 || hasClientEnded || client.destroyed) return;
    const code = failure ? codeOf(failure) : 'connection-closed';
    failed(new AppError(code, 'The site ended the connection without an answer.', { retryable: true, cause: failure }));
  };
  upstream.once('end', report);
  upstream.once('error', (error) => {
    failure = error;
    report();
  });
  upstream.once('close', () => {
    if (failure) client.resetAndDestroy();
    else client.destroySoon();
  });
  client.once('close', () => upstream.destroy());
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) upstream.write(head);
  pass(client, upstream);
  pass(upstream, client);
}

function parseAuthority(authority: string): Destination | undefined {
  const [, name = '', digits] = /^(.+):(\d{1,5})$/.exec(authority) ?? [];
  const port = Number(digits);
  const host = hostText(name);
  return host !== undefined && port >= 1 && port <= 65535 ? { host, port } : undefined;
}
