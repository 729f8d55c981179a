import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { FrameLocator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openBrowser } from '../../testing/script-page.ts';
import type { TestBrowser } from '../../testing/script-page.ts';
import { pageFrameDocument } from '../../../host/gateway/page-frame.ts';
import { shellDocument, shellPolicy } from '../../../host/gateway/shell.ts';
import type { SessionConfiguration } from '../../../host/gateway/shell.ts';
import type { Assets } from '../../../host/gateway/assets.ts';

const IMPORT_MAP = '{}';
/** The assets that the shell's document and its policy use. */
const ASSETS = {
  entry: '/shell-entry.js',
  preload: [],
  importMap: IMPORT_MAP,
  importMapHash: `'sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}'`,
  style: (name: string) => `/${name}.css`,
} as unknown as Assets;
/** The host's own document, with a view. */
const SHELL = shellDocument(ASSETS, {} as SessionConfiguration).replace(
  '<div id="vitrine-overlay">',
  '<div id="view"><button id="in-view">In the view</button></div>$&',
);

type Files = ReadonlyMap<string, string>;
let built: Promise<Files> | undefined;

/** The test's shell as modules, with dynamic imports separate; sheets are served by their names. */
function modules(): Promise<Files> {
  built ??= build({
    entryPoints: [path.join(import.meta.dirname, 'shell-entry.tsx')],
    outdir: '/',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    target: 'es2022',
    jsx: 'automatic',
    chunkNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'sheets',
        setup: (setup) => {
          setup.onLoad({ filter: /\.css$/ }, ({ path: file }) => ({
            contents: `export default ${JSON.stringify(`/${path.basename(file)}`)}`,
          }));
        },
      },
    ],
  }).then(({ outputFiles }) => new Map(outputFiles.map((file) => [file.path, file.text])));
  return built;
}

/** A page with the overlay under the shell's own content security policy. */
interface OverlayPage {
  readonly page: Page;
  /** The document that contains the dialogs. */
  readonly dialogs: FrameLocator;
  /** Requested targets, in order. */
  readonly requests: string[];
  /** Uncaught errors, and violations of the content security policy. */
  readonly errors: string[];
  /** While true, requests for the page frame fail. */
  failFrame: boolean;
  close(): Promise<void>;
}

/** Serves the test's shell and opens it. */
async function openOverlay(locale = 'en-GB'): Promise<OverlayPage> {
  const files = await modules();
  const requests: string[] = [];
  const state = { failFrame: false };
  const frame = pageFrameDocument();
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://shell');
      requests.push(request.url ?? '');
      const send = (type: string, body: string, policy = ''): void => {
        response
          .writeHead(200, { 'content-type': type, ...(policy && { 'content-security-policy': policy }) })
          .end(body);
      };
      if (pathname === '/') send('text/html', SHELL, shellPolicy(ASSETS, []));
      else if (pathname === '/probe.css') send('text/css', '.probe { color: rgb(1, 2, 3) } h2 { letter-spacing: 3px }');
      else if (pathname.endsWith('.css')) {
        const folder = pathname.startsWith('/ui/') ? '../../ui' : '..'; // what the sheets import
        send('text/css', await readFile(path.join(import.meta.dirname, folder, path.basename(pathname)), 'utf8'));
      } else if (pathname === '/safeview-template/ui.html' && !state.failFrame)
        send('text/html', frame.body, frame.policy);
      else if (files.has(pathname)) send('text/javascript', files.get(pathname) ?? '');
      else response.writeHead(500).end('nothing here');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // the server listens on TCP
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => {
    if (/Content Security Policy|Trusted ?Type/i.test(line.text())) errors.push(line.text());
  });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction(() => 'test' in window);
  return {
    page,
    requests,
    errors,
    dialogs: page.frameLocator('#vitrine-page-frame'),
    get failFrame() {
      return state.failFrame;
    },
    set failFrame(value) {
      state.failFrame = value;
    },
    close: async () => {
      await context.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The overlay of the running test. */
export let overlay: OverlayPage;
let browser: TestBrowser;

/** Opens an overlay for each test of a file. */
export function useOverlay(): void {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    overlay = await openOverlay();
  });
  afterEach(() => overlay.close());
}

/** Opens the overlay again, for a person with this language. */
export async function reopenIn(locale: string): Promise<void> {
  await overlay.close();
  overlay = await openOverlay(locale);
}
