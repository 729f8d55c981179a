import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Headers that tell a site who asks, and from where. */
const HEADERS = [
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'sec-fetch-user',
  'origin',
  'referer',
  'cookie',
] as const;

/** A request as a site has received it. */
export interface LoggedRequest {
  readonly method: string;
  /** With the origin that it was sent to. */
  readonly url: string;
  readonly headers: Readonly<Partial<Record<(typeof HEADERS)[number], string>>>;
  readonly body: string;
}

/** Two sites on loopback that log what they are asked. */
export interface LoggedSites {
  /** `http://localhost:PORT` */
  readonly home: string;
  /** `http://127.0.0.1:PORT`, another site. */
  readonly other: string;
  readonly log: LoggedRequest[];
  /** Number of the last document; each has its own in the attribute `data-nr` of its body. */
  documents(): number;
  close(): Promise<void>;
}

/** Paths with an answer of their own; anything else is a page that says where it is. */
type Pages = (sites: Pick<LoggedSites, 'home' | 'other'>) => Readonly<Record<string, string>>;

/** Starts the sites. `/sign-in` sets cookies, `/redirect?to=` redirects, `/worker.js` is a script; `pages` are documents by path. */
export async function startLoggedSites(pages: Pages): Promise<LoggedSites> {
  const log: LoggedRequest[] = [];
  const servers = [http.createServer(answer), http.createServer(answer)] as const;
  const [home = 0, other = 0] = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // it listens on TCP
        }),
    ),
  );
  const sites = { home: `http://localhost:${home}`, other: `http://127.0.0.1:${other}` };
  const known = pages(sites);
  let documents = 0;

  function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const url = new URL(`http://${request.headers.host ?? ''}${request.url ?? ''}`);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const told = HEADERS.flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
      );
      log.push({
        method: request.method ?? '',
        url: url.href,
        headers: Object.fromEntries(told) as LoggedRequest['headers'],
        body: Buffer.concat(chunks).toString(),
      });
      const to = url.searchParams.get('to');
      const common = { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
      if (url.pathname === '/redirect' && to !== null) response.writeHead(302, { ...common, location: to }).end();
      else if (url.pathname === '/sign-in')
        response
          .writeHead(200, { ...common, 'set-cookie': ['strict=1; SameSite=Strict', 'lax=1; SameSite=Lax'] })
          .end(page('signed in', ++documents));
      else if (url.pathname.endsWith('.js'))
        response.writeHead(200, { ...common, 'content-type': 'text/javascript' }).end(known[url.pathname] ?? '');
      else
        response.writeHead(200, common).end(page(known[url.pathname] ?? `<p id=at>${url.pathname}</p>`, ++documents));
    });
  }

  return {
    ...sites,
    log,
    documents: () => documents,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** An icon of its own would be one more request, at any time. */
function page(body: string, nr: number): string {
  return `<!doctype html><link rel=icon href="data:,"><body data-nr=${nr}>${body}`;
}
