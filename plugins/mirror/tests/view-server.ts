import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { VIEW_TEMPLATES } from '../../../host/gateway/view-templates.ts';

const SHELL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; font-src 'self'; media-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const RED_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="red"/></svg>';

/** A change of a source of the client, to test what holds without it. */
export interface SourceEdit {
  /** End of the source's path. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const bundled = new Map<string, Promise<string>>();
function shellScript(edits: readonly SourceEdit[]): Promise<string> {
  const key = JSON.stringify(edits);
  const known = bundled.get(key) ?? bundle(edits);
  bundled.set(key, known);
  return known;
}

async function bundle(edits: readonly SourceEdit[]): Promise<string> {
  const left = new Set(edits);
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'shell-entry.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    plugins: [
      {
        name: 'edits',
        setup: (setup) => {
          setup.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
            let contents = await readFile(file, 'utf8');
            for (const edit of edits.filter((each) => file.endsWith(each.file) && contents.includes(each.from))) {
              contents = contents.replace(edit.from, () => edit.to);
              left.delete(edit);
            }
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  for (const { file, from } of left) throw new Error(`${file} has no ${JSON.stringify(from)}`);
  return outputFiles[0]?.text ?? '';
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
export async function serveView(edits: readonly SourceEdit[] = []): Promise<ViewServer> {
  const script = await shellScript(edits);
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
