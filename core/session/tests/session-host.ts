import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { WebSocketServer } from 'ws';
import { OpcodeTable, grantOpcodes } from '../../plugins/opcodes.ts';
import { CORE_MESSAGES } from '../../protocol/core-messages.ts';
import type { Packet } from '../../protocol/endpoint.ts';
import { JSON_TEXT } from '../../protocol/json-text.ts';
import type { PairAnswer } from '../../protocol/pairing.ts';
import { HostEnd } from '../../channel/tests/channel-host.ts';
import { bootPlugin, gatedPlugin, mouse } from './fixture/manifests.ts';

const here = import.meta.dirname;

type Files = ReadonlyMap<string, string>;
let built: Promise<Files> | undefined;

/** The client with the plugins of the fixture, dynamic imports separate. */
function modules(): Promise<Files> {
  built ??= build({
    entryPoints: [path.join(here, '../../boot.ts')],
    outdir: '/',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    target: 'es2022',
    chunkNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'fixture',
        setup: (setup) => {
          setup.onResolve({ filter: /^virtual:plugin-registry$/ }, () => ({
            path: path.join(here, 'fixture/registry.ts'),
          }));
          setup.onLoad({ filter: /\.css$/ }, ({ path: file }) => ({
            contents: `export default ${JSON.stringify(`/${path.basename(file)}`)}`,
          }));
        },
      },
    ],
  }).then(({ outputFiles }) => new Map(outputFiles.map((file) => [file.path, file.text])));
  return built;
}

const INFO = {
  DEBUG: false,
  TC_API_VERSION: 1,
  TC_BUNDLED: true,
  INSPECT_DOMAIN: '127.0.0.1',
  CLUSTER_DOMAIN: '127.0.0.1',
  BUILD_ID: 'build-1',
  HOST: '127.0.0.1',
  TPROXY_ENABLED: false,
  FRAMEBUST: { enabled: false, domains: [] },
};

/** Session information in the shell. */
interface ShellInfo extends Partial<typeof INFO> {
  readonly POST?: { readonly body: string; readonly content_type: string };
}

const shell = (info: string): string => `<!doctype html>
<html lang="en" data-vitrine-role="top" data-vitrine-state="pairing">
<head><meta charset="utf-8"><meta id="vitrine-session-info" data-session="${info}"><title>Vitrine</title><link rel="icon" href="data:,">
<script type="module" src="/boot.js"></script></head>
<body><div id="vitrine-preload"><span class="spinner"></span><span id="vitrine-info"></span></div><div id="vitrine-overlay"></div></body></html>`;

/** One call of a client: path with query, and body. */
interface Call {
  readonly target: string;
  readonly body: Record<string, unknown>;
}

/** Response to a call: JSON, or only a status. */
type Answer = object | number;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  if (request.headers['content-type'] === 'application/x-www-form-urlencoded')
    return Object.fromEntries(new URLSearchParams(text));
  const [json = '', ...rest] = text.split('\n');
  const body = JSON.parse(json || '{}') as Record<string, unknown>; // sent by our own client
  return request.headers['content-type'] === JSON_TEXT ? { ...body, body: rest.join('\n') } : body;
}

/** A test host: pages, calls and websockets, with everything that it received. */
export class SessionHost {
  readonly calls: Call[] = [];
  /** Requested scripts. */
  readonly scripts: string[] = [];
  readonly ends: HostEnd[] = [];
  readonly origin: string;
  readonly table = new OpcodeTable(CORE_MESSAGES);
  /** Data in the shell; a string is the attribute itself. */
  info: ShellInfo | string = {};
  /** Responses to calls by path; pairing and repair default to `PAIRED`. */
  answers: Record<string, (call: Call) => Answer> = {};
  /** Requests of `/healthz` are cut. */
  isAway = false;
  /** Runs for each websocket; by default it finds the session. */
  onEnd: (end: HostEnd) => void = (end) => {
    end.found();
  };
  readonly close: () => void;
  #seq = 0;

  private constructor(origin: string, close: () => void) {
    this.origin = origin;
    this.close = close;
    const grants = grantOpcodes([bootPlugin, gatedPlugin, mouse].map((manifest) => ({ manifest, variant: 'default' })));
    [bootPlugin, gatedPlugin, mouse].forEach((manifest, index) => {
      const grant = grants[index];
      if (grant) this.table.add(manifest, grant);
    });
  }

  static async start(): Promise<SessionHost> {
    const files = await modules();
    const server = createServer((request, response) => {
      const target = request.url ?? '/';
      const pathname = target.split('?')[0] ?? '';
      if (request.method === 'POST') {
        void bodyOf(request).then((body) => {
          const call = { target, body };
          host.calls.push(call);
          const answer = host.answers[pathname]?.(call) ?? (/^\/r\/(pair|repair)$/.test(pathname) ? PAIRED : {});
          response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
          response.end(typeof answer === 'number' ? '{}' : JSON.stringify(answer));
        });
      } else if (files.has(pathname)) {
        host.scripts.push(pathname);
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(files.get(pathname));
      } else if (pathname === '/healthz' && host.isAway) request.destroy();
      else if (pathname === '/blank') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      else if (/https?:/.test(pathname)) {
        const { info } = host;
        const attribute =
          typeof info === 'string' ? info : Buffer.from(JSON.stringify({ ...INFO, ...info })).toString('base64');
        response.writeHead(200, { 'content-type': 'text/html' }).end(shell(attribute));
      } else response.writeHead(404).end();
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      const end = new HostEnd(socket, request.url ?? '');
      end.answersPings = true; // a channel without answers is lost after some seconds
      host.ends.push(end);
      host.#seq = 0;
      host.onEnd(end);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // the server listens on TCP
    const host: SessionHost = new SessionHost(`http://127.0.0.1:${port}`, () => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
    });
    return host;
  }

  /** Calls of a path, in order. */
  to(path: string): Call[] {
    return this.calls.filter(({ target }) => target.split('?')[0] === path);
  }

  /** Names of the received client events. */
  events(): string[] {
    return this.to('/safeview-client-logger/clientevent').flatMap(({ body }) =>
      (body['items'] as { event: string }[]).map(({ event }) => event),
    );
  }

  /** Sends a message over the newest websocket. */
  send(name: string, params: unknown, call?: number): void {
    const packet: Packet = [this.table.opOf({ name }), params, call ?? 0];
    this.ends.at(-1)?.data((this.#seq += 1), this.table.messageOf(name)?.lane ?? 'control', packet);
  }

  /** Messages received over all websockets, by name, answers as `reply`. */
  received(): [string, unknown][] {
    return this.ends.flatMap(({ packets }) =>
      packets.map(({ body: [op, params] }) => [this.table.messageOf(op)?.name ?? 'reply', params] as [string, unknown]),
    );
  }
}

/** A session with both plugins granted. */
export const PAIRED: PairAnswer = {
  version: 'ok',
  safe_rid: 'safe',
  cid: 'c1',
  rid: 'r1',
  tab_id: 'tab-1',
  cluster_id: 'local',
  s_nid: 'node-1',
  client_caps: { doubling: true },
  plugins: grantOpcodes([bootPlugin, gatedPlugin, mouse].map((manifest) => ({ manifest, variant: 'default' }))).slice(),
};
