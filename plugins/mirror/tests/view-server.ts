import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { VIEW_TEMPLATES } from '../../../host/gateway/view-templates.ts';

const SHELL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; font-src 'self'; media-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const RED_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="red"/></svg>';

let bundled: Promise<string> | undefined;
function shellScript(): Promise<string> {
  bundled ??= build({
    entryPoints: [path.join(import.meta.dirname, 'shell-entry.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  return bundled;
}

/** The client half in a shell of its own, for any browser. */
interface ViewServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Requested addresses, in order, without the shell itself and the templates. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Serves the shell with the client half in it, which tests drive through `window.harness` (shell-entry.ts). */
export async function serveView(): Promise<ViewServer> {
  const script = await shellScript();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const template = VIEW_TEMPLATES[url.replace(/^\/safeview-template\/view\/|\?\d+$/g, '')];
    const send = (type: string, body: string, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    };
    if (url === '/')
      send('text/html', '<!doctype html><body><script src="/shell.js"></script>', {
        'content-security-policy': SHELL_POLICY,
      });
    else if (url === '/shell.js') send('text/javascript', script);
    else if (url.startsWith('/safeview-template/view/') && template)
      send(template.contentType, template.body, template.headers);
    else {
      if (url !== '/favicon.ico') requests.push(url);
      if (url.startsWith('/c/i/')) send('image/svg+xml', RED_SVG);
      else response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
