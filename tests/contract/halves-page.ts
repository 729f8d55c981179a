import path from 'node:path';
import type { CDPSession, Page } from 'playwright';
import type { TestBrowser } from '../../core/testing/script-page.ts';
import { bundleScript, openScript } from '../../core/testing/script-page.ts';
import { PLUGINS } from './plugin-folders.ts';
import type { Activated, Contract, Left } from './browser-halves.ts';

const here = import.meta.dirname;

/** A script with all client and page halves of this repository. */
export async function buildHalves(): Promise<string> {
  const imports: string[] = [`import { offer } from ${JSON.stringify(path.join(here, 'browser-halves.ts'))};`];
  const lists = { client: [] as string[], page: [] as string[] };
  PLUGINS.forEach(({ folder, halves }, i) => {
    imports.push(`import { manifest as m${i} } from ${JSON.stringify(path.join(folder, 'manifest.ts'))};`);
    for (const half of ['client', 'page'] as const) {
      const entry = halves[half];
      if (entry === undefined) continue;
      imports.push(`import { activate as ${half}${i} } from ${JSON.stringify(entry)};`);
      lists[half].push(`{ manifest: m${i}, activate: ${half}${i} }`);
    }
  });
  return bundleScript({
    contents: `${imports.join('\n')}\noffer({ client: [${lists.client.join()}], page: [${lists.page.join()}] });`,
    resolveDir: here,
    loader: 'ts',
  });
}

/**
 * State of a page besides its scripts: listeners of its window and of nodes in its document, and the document itself.
 */
interface Traces {
  readonly listeners: readonly string[];
  readonly document: string;
}

/** A page without a network, in which one half after the other is activated, each in a document of its own. */
export class HalvesPage {
  readonly #page: Page;
  readonly #cdp: CDPSession;
  readonly #script: string;
  readonly #url: URL;

  private constructor(page: Page, cdp: CDPSession, script: string) {
    this.#page = page;
    this.#cdp = cdp;
    this.#script = script;
    this.#url = new URL(page.url());
  }

  static async open(browser: TestBrowser, script: string): Promise<HalvesPage> {
    const page = await openScript(browser, '');
    return new HalvesPage(page, await page.context().newCDPSession(page), script);
  }

  /** Begins a new document, in which nothing is activated and nothing stored. */
  async renew(): Promise<void> {
    await this.#cdp.send('Storage.clearDataForOrigin', { origin: this.#url.origin, storageTypes: 'all' });
    await this.#page.evaluate(() => sessionStorage.clear());
    await this.#page.goto(this.#url.href);
    await this.#page.evaluate(this.#script);
  }

  activate(half: 'client' | 'page', id: string): Promise<Activated> {
    return this.#page.evaluate(
      ([which, name]) => (globalThis as unknown as { contract: Contract }).contract.activate(which, name),
      [half, id] as const,
    );
  }

  dispose(): Promise<Left> {
    return this.#page.evaluate(() => (globalThis as unknown as { contract: Contract }).contract.dispose());
  }

  async traces(): Promise<Traces> {
    const listeners: string[] = [];
    for (const expression of [
      'window',
      'document',
      'document.documentElement',
      'document.body',
      'navigation',
      'screen',
    ]) {
      const { result } = await this.#cdp.send('Runtime.evaluate', { expression });
      const { listeners: found } = await this.#cdp.send('DOMDebugger.getEventListeners', {
        objectId: result.objectId ?? '',
      });
      listeners.push(...found.map(({ type }) => `${expression}: ${type}`));
    }
    const document = await this.#page.evaluate(() => globalThis.document.documentElement.outerHTML);
    return { listeners: listeners.sort(), document };
  }
}
