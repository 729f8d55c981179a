import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Answer of a test's site at a path. */
export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A site on loopback, defined by functions and strings of HTML. */
export interface Site {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  /** Requests so far: method and path. */
  readonly requests: string[];
  /** Sets the answer at a path, query not counted; a string is an HTML document. */
  on(path: string, answer: Answer | string): void;
  close(): Promise<void>;
}

/** Starts a site. The caller closes it. */
export async function startSite(): Promise<Site> {
  const answers = new Map<string, Answer | string>();
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const answer = answers.get((request.url ?? '/').split('?')[0] ?? '/');
    if (typeof answer === 'function') answer(request, response);
    else if (answer !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    on: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
