import { errors } from 'playwright/test';
import { WalkingTab } from './support/history-walk.ts';
import { iconWidth, look } from './support/painted.ts';
import type { Seen } from './support/painted.ts';
import type { Site } from './support/site.ts';
import { expect, test, view } from './support/vitrine.ts';
import { randomNumbers } from '../../core/testing/random.ts';

/** Walks, and steps of each. A long run walks 200 times. */
const WALKS = process.env.VITRINE_LONG ? 200 : 1;
const STEPS = 10;
/** Seed of the first walk; `VITRINE_SEED` repeats one. */
const SEED = Number(process.env.VITRINE_SEED ?? 1);
/** Longest delay of a person who does not wait for the page, in ms. */
const HASTE_MS = 400;
/** Time for which a tab must stay as it is, in ms. */
const STILL_MS = 400;

/** Pages that can be shown, by path: the text of each begins with its name, which its title repeats. */
const PAGES = ['/p/1', '/p/2', '/p/3', '/slow/1', '/slow/2'];
/** Icons of the pages, by their widths in px; the others have none. */
const ICONS: Readonly<Record<string, number>> = { '/p/1': 11, '/p/3': 13, '/slow/1': 21 };
/** Paths that redirect, with their destinations; `0` stands for an address that is refused. */
const REDIRECTS: Readonly<Record<string, string>> = { '/to/1': '/p/1', '/to/slow': '/slow/2', '/to/nowhere': '0' };
const REFUSED = 'http://192.168.0.1/router';
/** Addresses that cannot be shown: the egress refuses them, a name has no address, Chromium refuses the port, a server closes. */
const BAD = [REFUSED, 'http://no-such-name.invalid/', 'http://127.0.0.1:1/', '/broken'];
/** Of these, the ones that fail in the same way at each try, with no button to try again. */
const FOR_GOOD = [REFUSED, 'http://127.0.0.1:1/'];
/** Answers that lead to no document: the page stays. */
const NO_PAGE = ['/nothing', '/file'];
/** The acts that some states have no means for, and the longest time for which a hasty person looks for them, in ms: an error page has no links, another page no button. */
const MAY_LACK = { link: 1000, retry: 200 };

