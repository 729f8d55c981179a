import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { act, restPointer } from './actions.ts';
import { contextOf } from './browser.ts';
import type { Screen } from './browser.ts';
import type { Corpus, CorpusPage } from './corpus.ts';
import { onPage } from './deadline.ts';
import { waitForFinal } from './final-state.ts';
import { Camera } from './picture.ts';
import type { Subject } from './subject.ts';

/** Time for input to take effect, in milliseconds, before the picture is checked for stability. */
export const ACTION_MS = 300;
const SETTLE_MS = 4_000;

/** Increase it when the method of taking the direct picture changes: older pictures in the cache are then not used. */
const METHOD = 4;

/** Pictures of pages opened directly in a plain Chromium, cached in a folder by the content of their corpus. */
export class DirectPictures {
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #screen: Screen;

  constructor(browser: Browser, folder: string, screen: Screen) {
    this.#browser = browser;
    this.#folder = folder;
    this.#screen = screen;
  }

  /** The page's final picture as PNG. Throws when the page does not become final. */
  async take(corpus: Corpus, page: CorpusPage, origin: string): Promise<Buffer> {
    const file = path.join(this.#folder, `${this.#key(corpus, page)}.png`);
    const kept = await readFile(file).catch(() => undefined);
    if (kept) return kept;
    const picture = await openDirectly(this.#browser, this.#screen, page, origin + page.path);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(`${file}.new`, picture);
    await rename(`${file}.new`, file);
    return picture;
  }

  #key(corpus: Corpus, page: CorpusPage): string {
    const parts = [METHOD, this.#browser.version(), this.#screen, corpus.digest, page];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }
}

/** Opens a page once more and measures the difference of two direct pictures: the noise of every comparison. */
export function directSubject(browser: Browser, screen: Screen): Subject {
  return {
    name: 'direct',
    show: async (url, page) => ({ picture: await openDirectly(browser, screen, page, url), notes: [] }),
    close: () => Promise.resolve(),
  };
}

async function openDirectly(browser: Browser, screen: Screen, page: CorpusPage, url: string): Promise<Buffer> {
  const context = await browser.newContext(contextOf(screen));
  try {
    const tab = await context.newPage();
    return await onPage(tab, async (step) => {
      await tab.goto(url);
      step('waiting for the page to be final');
      await waitForFinal(tab, page.signalled);
      step('acting');
      await restPointer(tab, screen);
      await act(tab, page.actions);
      if (page.actions.length > 0) await delay(ACTION_MS);
      step('taking the picture');
      return (await (await Camera.on(tab, screen)).settle(SETTLE_MS)).picture;
    });
  } finally {
    await context.close();
  }
}
