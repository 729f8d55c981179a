import type { CDPSession, Page } from 'playwright';
import { bundlePage } from '../../../core/testing/page-bundle.ts';
import { openBrowser } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';

/** Answer to a search of one frame. */
interface Answer {
  readonly count: number;
  readonly isCut: boolean;
  readonly first: number;
}

interface Options {
  readonly matchCase?: boolean;
  readonly wholeWords?: boolean;
  readonly matchDiacritics?: boolean;
}

/** A page with the page half in its main world, where tests can reach it. */
export class FindPage {
  readonly page: Page;
  readonly messages: [name: string, params: Record<string, unknown>][] = [];
  #calls = 0;
  #search = 0;
  #metrics: Promise<CDPSession> | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  /** Has the page half search. */
  async find(text: string, options: Options = {}): Promise<Answer> {
    const query = { matchCase: false, wholeWords: false, matchDiacritics: false, ...options };
    return this.call<Answer>('find.page-search', { search: ++this.#search, text, ...query });
  }

  async show(index: number): Promise<{ x: number; y: number; width: number; height: number } | null> {
    const { rect } = await this.call<{ rect: { x: number; y: number; width: number; height: number } | null }>(
      'find.page-show',
      { search: this.#search, index },
    );
    return rect;
  }

  async end(reason: 'clear' | 'keep' | 'activate'): Promise<boolean> {
    return (await this.call<{ isPressable: boolean }>('find.page-end', { reason })).isPressable;
  }

  /** Reads what the page half has sent. */
  async read(): Promise<void> {
    const sent = await this.page.evaluate(() => (globalThis as unknown as { told: string[] }).told.splice(0));
    for (const json of sent) {
      const [name, params] = JSON.parse(json) as [string, Record<string, unknown>];
      if (name === 'page.log') throw new Error(`the page half reports ${json}`);
      this.messages.push([name, params]);
    }
  }

  /** The last message of a name; undefined when there is none. */
  async last(name: string): Promise<Record<string, unknown> | undefined> {
    await this.read();
    return this.messages.findLast(([of]) => of === name)?.[1];
  }

  /** Calls the page half. */
  async call<T>(name: string, params: unknown): Promise<T> {
    return (await this.#timed<T>(name, params)).value;
  }

  /** Processor time of the page's main thread so far, in ms: other work of the machine does not count. */
  async processorMs(): Promise<number> {
    this.#metrics ??= this.#startMetrics();
    const { metrics } = await (await this.#metrics).send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN);
  }

  async #startMetrics(): Promise<CDPSession> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('Performance.enable');
    return session;
  }

  /** Time of a search in the page, in ms. */
  async time(text: string): Promise<number> {
    const query = { text, matchCase: false, wholeWords: false, matchDiacritics: false };
    return (await this.#timed('find.page-search', { search: ++this.#search, ...query })).ms;
  }

  async #timed<T>(name: string, params: unknown): Promise<{ value: T; ms: number }> {
    const [answer, ms] = await this.page.evaluate(
      ([json, id]) => {
        const world = globalThis as unknown as {
          vitrinePage: { receive(json: string): void };
          answers: Map<number, (answer: unknown) => void>;
        };
        return new Promise<[unknown, number]>((resolve) => {
          const start = performance.now();
          world.answers.set(id, (answered) => resolve([answered, performance.now() - start]));
          world.vitrinePage.receive(json);
        });
      },
      [JSON.stringify([name, params, ++this.#calls]), this.#calls] as const,
    );
    const [isDone, value] = answer as [boolean, T];
    if (!isDone) throw new Error(JSON.stringify(value));
    return { value, ms };
  }
}

/** Takes answers to calls apart from what the page half says by itself. */
const BINDING = `globalThis.told = []; globalThis.answers = new Map();
globalThis.vitrineSend = (json) => {
  const [name, params] = JSON.parse(json);
  if (name === 0) answers.get(params[0])?.(params.slice(1));
  else told.push(json);
};`;

/** A browser whose pages run the page half. */
export class FindBrowser {
  readonly #browser: TestBrowser;
  readonly #bundle: string;

  private constructor(browser: TestBrowser, bundle: string) {
    this.#browser = browser;
    this.#bundle = bundle;
  }

  static async launch(): Promise<FindBrowser> {
    const [bundle, browser] = await Promise.all([bundlePage('find'), openBrowser()]);
    return new FindBrowser(browser, bundle);
  }

  /** Opens a page at an address without a network. */
  async open(body: string): Promise<FindPage> {
    const page = await this.#browser.newPage();
    await page.addInitScript(`if (window === window.top) {${BINDING}${this.#bundle}}`);
    await page.route('**/*', (route) =>
      new URL(route.request().url()).pathname === '/'
        ? route.fulfill({ body, contentType: 'text/html; charset=utf-8' })
        : route.fulfill({ status: 404, body: '' }),
    );
    await page.goto('http://page.test/');
    return new FindPage(page);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
