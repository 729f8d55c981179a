import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test as base } from 'playwright/test';
import type { FrameLocator, Page } from 'playwright/test';
import { startHost } from '../../fidelity/host.ts';
import { startSite } from './site.ts';
import type { Site } from './site.ts';

/** The product and a site to browse, for one worker's tests. */
interface Shared {
  /** An empty folder, gone with the worker. */
  readonly folder: string;
  /**
   * Options of the host beyond the defaults: `test.use({ hostOptions: [...] })` at the top of a file; a function where files have to be
   * written into the {@link folder} for it. The runner reads each file in processes that run none of its tests: no file is written there.
   */
  readonly hostOptions: readonly string[];
  readonly vitrine: string;
  readonly shared: Site;
  /** File with the host's output. */
  readonly hostLog: string;
}

interface PerTest {
  /** A site that answers nothing yet but what the test tells it to. */
  readonly site: Site;
  /** Opens a page of the site through the product and waits until it is shown. */
  readonly open: (path: string) => Promise<FrameLocator>;
  /** Shows with a test that fails what the host has said last. */
  readonly lastWords: undefined;
}

/** Each test is a person of its own, whose session stands by for a reload: the oldest one makes room. */
const MAX_CELLS = 10;
/** Number of the host's last lines that are shown with a failed test. */
const LAST_LINES = 15;
/** Timeout for the shell's own messages, in ms. */
const WORDS_MS = 2000;

/** The tests' entry: a real host, a real surrogate, a site on loopback. */
export const test = base.extend<PerTest, Shared>({
  folder: [
    async ({}, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-e2e-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  hostOptions: [[], { option: true, scope: 'worker' }],
  shared: [
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  hostLog: [
    async ({}, use, { project, workerIndex }) => {
      await mkdir(project.outputDir, { recursive: true });
      await use(path.join(project.outputDir, `host-${workerIndex}.log`));
    },
    { scope: 'worker' },
  ],
  vitrine: [
    async ({ shared, hostOptions, hostLog }, use) => {
      const options = ['--max-cells', String(MAX_CELLS), ...hostOptions];
      const host = await startHost({ allow: [`127.0.0.1:${shared.port}`], options, log: hostLog });
      await use(host.origin);
      await host.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  site: async ({ shared }, use) => {
    shared.requests.length = 0;
    await use(shared);
  },
  lastWords: [
    async ({ page, hostLog }, use, info) => {
      await use(undefined);
      if (info.status === info.expectedStatus) return;
      const shell = page.evaluate(
        () => `${document.documentElement.dataset['vitrineState']}: ${document.body.innerText}`,
      );
      // A page that hangs or is closed says nothing.
      const state = await Promise.race([shell, delay(WORDS_MS, '-')]).catch(() => '-');
      const said = await readFile(hostLog, 'utf8').catch(() => '');
      const lines = said.split('\n').filter((line) => !line.includes('egress refused'));
      // Attachments are shown cut off.
      console.log(`${info.title}\n${state.slice(0, 500)}\n${lines.slice(-LAST_LINES).join('\n')}`);
    },
    { auto: true },
  ],
  open: async ({ page, site, vitrine }, use) => {
    await use(async (path) => {
      await page.goto(`${vitrine}/${site.origin}${path}`);
      await shown(page);
      return view(page);
    });
  },
});

export { expect } from 'playwright/test';

/** The mirrored main frame. */
export function view(page: Page): FrameLocator {
  return page.frameLocator('iframe[data-vitrine-frame="main"]');
}

/** Waits until the shell says that the page is shown. */
export async function shown(page: Page): Promise<void> {
  await page.waitForSelector('html[data-vitrine-state="ready"]', { state: 'attached' });
}
