import type { Page } from 'playwright';
import { expect } from 'vitest';
import { bundlePage } from '../../../core/testing/page-bundle.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { openBrowser } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import { NO_STRING, OP } from '../ops.ts';
import type { Batch } from '../ops.ts';
import { MirrorTree } from './tree.ts';
import type { Outline } from './tree.ts';

/** Time between two frames that a wait lets pass, in ms of the page. */
const ROUND_MS = 50;

/** One op, with the strings of its batch. */
export interface SeenOp {
  readonly op: readonly number[];
  text(index: number): string;
}

/** Timers and frames of a page, which it cannot replace. */
interface PageClock {
  testTimer(run: () => void, ms: number): void;
  testFrame(run: () => void): void;
  /** Number of the page half's polls so far. */
  testPolls: number;
}

/** Keeps timers and frames, and counts the polls, which are the intervals of 100 ms. */
const CLOCK = `globalThis.testTimer = setTimeout; globalThis.testFrame = requestAnimationFrame; globalThis.testPolls = 0; {
  const { setInterval } = globalThis;
  globalThis.setInterval = (run, ms) => setInterval(ms === 100 ? () => { run(); testPolls++; } : run, ms);
}`;

/** A page with a page half in it, and the tree that its batches describe. */
export class MirroredPage {
  readonly page: Page;
  readonly tree = new MirrorTree();
  readonly batches: Batch[] = [];
  readonly messages: [name: string, params: unknown][] = [];
  #dropped: number | undefined;
  readonly #answers = new Map<number, (answer: unknown[]) => void>();
  #calls = 0;

  constructor(page: Page) {
    this.page = page;
  }

  /** Reads everything that the page half has sent so far; returns the new batches. */
  async read(): Promise<Batch[]> {
    // The page's last change is flushed in a task that was queued before this one.
    const sent = await this.page.evaluate(() =>
      scheduler.postTask(() => (globalThis as unknown as { sent: string[] }).sent.splice(0)),
    );
    const fresh: Batch[] = [];
    for (const json of sent) {
      const [name, params] = JSON.parse(json) as [string | number, unknown];
      if (name === 0) {
        const [call, ...answer] = params as [number, ...unknown[]];
        this.#answers.get(call)?.(answer);
      } else if (name === 'mirror.page-batch') {
        const batch = params as Batch; // the tree rejects invalid ones
        // Sent before the restart.
        if (batch.epoch === this.#dropped) continue;
        this.tree.apply(batch);
        fresh.push(batch);
      } else if (name === 'page.log') throw new Error(`the page half reports ${JSON.stringify(params)}`);
      else this.messages.push([String(name), params]);
    }
    this.batches.push(...fresh);
    return fresh;
  }

  /** Runs code in the page, then reads; returns the resulting ops. */
  async change<A>(change: (argument: A) => unknown, argument?: A): Promise<SeenOp[]> {
    await this.page.evaluate(change as never, argument as never);
    return seenOps(await this.read());
  }

  /** Returns all ops of one kind so far. */
  all(name: keyof typeof OP): SeenOp[] {
    return only(seenOps(this.batches), name);
  }

  /**
   * Returns the ops that arrive within a poll or two. The time is that of the page: its timers and frames come between those of the page half,
   * however long the browser or the test stands still.
   */
  async wait(ms = 250): Promise<SeenOp[]> {
    await this.page.evaluate(
      async ([rounds, roundMs]) => {
        const { testTimer, testFrame } = globalThis as unknown as PageClock;
        for (let round = 0; round < rounds; round++) {
          await new Promise<void>((done) => testTimer(done, roundMs));
          await new Promise<void>((done) => testFrame(done));
        }
      },
      [Math.ceil(ms / ROUND_MS), ROUND_MS] as const,
    );
    return seenOps(await this.read());
  }

  /** Returns the ops that arrive until the page half has polled as often as this, and a frame has been drawn after it. */
  async polled(times = 3): Promise<SeenOp[]> {
    await this.page.evaluate(async (count) => {
      const clock = globalThis as unknown as PageClock;
      for (const until = clock.testPolls + count; clock.testPolls < until;)
        await new Promise<void>((done) => clock.testTimer(done, 10));
      await new Promise<void>((done) => clock.testFrame(done));
    }, times);
    return seenOps(await this.read());
  }

  /** Returns the ops that arrive until these are what is waited for. */
  async until(isThere: (ops: readonly SeenOp[]) => boolean): Promise<SeenOp[]> {
    const ops: SeenOp[] = [];
    const come = async (): Promise<boolean> => {
      ops.push(...(await this.wait(ROUND_MS)));
      return isThere(ops);
    };
    await expect.poll(come, { timeout: PATIENCE_MS }).toBe(true);
    return ops;
  }

  async send(name: string, params: unknown): Promise<void> {
    await this.#receive([name, params]);
  }

  /** Has everything sent again; earlier batches are skipped. */
  async restart(): Promise<void> {
    this.#dropped = this.tree.epoch;
    await this.send('mirror.page-resync', {});
    await this.read();
  }

  async call(name: string, params: unknown): Promise<unknown> {
    const call = ++this.#calls;
    let answer: readonly unknown[] | undefined;
    this.#answers.set(call, (given) => (answer = given));
    await this.#receive([name, params, call]);
    const isAnswered = async (): Promise<boolean> => (await this.read(), answer !== undefined);
    await expect.poll(isAnswered, { timeout: PATIENCE_MS, interval: 5 }).toBe(true);
    const [ok, value] = answer ?? [];
    if (ok !== true) throw new Error(JSON.stringify(value));
    return value;
  }

  /** Returns the id of the first element that a selector matches (not inside shadow roots). */
  async id(selector: string): Promise<number> {
    const found = await this.page.evaluate((css) => {
      const world = globalThis as unknown as { vitrinePage: { idOf(node: unknown): [number, number] | null } };
      return world.vitrinePage.idOf(document.querySelector(css));
    }, selector);
    return found?.[1] ?? 0;
  }

  /** Returns the real tree, as the grammar describes it. */
  async real(): Promise<Outline> {
    const json = await this.page.evaluate(() => {
      const OPAQUE = ['script', 'style', 'noscript', 'template', 'iframe', 'noembed', 'noframes'];
      const list = (parent: Node): object[] =>
        [...parent.childNodes].filter(({ nodeType }) => [1, 3, 4].includes(nodeType)).map(outline);
      const outline = (node: Node): object => {
        if (node.nodeType !== 1) return { text: node.nodeValue };
        const element = node as Element;
        const known = [
          'http://www.w3.org/1999/xhtml',
          'http://www.w3.org/2000/svg',
          'http://www.w3.org/1998/Math/MathML',
        ];
        const namespace = known.includes(element.namespaceURI ?? '') ? element.namespaceURI : '';
        const attributes = [...element.attributes]
          .map(({ name, value }) => [name, value])
          .filter(([name]) => !name!.startsWith('on') && !['nonce', 'integrity', 'srcdoc'].includes(name!))
          .sort(([a], [b]) => (a! < b! ? -1 : 1));
        const children = OPAQUE.includes(element.localName) ? [] : list(element);
        const uri = namespace === '' && element.namespaceURI ? ` ${element.namespaceURI}` : '';
        const own = { name: element.localName + uri, namespace, attributes, children };
        return element.shadowRoot ? { ...own, shadow: { children: list(element.shadowRoot) } } : own;
      };
      return JSON.stringify({ children: list(document) });
    });
    return JSON.parse(json) as Outline;
  }

  async #receive(packet: unknown): Promise<void> {
    await this.page.evaluate((json) => {
      (globalThis as unknown as { vitrinePage: { receive(json: string): void } }).vitrinePage.receive(json);
    }, JSON.stringify(packet));
  }
}

