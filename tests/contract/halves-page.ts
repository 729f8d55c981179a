import path from 'node:path';
import type { CDPSession, Page } from 'playwright';
import type { TestBrowser } from '../../core/testing/script-page.ts';
import { bundleScripts, openScript } from '../../core/testing/script-page.ts';
import { PLUGINS } from './plugin-folders.ts';
import type { Activated, Contract, Left } from './browser-halves.ts';

const here = import.meta.dirname;

/** Scripts with the client and page halves of each plugin of this repository, by its id. */
export function buildHalves(): Promise<ReadonlyMap<string, string>> {
  const entries = PLUGINS.map(({ id, folder, halves }) => {
    const imports = [
      `import { offer } from ${JSON.stringify(path.join(here, 'browser-halves.ts'))};`,
      `import { manifest } from ${JSON.stringify(path.join(folder, 'manifest.ts'))};`,
    ];
    const offered = (['client', 'page'] as const).map((half) => {
      const entry = halves[half];
      if (entry === undefined) return `${half}: []`;
      imports.push(`import { activate as ${half} } from ${JSON.stringify(entry)};`);
      return `${half}: [{ manifest, activate: ${half} }]`;
    });
    return [id, `${imports.join('\n')}\noffer({ ${offered.join(', ')} });`] as const;
  });
  return bundleScripts(new Map(entries), here);
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
  readonly #scripts: ReadonlyMap<string, string>;
  readonly #url: URL;

  private constructor(page: Page, cdp: CDPSession, scripts: ReadonlyMap<string, string>) {
    this.#page = page;
    this.#cdp = cdp;
    this.#scripts = scripts;
    this.#url = new URL(page.url());
  }

  static async open(browser: TestBrowser, scripts: ReadonlyMap<string, string>): Promise<HalvesPage> {
    const page = await openScript(browser, '');
    return new HalvesPage(page, await page.context().newCDPSession(page), scripts);
  }

  /** Begins a new document with the halves of a plugin, in which nothing is activated and nothing stored. */
  async renew(id: string): Promise<void> {
    await this.#cdp.send('Storage.clearDataForOrigin', { origin: this.#url.origin, storageTypes: 'all' });
    await this.#page.evaluate(() => sessionStorage.clear());
    await this.#page.goto(this.#url.href);
    await this.#page.evaluate(this.#scripts.get(id) ?? '');
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
