import { chromium } from 'playwright';
import type { Browser, Frame, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Batch } from '../ops.ts';
import { serveView } from './view-server.ts';

const FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The client half in a shell of its own, in a browser that stands for the person's. */
class ViewPage {
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
    const server = await serveView();
    const { requests } = server;
    const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    const view = new ViewPage(await context.newPage(), requests, async () => {
      await context.close();
      await server.close();
    });
    await view.page.goto(server.origin);
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
    for (let tries = 0; tries < 20; tries++) {
      const handle = await this.page.waitForSelector('iframe[data-vitrine-frame="main"]');
      const frame = await handle.contentFrame();
      if (frame) return frame; // otherwise the next page has taken its place meanwhile
    }
    throw new Error('the main frame has no document');
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
