import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import type { Browser, Frame, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { VIEW_TEMPLATES } from '../../../host/gateway/view-templates.ts';
import type { Batch } from '../ops.ts';

const SHELL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; font-src 'self'; media-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const RED_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="red"/></svg>';
const FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

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

/** The client half in a shell of its own, in a browser that stands for the person's. */
export class ViewPage {
  readonly page: Page;
  /** Addresses asked for, in order, but for the shell itself and the templates. */
  readonly requests: string[];
  /** Uncaught errors of the shell. */
  readonly errors: string[] = [];
  readonly #close: () => Promise<void>;

  private constructor(page: Page, requests: string[], close: () => Promise<void>) {
    this.page = page;
    this.requests = requests;
    this.#close = close;
    page.on('pageerror', (error) => this.errors.push(error.message));
  }

  /** Starts a server, and a page in the browser. Close it when done. */
  static async open(browser: Browser): Promise<ViewPage> {
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
    const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    const view = new ViewPage(await context.newPage(), requests, async () => {
      await context.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    await view.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await view.page.waitForFunction(() => 'harness' in window);
    return view;
  }

  /** Feeds batches of a frame and waits until the last has been applied. */
  async feed(frame: number, ...batches: Batch[]): Promise<void> {
    await this.push(frame, ...batches);
    const last = batches.at(-1);
    await this.page.waitForFunction(
      ([f, epoch, seq]) => window.harness.reached.some((at) => at[0] === f && at[1] === epoch && at[2] === seq),
      [frame, last?.epoch, last?.seq],
    );
  }

  /** Feeds batches without waiting. */
  async push(frame: number, ...batches: Batch[]): Promise<void> {
    // As text: arrays of numbers take Playwright long.
    await this.page.evaluate(
      ([f, all]) => (JSON.parse(all) as Batch[]).forEach((batch) => window.harness.feed(f, batch)),
      [frame, JSON.stringify(batches)] as const,
    );
  }

  /** Playwright's handle on the main frame of the view, once it is there. */
  async main(): Promise<Frame> {
    const handle = await this.page.waitForSelector('iframe[data-vitrine-frame="main"]');
    const frame = await handle.contentFrame();
    if (!frame) throw new Error('the main frame has no document');
    return frame;
  }

  /** Waits until the browser has drawn twice. Asked of the shell: frames of the view run no animation callbacks of the page's world. */
  async frames(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** A view per test of a file; a test in which the shell has an uncaught error fails. */
export function useView(): () => ViewPage {
  let browser: Browser;
  let view: ViewPage;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...FLAGS] });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    view = await ViewPage.open(browser);
  });
  afterEach(async () => {
    const { errors } = view;
    await view.close();
    expect(errors).toEqual([]);
  });
  return () => view;
}

/** Waits until an answer fits: generously, because a busy machine is no fault. */
export function eventually<T>(get: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(get, { timeout: 15_000 });
}