function serve(site: Site): void {
  const links = [...PAGES, ...Object.keys(REDIRECTS), ...BAD, ...NO_PAGE];
  const icon = (name: string): string => {
    const width = ICONS[name];
    if (width === undefined) return '';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="16"><rect width="9" height="9"/></svg>`;
    if (name === '/p/3') return `<link rel=icon href="data:image/svg+xml,${encodeURIComponent(svg)}">`;
    site.on(`/icon${name}`, (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg));
    return `<link rel=icon href="/icon${name}">`;
  };
  const text = (name: string): string =>
    `<!doctype html><title>Title of ${name}</title>${icon(name)}<style>body { margin: 0; font: 12px sans-serif } h1 { height: 300px }</style>
    <h1>${name}</h1>${links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('')}`;
  for (const path of PAGES)
    site.on(path, (_request, response) => {
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html' }).end(text(path)),
        path.startsWith('/slow') ? 500 : 0,
      );
    });
  for (const [path, to] of Object.entries(REDIRECTS))
    site.on(path, (_request, response) => response.writeHead(302, { location: to === '0' ? REFUSED : to }).end());
  site.on('/broken', (request) => request.socket.destroy());
  site.on('/nothing', (_request, response) => response.writeHead(204).end());
  site.on('/file', (_request, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment', 'content-type': 'application/zip' }).end('PK'),
  );
}

const mayLack = (kind: Kind): kind is keyof typeof MAY_LACK => kind in MAY_LACK;
const wholeOf = (address: string, site: Site): string => (address.startsWith('/') ? site.origin + address : address);
/** Where a request for an address ends; undefined where the page stays. */
function endOf(target: string, site: Site): string | undefined {
  if (NO_PAGE.includes(target)) return undefined;
  const to = REDIRECTS[target] ?? target;
  return wholeOf(to === '0' ? REFUSED : to, site);
}

/** Differences between what a tab shows and what its address says, which is that of a page or of an error. */
function faultsOf({ state, address, title, page, error }: Seen, icon: number, site: Site): string[] {
  const faults: string[] = [];
  const url = URL.parse(address);
  if (!url) return [`the address is ${address}`];
  const isGood = url.origin === site.origin && PAGES.includes(url.pathname);
  if (!isGood && !BAD.some((bad) => wholeOf(bad, site) === address)) faults.push(`the address is ${address}`);
  if (state !== 'ready') faults.push(`the state is ${state}`);
  const width = isGood ? (ICONS[url.pathname] ?? 0) : 0;
  if (icon !== width) faults.push(`the icon has a width of ${icon}, not ${width}`);
  if (isGood) {
    if (page !== url.pathname) faults.push(`it shows ${page ?? error}`);
    if (title !== `Title of ${url.pathname}`) faults.push(`the title is ${title}`);
  } else {
    if (!error?.includes(url.host)) faults.push(`it shows ${page ?? error}`);
    if (title !== url.host) faults.push(`the title is ${title}`);
  }
  return faults;
}

type Kind = 'type' | 'link' | 'reload' | 'back' | 'forward' | 'retry';

/** A tab of a walk. */
interface Walk {
  readonly vitrine: string;
  readonly site: Site;
  readonly tab: WalkingTab;
}

/** Moves a tab. @throws where its page has no such link or button, or does not have it within `timeout` ms, and where there is no such entry. */
async function act({ vitrine, site, tab }: Walk, kind: Kind, target: string, timeout?: number): Promise<void> {
  const wait = timeout === undefined ? {} : { timeout };
  const { page } = tab;
  if (kind === 'type') await page.goto(`${vitrine}/${wholeOf(target, site)}`, { waitUntil: 'commit' });
  else if (kind === 'link') await view(page).locator(`a[href$="${target}"]`).click(wait);
  else if (kind === 'reload') await page.reload({ waitUntil: 'commit' });
  else if (kind === 'retry') await page.getByRole('button', { name: 'Try again' }).click(wait);
  else await tab.go(kind === 'back' ? -1 : 1);
}

/** A step that was done: its name, and the addresses to which it may have led. */
interface Done {
  readonly name: string;
  readonly to: readonly string[];
}

/**
 * Moves a tab by one drawn step. `at` is what it shows, where it has settled: then the step is done, or is impossible in this state; otherwise
 * the person does not wait to see whether there is the link or the button.
 */
async function step(walk: Walk, next: () => number, at: Seen | undefined): Promise<Done> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const targets = [...PAGES, ...PAGES, ...Object.keys(REDIRECTS), ...BAD, ...NO_PAGE];
  const kind: Kind = pick(['type', 'link', 'link', 'link', 'reload', 'back', 'back', 'forward', 'retry'] as const);
  const target = pick(targets);
  const name = `${kind}${kind === 'type' || kind === 'link' ? ` ${target}` : ''}`;
  const stays = at ? [at.address] : [];
  const { entries, at: nth } = await walk.tab.seen();
  const entry = nth + (kind === 'back' ? -1 : 1);
  const isWay = kind === 'back' || kind === 'forward';
  const lacks = at && (at.error === undefined ? 'retry' : 'link');
  const isForGood = kind === 'retry' && at && FOR_GOOD.includes(at.address);
  if ((isWay && !entries[entry]) || kind === lacks || isForGood) return { name: `(no ${name})`, to: stays };
  const isDone = await act(walk, kind, target, at || !mayLack(kind) ? undefined : MAY_LACK[kind]).then(
    () => true,
    (thrown: unknown) => {
      if (at || !mayLack(kind) || !(thrown instanceof errors.TimeoutError)) throw thrown;
      return false;
    },
  );
  if (isWay) return { name, to: at ? [entries[entry]?.address ?? ''] : entries.map(({ address }) => address) };
  const end = kind === 'type' || kind === 'link' ? endOf(target, walk.site) : undefined;
  // A press for which time has run out may have been made all the same.
  return { name: isDone ? name : `(no ${name})`, to: end === undefined ? stays : [end] };
}

/** Steps, each with the addresses at which the tab may be once it has settled; one without is followed by the next at once. */
const WALK: readonly (readonly [kind: Kind, target: string, ...addresses: string[]])[] = [
  ['type', '/p/1', '/p/1'],
  ['link', '/to/slow', '/slow/2'],
  ['link', 'http://no-such-name.invalid/', 'http://no-such-name.invalid/'],
  ['retry', '', 'http://no-such-name.invalid/'],
  ['back', '', '/slow/2'],
  ['forward', '', 'http://no-such-name.invalid/'],
  ['back', '', '/slow/2'],
  ['link', '/file', '/slow/2'],
  ['link', '/nothing', '/slow/2'],
  ['link', '/slow/1'],
  ['type', '/p/3', '/p/3'],
  ['type', 'http://127.0.0.1:1/', 'http://127.0.0.1:1/'],
  ['reload', '', 'http://127.0.0.1:1/'],
  ['type', '/to/nowhere', REFUSED],
  ['back', '', 'http://127.0.0.1:1/'],
  ['back', '', '/p/3'],
  ['type', '/slow/1'],
  ['type', '/p/2', '/p/2'],
  ['link', '/slow/2'],
  ['reload', '', '/slow/2', '/p/2'], // it may overtake the click
  ['link', '/broken', '/broken'],
  ['type', '/to/1', '/p/1'],
];

test('a walk over redirects, files, refused ports and errors is at the expected address after each step', async ({
  page,
  site,
  vitrine,
}) => {
  serve(site);
  site.on('/slow/1', () => undefined); // it does not answer before the next step
  const walk = { vitrine, site, tab: new WalkingTab(page, view(page), `${vitrine}/`) };
  const done: string[] = [];
  for (const [kind, target, ...addresses] of WALK) {
    await act(walk, kind, target);
    done.push(`${kind} ${target}`);
    if (NO_PAGE.includes(target)) await expect.poll(() => site.requests).toContain(`GET ${target}`);
    if (addresses.length > 0)
      await settles(
        walk,
        done,
        addresses.map((address) => wholeOf(address, site)),
      );
  }
});

for (let walk = 0; walk < WALKS; walk++) {
  const seed = SEED + walk;
  test(`a walk between pages, errors, reloads and back ends with what the address says: seed ${seed}`, async ({
    page,
    site,
    vitrine,
  }) => {
    serve(site);
    const next = randomNumbers(seed);
    const tab = new WalkingTab(page, view(page), `${vitrine}/`);
    const walk = { vitrine, site, tab };
    await page.goto(`${vitrine}/${site.origin}/p/1`);
    await tab.begin();
    const done: string[] = [];
    let at: Seen | undefined = await settles(walk, done, [`${site.origin}/p/1`]);
    let possible: string[] = [];
    for (let count = 0; count < STEPS; count++) {
      const { name, to } = await step(walk, next, at);
      done.push(name);
      // One step from where the tab is has one end; one that is done before that has come may take its place, or be lost with the page before.
      possible = at ? [...to] : [...possible, ...to];
      if (next() < 0.5) {
        if (at) possible.push(at.address);
        at = undefined;
        await page.waitForTimeout(next() * HASTE_MS);
        continue;
      }
      done.push('then');
      at = await settles(walk, done, possible);
    }
    if (!at) await settles(walk, done, possible);
  });
}

/** Waits until the tab shows what its address says, which is one of `expected`, and goes on to; returns that. */
async function settles(
  { site, tab: { page } }: Walk,
  done: readonly string[],
  expected: readonly string[],
): Promise<Seen> {
  let last: Seen | undefined;
  const faults = async (): Promise<string[]> => {
    last = await page.evaluate(look).catch(() => undefined);
    const icon = await page.evaluate(iconWidth).catch(() => -1);
    if (!last) return ['it is left for another document'];
    const isThere = expected.includes(last.address);
    return [
      ...(isThere ? [] : [`the address is ${last.address}, not ${[...new Set(expected)].join(' or ')}`]),
      ...faultsOf(last, icon, site),
    ];
  };
  const message = (): string => `${done.join(', ')}; seen: ${JSON.stringify(last)}`;
  for (;;) {
    await expect.poll(faults, { message: done.join(', ') }).toEqual([]);
    const before = last;
    await page.waitForTimeout(STILL_MS);
    const found = await faults();
    // A step may begin to have an effect only now.
    if (!last || last.address !== before?.address || last.state !== 'ready') continue;
    expect(found, message()).toEqual([]);
    return last;
  }
}
