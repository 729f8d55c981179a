import type { Page } from 'playwright/test';
import { iconWidth, look } from './support/painted.ts';
import type { Seen } from './support/painted.ts';
import type { Site } from './support/site.ts';
import { expect, test, view } from './support/vitrine.ts';

/** Walks, and steps of each. A long run walks 200 times. */
const WALKS = process.env.VITRINE_LONG ? 200 : 1;
const STEPS = 10;
/** Seed of the first walk; `VITRINE_SEED` repeats one. */
const SEED = Number(process.env.VITRINE_SEED ?? 1);
/** Longest delay of a person who does not wait for the page, in ms. */
const HASTE_MS = 400;
/** Time for which a tab must stay as it is, in ms. */
const STILL_MS = 400;

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Pages that can be shown, by path: the text of each begins with its name, which its title repeats. */
const PAGES = ['/p/1', '/p/2', '/p/3', '/slow/1', '/slow/2'];
/** Icons of the pages, by their widths in px; the others have none. */
const ICONS: Readonly<Record<string, number>> = { '/p/1': 11, '/p/3': 13, '/slow/1': 21 };
/** Paths that redirect, with their destinations; `0` stands for an address that is refused. */
const REDIRECTS: Readonly<Record<string, string>> = { '/to/1': '/p/1', '/to/slow': '/slow/2', '/to/nowhere': '0' };
const REFUSED = 'http://192.168.0.1/router';
/** Addresses that cannot be shown: the egress refuses them, a name has no address, Chromium refuses the port, a server closes. */
const BAD = [REFUSED, 'http://no-such-name.invalid/', 'http://127.0.0.1:1/', '/broken'];
/** Answers that lead to no document: the page stays. */
const NO_PAGE = ['/nothing', '/file'];

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

/** Differences between what a tab shows and what its address says. */
function faultsOf({ state, address, title, page, error }: Seen, icon: number, site: Site): string[] {
  const faults: string[] = [];
  const url = URL.parse(address);
  if (!url) return [`the address is ${address}`];
  const isGood = url.origin === site.origin && PAGES.includes(url.pathname);
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

/** Moves a tab. @throws where its page has no such link or button, or does not have it within `timeout` ms. */
async function act(
  page: Page,
  { vitrine, site }: { vitrine: string; site: Site },
  kind: Kind,
  target: string,
  timeout?: number,
): Promise<void> {
  const wait = timeout === undefined ? {} : { timeout };
  if (kind === 'type') {
    const url = target.startsWith('/') ? site.origin + target : target;
    await page.goto(`${vitrine}/${url}`, { waitUntil: 'commit' });
  } else if (kind === 'link') await view(page).locator(`a[href$="${target}"]`).click(wait);
  else if (kind === 'reload') await page.reload({ waitUntil: 'commit' });
  else if (kind === 'retry') await page.getByRole('button', { name: 'Try again' }).click(wait);
  else await page.evaluate((by) => history.go(by), kind === 'back' ? -1 : 1);
}

/** Moves a tab by one drawn step; returns what was done. */
async function step(page: Page, where: { vitrine: string; site: Site; next: () => number }): Promise<string> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(where.next() * from.length)] as T;
  const targets = [...PAGES, ...PAGES, ...Object.keys(REDIRECTS), ...BAD, ...NO_PAGE];
  const kind = pick(['type', 'link', 'link', 'link', 'reload', 'back', 'back', 'forward', 'retry'] as const);
  const target = pick(targets);
  // An error page has no links, and another page no button.
  await act(page, where, kind, target, kind === 'retry' ? 200 : 1000).catch(() => undefined);
  return `${kind}${kind === 'type' || kind === 'link' ? ` ${target}` : ''}`;
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
  const done: string[] = [];
  for (const [kind, target, ...addresses] of WALK) {
    await act(page, { vitrine, site }, kind, target);
    done.push(`${kind} ${target}`);
    if (NO_PAGE.includes(target)) await expect.poll(() => site.requests).toContain(`GET ${target}`);
    if (addresses.length > 0) await settles(page, site, done, addresses);
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
    const next = drawn(seed);
    const done: string[] = [];
    await page.goto(`${vitrine}/${site.origin}/p/1`);
    for (let count = 0; count < STEPS; count++) {
      done.push(await step(page, { vitrine, site, next }));
      if (next() < 0.5) {
        await page.waitForTimeout(next() * HASTE_MS);
        continue;
      }
      done.push('then');
      await settles(page, site, done);
    }
    await settles(page, site, done);
  });
}

/** Waits until the tab shows what its address says, which is one of `expected` where that is given, and goes on to. */
async function settles(page: Page, site: Site, done: readonly string[], expected?: readonly string[]): Promise<void> {
  const addresses = expected?.map((address) => (address.startsWith('/') ? site.origin + address : address));
  let last: Seen | undefined;
  const faults = async (): Promise<string[]> => {
    // Before the first page there is the empty one that the browser began with.
    if (page.url() === 'about:blank') await page.goForward({ waitUntil: 'commit' }).catch(() => undefined); // the shell goes on
    last = await page.evaluate(look).catch(() => undefined);
    const icon = await page.evaluate(iconWidth).catch(() => -1);
    if (!last) return ['it is left for another document'];
    const isThere = addresses?.includes(last.address) ?? true;
    return [
      ...(isThere ? [] : [`the address is ${last.address}, not ${String(addresses)}`]),
      ...faultsOf(last, icon, site),
    ];
  };
  const message = (): string => `${done.join(', ')}; seen: ${JSON.stringify(last)}`;
  let isOnItsWay = true;
  while (isOnItsWay) {
    await expect.poll(faults, { message: done.join(', ') }).toEqual([]);
    const before = last?.address;
    await page.waitForTimeout(STILL_MS);
    const found = await faults();
    // A step may begin to have an effect only now.
    isOnItsWay = last?.address !== before || last?.state !== 'ready';
    if (!isOnItsWay) expect(found, message()).toEqual([]);
  }
}
