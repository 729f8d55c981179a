import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** By extension. HTML carries no charset: pages declare their own. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.xht': 'application/xhtml+xml',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
};

/** Answers a request that is not for a file; false leaves it to the folder. */
export type Route = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A folder served on two origins of 127.0.0.1, at `port` and `port + 1`. */
export interface StaticServer {
  readonly port: number;
  readonly origin: string;
  /** Both origins as `HOST:PORT`, for `--allow-network`. */
  readonly hosts: readonly [string, string];
  close(): Promise<void>;
}

/** Serves a folder until `close`; `route` is called first. */
export async function serveFolder(root: string, route: Route = () => false): Promise<StaticServer> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!route(request, response)) void serveFile(root, request, response);
  };
  const [first, second] = await listenOnPair(handle);
  const { port } = first.address() as AddressInfo; // a TCP server that listens has an AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    hosts: [`127.0.0.1:${port}`, `127.0.0.1:${port + 1}`],
    close: async () => {
      await Promise.all([close(first), close(second)]);
    },
  };
}

async function serveFile(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = fileOf(root, request.url ?? '/');
  const info = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || !info?.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
    'content-length': info.size,
    'last-modified': info.mtime.toUTCString(),
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}

function fileOf(root: string, url: string): string | undefined {
  try {
    const file = path.join(root, decodeURIComponent(new URL(url, 'http://localhost').pathname));
    return file.startsWith(root + path.sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

async function listenOnPair(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<[Server, Server]> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const first = await listen(createServer(handle), 0);
    const { port } = first.address() as AddressInfo; // a TCP server that listens has an AddressInfo
    try {
      return [first, await listen(createServer(handle), port + 1)];
    } catch {
      await close(first);
    }
  }
  throw new Error('No two neighbouring ports are free.');
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
