import type { BrowserContext, FrameLocator, Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { loaded } from './support/loaded.ts';
import { startLoggedSites } from './support/logged-sites.ts';
import type { LoggedRequest, LoggedSites } from './support/logged-sites.ts';
import { expect, shown, test, view } from './support/vitrine.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { IS_LONG, sampled } from '../../core/testing/tier.ts';

/** A page as the person has it: directly, or through the product. */
interface Tab {
  readonly page: Page;
  /** The page's content. */
  readonly content: Page | FrameLocator;
}

/** A browser with which the same is done directly and through the product. */
interface Way {
  readonly context: BrowserContext;
  /** Opens an address as if typed. */
  open(url: string): Promise<Tab>;
  /** A tab that the person's browser has opened. */
  shown(page: Page): Promise<Tab>;
}

/** In one tab: opening and closing many hangs this browser now and then. */
const direct = (page: Page): Way => ({
  context: page.context(),
  open: async (url) => {
    await page.goto(url);
    return { page, content: page };
  },
  shown: async (page) => {
    await page.waitForLoadState();
    return { page, content: page };
  },
});

/** In a tab for each address. */
const through = (context: BrowserContext, vitrine: string): Way => {
  let last: Page | undefined;
  return {
    context,
    open: async (url) => {
      const page = await context.newPage();
      await last?.close();
      last = page;
      await page.goto(`${vitrine}/${url}`);
      await shown(page);
      await loaded(page, 'popups'); // it loads when the page is idle
      return { page, content: view(page) };
    },
    shown: async (page) => {
      await shown(page);
      return { page, content: view(page) };
    },
  };
};

const PAGES = ({ home, other }: Pick<LoggedSites, 'home' | 'other'>): Record<string, string> => {
  const link = (id: string, href: string, rest = ''): string => `<p><a id=${id} href="${href}" ${rest}>${id}</a></p>`;
  const button = (id: string, script: string): string => `<p><button id=${id} onclick="${script}">${id}</button></p>`;
  const form = (id: string, action: string, rest: string): string =>
    `<form action="${action}" ${rest}><input type=hidden name=a value="1 2"><button id=${id}>${id}</button></form>`;
  return {
    '/links':
      link('same', '/landed') +
      link('cross', `${other}/landed`) +
      link('noreferrer', `${other}/landed`, 'rel=noreferrer') +
      link('redirect-same', '/redirect?to=/landed') +
      link('redirect-cross', `${other}/redirect?to=${encodeURIComponent(`${home}/landed`)}`) +
      button('script', `location.href = '${other}/landed'`),
    '/forms':
      form('get-same', '/landed', '') +
      form('post-same', '/landed', 'method=post') +
      form('post-cross', `${other}/landed`, 'method=post') +
      form('post-blank', `${other}/landed`, 'method=post target=_blank') +
      form('get-blank', '/landed', 'target=_blank'),
    '/windows':
      link('blank-same', '/landed', 'target=_blank') +
      link('blank-cross', `${other}/landed?a=1#part`, 'target=_blank') +
      link('blank-opener', `${other}/landed`, 'target=_blank rel=opener') +
      link('blank-noreferrer', `${other}/landed`, 'target=_blank rel=noreferrer') +
      button('open-same', `window.open('/landed')`) +
      button('open-cross', `window.open('${other}/landed')`) +
      button('open-noopener', `window.open('${other}/landed', '_blank', 'noopener')`) +
      button('open-sized', `window.open('${other}/landed', 'sized', 'width=400,height=300')`) +
      button('open-redirect', `window.open('${other}/redirect?to=${encodeURIComponent(`${home}/landed`)}')`) +
      button('open-blank', `const w = window.open(); w.location = '${other}/landed'`) +
      link('plain', `${other}/landed`) +
      link('plain-same', '/landed'),
    '/frames': `<iframe src="/inner" width=300 height=200></iframe><iframe src="${other}/inner" width=300 height=200></iframe>`,
    '/inner':
      link('inside', '/landed') +
      link('inside-top', `${home}/landed`, 'target=_top') +
      `<script>new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });</script>`,
    '/workers': `<p id=at></p><script>
      const worker = new Worker('/worker.js');
      worker.onmessage = () => (at.textContent = 'done');
      worker.postMessage('${other}');
    </script>`,
    '/worker.js': `onmessage = async ({ data: other }) => {
      await fetch('/data?same');
      await fetch('/data?post', { method: 'POST', body: 'x=1' });
      await fetch(other + '/data?cross', { mode: 'no-cors', credentials: 'include' });
      postMessage('done');
    };`,
  };
};

/** An act of the person. */
interface Deed {
  readonly name: string;
  readonly page: string;
  readonly act: (tab: Tab, way: Way) => Promise<void>;
  /** Path of the last request. */
  readonly last?: string;
  /** Number of requests, where an earlier one has the same path as the last. */
  readonly count?: number;
}

const follow = (page: string, id: string): Deed => ({
  name: `${page} ${id}`,
  page,
  act: ({ content }) => content.locator(`#${id}`).click(),
});

const opens = (page: string, id: string, options: Parameters<ReturnType<Page['locator']>['click']>[0] = {}): Deed => ({
  name: `${page} ${id} ${JSON.stringify(options)}`,
  page,
  act: async ({ content }, way) => {
    const opened = way.context.waitForEvent('page');
    await content.locator(`#${id}`).click(options);
    const tab = await way.shown(await opened);
    await expect(tab.content.locator('#at')).toHaveText('/landed');
    await tab.page.close();
  },
});

/** Waits until both frames are there, and the one of another site painted: Chromium finds none under a click before. */
async function framesShown(content: Tab['content']): Promise<void> {
  for (const at of [0, 1])
    await expect(content.frameLocator('iframe').nth(at).locator('body')).toHaveAttribute('data-painted');
}

const FRAMES: readonly Deed[] = [
  {
    name: 'a link in a frame of another site',
    page: '/frames',
    act: async ({ content }) => {
      await framesShown(content);
      const inner = content.frameLocator('iframe').nth(1);
      await inner.locator('#inside').click();
      await expect(inner.locator('#at')).toHaveText('/landed');
    },
  },
  {
    name: 'a link to the top from a frame of another site',
    page: '/frames',
    act: async ({ content }) => {
      await framesShown(content);
      await content.frameLocator('iframe').nth(1).locator('#inside-top').click();
    },
  },
  {
    name: 'fetches of a worker',
    page: '/workers',
    act: ({ content }) => expect(content.locator('#at')).toHaveText('done'),
    last: '/data?cross',
  },
];

const HISTORY: readonly Deed[] = [
  {
    name: 'reload',
    page: '/links',
    act: async ({ page, content }) => {
      await content.locator('#cross').click();
      await expect(content.locator('#at')).toHaveText('/landed');
      await page.reload();
      await expect(content.locator('#at')).toHaveText('/landed');
    },
    count: 3,
  },
  {
    name: 'back',
    page: '/links',
    act: async ({ page, content }) => {
      await content.locator('#cross').click();
      await expect(content.locator('#at')).toHaveText('/landed');
      await page.goBack();
      await expect(content.locator('#same')).toBeVisible();
    },
    last: '/links',
  },
];

const DEEDS: Readonly<Record<string, readonly Deed[]>> = {
  links: ['same', 'cross', 'noreferrer', 'redirect-same', 'redirect-cross', 'script'].map((id) => follow('/links', id)),
  forms: [
    ...['get-same', 'post-same', 'post-cross'].map((id) => follow('/forms', id)),
    ...['post-blank', 'get-blank'].map((id) => opens('/forms', id)),
  ],
  'links to new windows': ['blank-same', 'blank-cross', 'blank-opener', 'blank-noreferrer'].map((id) =>
    opens('/windows', id),
  ),
  'windows of scripts': ['open-same', 'open-cross', 'open-noopener', 'open-sized', 'open-redirect', 'open-blank'].map(
    (id) => opens('/windows', id),
  ),
  'links opened in a tab by the person': [
    opens('/windows', 'plain', { button: 'middle' }),
    opens('/windows', 'plain-same', { button: 'middle' }),
    opens('/windows', 'plain', { modifiers: ['Control'] }),
    opens('/windows', 'plain', { modifiers: ['Shift'] }),
  ],
  'frames and workers': FRAMES,
  history: HISTORY,
};

/** The sites, and a host that shows them, for one worker's tests. */
const withSites = test.extend<object, { readonly sites: LoggedSites; readonly host: RunningHost }>({
  sites: [
    async ({}, use) => {
      const sites = await startLoggedSites(PAGES);
      await use(sites);
      await sites.close();
    },
    { scope: 'worker' },
  ],
  host: [
    async ({ sites }, use) => {
      const ports = [sites.home, sites.other].map((origin) => new URL(origin).port);
      const host = await startHost({ allow: [`localhost:${ports[0]}`, `127.0.0.1:${ports[1]}`] });
      await use(host);
      await host.stop();
    },
    { scope: 'worker' },
  ],
});

/** Opens an address, and waits for its new document: the one before may still be shown for a moment, and have the same address. */
async function openIn(way: Way, sites: LoggedSites, url: string): Promise<Tab> {
  const before = sites.documents();
  const tab = await way.open(url);
  const shownNr = async (): Promise<number> => Number(await tab.content.locator('body').getAttribute('data-nr'));
  await expect.poll(shownNr).toBeGreaterThan(before);
  return tab;
}

/** Does one thing after the other; the requests of each deed, in the order of their addresses where they may come in any. */
async function requestsOf(
  deeds: readonly Deed[],
  way: Way,
  sites: LoggedSites,
): Promise<Record<string, readonly LoggedRequest[]>> {
  const requests: Record<string, readonly LoggedRequest[]> = {};
  for (const site of [sites.home, sites.other]) await openIn(way, sites, `${site}/sign-in`);
  for (const deed of deeds)
    await test.step(deed.name, async () => {
      sites.log.length = 0;
      const tab = await openIn(way, sites, sites.home + deed.page);
      await deed.act(tab, way);
      const last = deed.last ?? '/landed';
      const isThere = (): boolean =>
        sites.log.length >= (deed.count ?? 1) &&
        new URL(sites.log.at(-1)?.url ?? '').pathname === new URL(last, sites.home).pathname;
      await expect.poll(isThere, { message: deed.name }).toBe(true);
      requests[deed.name] = sites.log.toSorted((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0));
    });
  // One that came late would stand with the deed after its own: this one is sent after all others.
  sites.log.length = 0;
  await openIn(way, sites, `${sites.home}/end`);
  requests['the end'] = [...sites.log];
  return requests;
}

// The same browser as the surrogate's: browsers differ in what they send.
test.use({ personBrowser: 'whole' });
test.describe.configure({ mode: 'parallel' });

/** Two of each kind in a short run. */
const some = (...kinds: readonly (keyof typeof DEEDS)[]): readonly Deed[] =>
  kinds.flatMap((kind) => sampled(DEEDS[kind] ?? [], 2));
const CHOSEN = IS_LONG
  ? DEEDS
  : {
      'links, forms, frames, workers and history': some('links', 'forms', 'frames and workers', 'history'),
      'new windows': some('links to new windows', 'windows of scripts', 'links opened in a tab by the person'),
    };

for (const [of, deeds] of Object.entries(CHOSEN))
  withSites(
    `[M2] [M-083] ${of}: sites receive the requests of direct browsing, each once`,
    async ({ browser, context, sites, host }) => {
      const directly = await browser.newContext();
      for (const each of [directly, context]) each.setDefaultTimeout(PATIENCE_MS);
      const expected = await requestsOf(deeds, direct(await directly.newPage()), sites);
      const received = await requestsOf(deeds, through(context, host.origin), sites);
      for (const [name, own] of Object.entries(expected)) expect.soft(received[name], name).toEqual(own);
    },
  );
