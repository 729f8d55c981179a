import type { Frame, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openBrowser } from '../../../core/testing/script-page.ts';
import type { BrowserKind, TestBrowser } from '../../../core/testing/script-page.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { DOCUMENT_ID } from '../ops.ts';
import type { Batch } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import type { Node } from './page-writer.ts';
import { serveView } from './view-server.ts';
import type { SourceEdit } from './view-server.ts';

declare global {
  interface Window {
    /** The browser's own `requestAnimationFrame`: it continues while the clock is stopped. */
    testFrame: typeof requestAnimationFrame;
  }
}

/** The client half in a shell of its own, in a browser that acts as the person's. */
class ViewPage {
  readonly page: Page;
  /** Requested addresses, in order, without the shell itself and the templates. */
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

  /** Starts a server, and a page in the browser. The caller closes it. */
  static async open(browser: TestBrowser, edits: readonly SourceEdit[]): Promise<ViewPage> {
    const server = await serveView(edits);
    const { requests } = server;
    const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    const view = new ViewPage(await context.newPage(), requests, async () => {
      await context.close();
      await server.close();
    });
    await view.page.addInitScript(() => {
      window.testFrame = requestAnimationFrame.bind(window);
    });
    await view.page.goto(server.origin);
    await view.page.waitForFunction(() => 'harness' in window);
    return view;
  }

  /** Shows a document, 3000 px high, with these elements in its body: those of the class `box` scroll, of `tall` content. */
  async show(...body: Node[]): Promise<PageWriter> {
    const page = new PageWriter(1);
    page.doc().insert(DOCUMENT_ID, 0, html(body, [h('style', { id: 'style' })]));
    page.sheet(
      'style',
      'body{margin:0;height:3000px} .box{overflow:auto;height:100px;width:100px} .tall{height:900px}',
    );
    await this.feed(1, page.batch());
    return page;
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
    // As text: Playwright serializes arrays of numbers slowly.
    await this.page.evaluate(
      ([f, all]) => (JSON.parse(all) as Batch[]).forEach((batch) => window.harness.feed(f, batch)),
      [frame, JSON.stringify(batches)] as const,
    );
  }

  /** Returns Playwright's handle of the main frame of the view, once it exists. */
  async main(): Promise<Frame> {
    for (let tries = 0; tries < 20; tries++) {
      const handle = await this.page.waitForSelector('iframe[data-vitrine-frame="main"]');
      const frame = await handle.contentFrame();
      if (frame) return frame; // otherwise the next page has replaced it meanwhile
    }
    throw new Error('the main frame has no document');
  }

  /** Waits until the browser has drawn twice. Runs in the shell: frames of the view run no animation callbacks of the page's world. */
  async frames(): Promise<void> {
    await this.page.evaluate(() => new Promise((resolve) => window.testFrame(() => window.testFrame(resolve))));
  }

  /**
   * Waits until the page has been drawn, and a picture is there that was put into it after all else: whatever runs or loads by itself has
   * done so. Returns the address of the picture.
   */
  async settled(): Promise<string> {
    const last = '/c/i/last';
    await this.main();
    await this.frames();
    await this.page.evaluate(async (address) => {
      const page = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
      const picture = page?.createElement('img') ?? new Image();
      const loaded = new Promise((resolve) => picture.addEventListener('load', resolve));
      picture.src = address;
      page?.body.append(picture);
      await loaded;
      picture.remove();
    }, last);
    return last;
  }

  /** Stops the shell's clock: only `pass` advances it. */
  async stopClock(): Promise<void> {
    await this.page.clock.install({ time: 0 });
    await this.page.clock.pauseAt(PATIENCE_MS); // it throws where the clock, which runs until then, is past that
  }

  async pass(ms: number): Promise<void> {
    await this.page.clock.runFor(ms);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** A view per test of a file or group; a test in which the shell has an uncaught error fails. @param edits changes of the client's sources */
export function useView(edits: readonly SourceEdit[] = [], kind?: BrowserKind): () => ViewPage {
  let browser: TestBrowser;
  let view: ViewPage;
  beforeAll(async () => {
    browser = await openBrowser(kind);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    view = await ViewPage.open(browser, edits);
  });
  afterEach(async () => {
    const { errors } = view;
    await view.close();
    expect(errors).toEqual([]);
  });
  return () => view;
}

/** Waits until a result matches: with a long timeout, because the machine may be busy. */
export function eventually<T>(get: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(get);
}
