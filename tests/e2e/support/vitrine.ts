import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test as base } from 'playwright/test';
import type { Cookie, FrameLocator, Page } from 'playwright/test';
import { browserPath } from '../../../core/testing/script-page.ts';
import type { BrowserKind } from '../../../core/testing/script-page.ts';
import { PERSON_COOKIE } from '../../../host/gateway/person.ts';
import { WireWatch } from '../../walked/watch.ts';
import { startHost } from '../../fidelity/host.ts';
import { startSite } from './site.ts';
import type { Site } from './site.ts';
import { TEST_LIMIT_MS } from '../../../core/testing/patience.ts';

/** The product and a site to browse, for one worker's tests. */
interface Shared {
  /** An empty folder, gone with the worker. */
  readonly folder: string;
  /**
   * Options of the host beyond the defaults: `test.use({ hostOptions: [...] })` at the top of a file; a function where files have to be
   * written into the {@link folder} for it. The runner reads each file in processes that run none of its tests: no file is written there.
   */
  readonly hostOptions: readonly string[];
  /**
   * The person's browser: `document` is the headless shell if there is one, which opens a page in two thirds of Chromium's processor
   * time; `whole` is Chromium, for files that test what the shell does not have.
   */
  readonly personBrowser: BrowserKind;
  readonly vitrine: string;
  readonly shared: Site;
  /** File with the host's output. */
  readonly hostLog: string;
  /** Notes what goes over the channels; undefined where nobody asks for it (`VITRINE_WALKED`). */
  readonly walked: WireWatch | undefined;
  /** Cookies of the person that tests with {@link PerTest.samePerson} share. */
  readonly personCookies: Cookie[];
}

interface PerTest {
  /**
   * Whether the test has the person, and so the surrogate, of the worker's other tests: starting one takes a third of a test's processor
   * time. Its browser is new in any case. False for tests that what a site has stored or been permitted would change.
   */
  readonly samePerson: boolean;
  /** A site that answers nothing yet but what the test tells it to. */
  readonly site: Site;
  /** Opens a page of the site through the product, in a new tab of it, and waits until it is shown. */
  readonly open: (path: string) => Promise<FrameLocator>;
  /** Shows with a test that fails what the host has said last. */
  readonly lastWords: undefined;
}

/** Sessions of persons that have gone stand by for a reload: the oldest one makes room, sooner than for people. */
const ROOM = ['--max-cells', '10', '--make-room-time', '10'];
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
  personBrowser: ['document', { option: true, scope: 'worker' }],
  launchOptions: [
    async ({ launchOptions, personBrowser }, use) => {
      // Names of files have other than Latin letters, whatever the machine's locale.
      const env = { ...process.env, LC_CTYPE: 'C.UTF-8' };
      await use({ ...launchOptions, executablePath: browserPath(personBrowser), env });
    },
    { scope: 'worker' },
  ],
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
      const options = [...ROOM, ...hostOptions];
      const host = await startHost({ allow: [`127.0.0.1:${shared.port}`], options, log: hostLog });
      await use(host.origin);
      await host.stop();
    },
    { scope: 'worker', timeout: TEST_LIMIT_MS },
  ],
  personCookies: [
    async ({ vitrine: _host }, use) => {
      await use([]);
    },
    { scope: 'worker' },
  ],
  samePerson: [true, { option: true }],
  walked: [
    async ({}, use, { workerIndex }) => {
      const folder = process.env.VITRINE_WALKED;
      const watch = folder === undefined ? undefined : new WireWatch();
      await use(watch);
      await watch?.write(path.join(folder ?? '', `${workerIndex}.json`));
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ browser, walked }, use) => {
      const { newContext } = browser;
      browser.newContext = async (...given) => {
        const context = await newContext.apply(browser, given);
        walked?.watch(context);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  context: async ({ context, samePerson, personCookies, vitrine, walked }, use) => {
    walked?.watch(context);
    if (!samePerson) return use(context);
    await context.addCookies(personCookies);
    await use(context);
    // That of another host of the test is good for nothing here: the next test gets a new one, and keeps it.
    const found = (await context.cookies(vitrine)).filter(({ name }) => name === PERSON_COOKIE);
    if (found.length > 0) personCookies.splice(0, personCookies.length, ...found);
    await Promise.all(context.pages().map(endTab));
  },
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
      // A reload shows the old document first: what is done in that one is lost, as it is without the product.
      if (page.url().startsWith(vitrine)) await page.evaluate(forgetTab);
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

/** Waits until the open dialog takes clicks and keys: it does not for a moment after it has appeared or moved. */
export async function answerable(page: Page): Promise<void> {
  await page.frameLocator('#vitrine-page-frame').locator('.vitrine-dialog:not([aria-disabled])').waitFor();
}

/** A tab whose window has another name cannot be reloaded: its client ends it when its page goes (S-080). */
function forgetTab(): void {
  window.name = '';
}

/** Leaves a page permanently. */
async function endTab(page: Page): Promise<void> {
  const end = page.evaluate(forgetTab).then(() => page.evaluate(() => void (window.location.href = 'about:blank')));
  await Promise.race([end, delay(WORDS_MS)]).catch(() => undefined);
}
