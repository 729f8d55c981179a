import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { countTraffic } from '../bench/live-page.ts';
import { usageOf } from '../bench/processes.ts';
import { startSite } from '../e2e/support/site.ts';
import { HostHeap } from '../faults/host-heap.ts';
import { launchChromium, VIEWPORT } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import { freezesOf, watchFreezes } from './freezes.ts';
import type { Freezes } from './freezes.ts';
import { likenessOfPage, likenessOfView } from './likeness.ts';
import type { Likeness } from './likeness.ts';
import type { LargePage } from './pages.ts';

/** Result of opening a page. */
export interface Opened {
  /** From the navigation to the complete page, in ms. */
  readonly ms: number;
  readonly freezes: Freezes;
  readonly likeness: Likeness;
  /** Objects of the tab's scripts after garbage collection, in bytes. */
  readonly heap: number;
  /**
   * Bytes received for it: of the page and its resources; through the product, over the channel and with its pictures
   * and fonts.
   */
  readonly bytes: number;
}

/** Result of opening it through the product. */
export interface Mirrored extends Opened {
  /** Longest delay of the host's event loop, in ms. */
  readonly hostDelay: number;
  /** Increase of the host's memory, in bytes. */
  readonly hostHeap: number;
  /** Increase of the memory of the processes below the host, in bytes. */
  readonly surrogate: number;
}

interface ScaleStage {
  open(page: LargePage, size: number): Promise<{ direct: Opened; mirrored: Mirrored }>;
  [Symbol.asyncDispose](): Promise<void>;
}

const BOUND_MS = 120_000;
const POLL_MS = 50;
/** Time for background work to finish, in ms. */
const SETTLE_MS = 400;

/** A site with large pages, a host, and a person's browser; disposing of it ends all of them. */
export async function setStage(): Promise<ScaleStage> {
  await using stack = new AsyncDisposableStack();
  const site = stack.adopt(await startSite(), (s) => s.close());
  const folder = stack.adopt(await mkdtemp(path.join(os.tmpdir(), 'vitrine-scale-')), (f) =>
    rm(f, { recursive: true }),
  );
  const log = path.join(folder, 'host.log');
  const host = stack.adopt(await startHost({ allow: [`127.0.0.1:${site.port}`], log, env: HostHeap.env }), (h) =>
    h.stop(),
  );
  const heap = stack.adopt(await HostHeap.attach(log), (h) => h.close());
  const browser = stack.adopt(await launchChromium(), (b) => b.close());
  const owned = stack.move();
  return {
    open: async (page, size) => {
      const url = site.origin + page.serve(site, size);
      const direct = await inTab(browser, (tab) => openDirect(tab, url));
      const mirrored = await inTab(browser, async (tab) => {
        site.on('/nothing', '<!doctype html><title>nothing</title><p>nothing</p>');
        const idle = await tab.context().newPage(); // launches the person's browser
        await idle.goto(`${host.origin}/${site.origin}/nothing`);
        await idle.waitForSelector('html[data-vitrine-state="ready"]', { state: 'attached' });
        await delay(SETTLE_MS);
        const before = { heap: await heap.held(), usage: await usageOf(host.pid) };
        await heap.watchDelay();
        const opened = await openMirrored(tab, `${host.origin}/${url}`, direct.likeness);
        const hostDelay = await heap.longestDelay();
        const usage = await usageOf(host.pid);
        return {
          ...opened,
          hostDelay,
          hostHeap: (await heap.held()) - before.heap,
          surrogate: usage.below.bytes - before.usage.below.bytes,
        };
      });
      return { direct, mirrored };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Runs in a tab of a person of its own. */
async function inTab<T>(browser: Browser, use: (tab: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(BOUND_MS);
  try {
    const tab = await context.newPage();
    await watchFreezes(tab);
    return await use(tab);
  } finally {
    await context.close();
  }
}

async function openDirect(tab: Page, url: string): Promise<Opened> {
  const traffic = await countTraffic(tab, undefined, () => true);
  const start = performance.now();
  await tab.goto(url, { waitUntil: 'commit' });
  await until(() => tab.evaluate(() => document.querySelector(':root[data-ready="1"]') !== null), 'the page is whole');
  const ms = performance.now() - start;
  await delay(SETTLE_MS); // later work of the browser counts, too
  const freezes = await freezesOf(tab);
  return { ms, freezes, likeness: await likenessOfPage(tab), heap: await heapOf(tab), bytes: traffic.content() };
}

async function openMirrored(tab: Page, url: string, expected: Likeness): Promise<Opened> {
  const traffic = await countTraffic(tab, undefined, ({ pathname }) => pathname.startsWith('/c/'));
  const start = performance.now();
  await tab.goto(url, { waitUntil: 'commit' });
  await until(() => tab.evaluate(isWhole, expected), 'the view is whole');
  const ms = performance.now() - start;
  await delay(SETTLE_MS);
  const freezes = await freezesOf(tab);
  const likeness = await likenessOfView(tab);
  return { ms, freezes, likeness, heap: await heapOf(tab), bytes: traffic.traffic().received + traffic.content() };
}

/** Whether the view is complete as far as quick counts show; runs in the shell. */
function isWhole({ images, frames, rules }: Likeness): boolean {
  const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
  if (!view?.querySelector(':root[data-ready="1"]')) return false;
  if (Array.from(view.images).filter((image) => image.naturalWidth > 0).length < images) return false;
  const sheets = [...view.styleSheets, ...view.adoptedStyleSheets];
  const theirs = sheets.filter(({ cssRules }) => (cssRules[0] as CSSLayerBlockRule | undefined)?.name !== 'vitrine');
  if (frames === 0 && theirs.reduce((sum, { cssRules }) => sum + cssRules.length, 0) < rules) return false;
  const whole = Array.from(view.querySelectorAll('iframe')).filter(({ contentDocument }) =>
    contentDocument?.querySelector(':root[data-ready="1"]'),
  );
  return whole.length >= frames;
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + BOUND_MS; !(await holds()); await delay(POLL_MS))
    if (performance.now() > end) throw new Error(`${what}: not within ${BOUND_MS} ms`);
}

async function heapOf(tab: Page): Promise<number> {
  const session = await tab.context().newCDPSession(tab);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