function seenOps(batches: readonly Batch[]): SeenOp[] {
  return batches.flatMap(({ ops, strings }) =>
    ops.map((op) => ({ op, text: (index: number) => strings[index] ?? '' })),
  );
}

/** Returns the ops of one kind. */
export function only(ops: readonly SeenOp[], name: keyof typeof OP): SeenOp[] {
  return ops.filter(({ op }) => op[0] === OP[name]);
}

/** Returns the strings of ops at one field. */
export function texts(ops: readonly SeenOp[], at: number): string[] {
  return ops.map(({ op, text }) => text(op[at] ?? NO_STRING));
}

/** Returns the fields of ops after their code. */
export function numbers(ops: readonly SeenOp[]): (readonly number[])[] {
  return ops.map(({ op }) => op.slice(1));
}

/** A browser whose pages run the page half in their main world, where tests can reach it. */
export class PageBrowser {
  readonly #browser: TestBrowser;
  readonly #bundle: string;

  private constructor(browser: TestBrowser, bundle: string) {
    this.#browser = browser;
    this.#bundle = bundle;
  }

  static async launch(): Promise<PageBrowser> {
    const [bundle, browser] = await Promise.all([bundlePage('mirror'), openBrowser()]);
    return new PageBrowser(browser, bundle);
  }

  /** Opens a page at an address without a network that answers with this body. */
  async open(body: string, contentType = 'text/html; charset=utf-8'): Promise<MirroredPage> {
    const page = await this.#browser.newPage();
    const script = `globalThis.sent = []; globalThis.vitrineSend = (json) => { sent.push(json); };${this.#bundle}`;
    await page.addInitScript(CLOCK + script);
    await page.route('**/*', (route) =>
      new URL(route.request().url()).pathname === '/'
        ? route.fulfill({ body, contentType })
        : route.fulfill({ status: 404, body: '' }),
    );
    await page.goto('http://page.test/');
    const mirrored = new MirroredPage(page);
    await mirrored.read();
    return mirrored;
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
