import type { Frame, Page } from 'playwright/test';
import { look } from './support/painted.ts';
import type { Seen } from './support/painted.ts';
import { PolicyFile } from './support/policy-file.ts';
import { startSite } from './support/site.ts';
import type { Site } from './support/site.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** The site to which the policy leads people from a refused page. */
let outside: Site;
let policy: PolicyFile;

test.use({
  hostOptions: async ({ folder, shared }, use) => {
    outside = await startSite();
    outside.on('/refused', '<!doctype html><title>Refused</title><h1>Ask the help desk</h1>');
    // Pages below `/1/` and `/2/` have this restriction of framing.
    const sites = [1, 2].map((framing_restriction) => ({
      match: `${shared.origin}/${framing_restriction}/*`,
      policy: { site_capabilities: { framing_restriction } },
    }));
    policy = new PolicyFile(folder, sites);
    const around = [shared.origin, `http://localhost:${shared.port}`];
    await use(['--policy', policy.path, ...around.flatMap((origin) => ['--frame-ancestors', origin])]);
    await outside.close();
  },
});

const TEXT =
  '<!doctype html><title>Whole</title><link rel=icon href="data:,"><style>h1 { margin: 0; height: 300px }</style><h1>whole</h1>';
const paints = (tab: Page | Frame, seen: Readonly<Partial<Record<keyof Seen, unknown>>>) =>
  expect.poll(() => tab.evaluate(look).catch(() => undefined)).toMatchObject(seen);
/** All that can be read in a tab, outside of the page. */
const words = (tab: Page | Frame) => tab.evaluate(() => document.body.innerText.trim());

test('[M-066] another origin that has the shell in a frame gets the page, or the reason alone where the policy forbids it', async ({
  page,
  site,
  vitrine,
}) => {
  for (const path of ['/page', '/1/page', '/2/page']) site.on(path, TEXT);
  site.on('/leads', TEXT.replace('whole</h1>', '<a href="/1/page">lead</a></h1>'));
  site.on('/around', '<!doctype html><iframe width="800" height="600"></iframe>');
  const framed = async (path: string): Promise<Frame> => {
    const shell = await (await page.waitForSelector('iframe')).contentFrame();
    if (!shell) throw new Error('There is no frame.');
    await shell.goto(`${vitrine}/${site.origin}${path}`);
    return shell;
  };
  const isRefused = async (shell: Frame): Promise<void> => {
    await expect.poll(() => words(shell)).toBe('Disallowed framing');
    await paints(shell, { state: 'error', error: 'nothing but body' });
    expect(shell.childFrames()).toEqual([]);
  };
  await page.goto(`http://localhost:${site.port}/around`);
  const shell = await framed('/1/page');
  await isRefused(shell);
  for (const path of ['/page', '/2/page']) {
    await framed(path);
    await paints(shell, { state: 'ready', page: 'whole', address: site.origin + path });
  }
  // A page that may be there leads to one that may not.
  await framed('/leads');
  await paints(shell, { state: 'ready', page: 'lead' });
  await shell.locator('iframe').contentFrame().getByRole('link').click();
  await isRefused(shell);
  expect(site.requests.filter((request) => request === 'GET /1/page')).toHaveLength(2);
});

test('a frame of another site, into which browsers send no cookies, gets the reason', async ({
  page,
  site,
  vitrine,
}) => {
  site.on('/page', TEXT);
  site.on('/around', `<!doctype html><iframe width="800" height="600" src="${vitrine}/${site.origin}/page"></iframe>`);
  await page.goto(`${site.origin}/around`);
  await expect(page.locator('iframe').contentFrame().locator('body')).toContainText(
    'Requests from other sites are refused',
  );
  expect(site.requests).not.toContain('GET /page');
});

test('a client of another version than the host fetches the right one once, then tells the person', async ({
  page,
  site,
  vitrine,
}) => {
  site.on('/page', TEXT);
  let outdated = 1;
  const pairings: unknown[] = [];
  await page.route(/\/r\/(?:re)?pair\b/, async (route) => {
    outdated -= 1;
    const request = route.request().postDataJSON() as object;
    const response = await route.fetch({
      postData: JSON.stringify(outdated < 0 ? request : { ...request, tc_api: 1_000_000 }),
    });
    pairings.push(((await response.json()) as { readonly version?: string }).version);
    await route.fulfill({ response });
  });
  await page.goto(`${vitrine}/${site.origin}/page`);
  await paints(page, { state: 'ready', page: 'whole', title: 'Whole' });
  expect(pairings).toEqual(['reload', 'ok']);

  outdated = 1;
  await page.reload(); // within a minute: another reload would be of no use
  await paints(page, {
    state: 'error',
    title: new URL(site.origin).host,
    error: expect.stringContaining('different versions'),
  });
  expect(pairings).toEqual(['reload', 'ok', 'reload']);
  await page.getByRole('button', { name: 'Try again' }).click();
  await paints(page, { state: 'ready', page: 'whole', title: 'Whole' });
});

test('[R-058] a refused page is not opened: the person gets the policy’s page, or its words, in a new tab and in one that is open', async ({
  page,
  site,
  vitrine,
  context,
}) => {
  const refused = 'http://refused.example/';
  site.on('/page', TEXT.replace('whole</h1>', `<a href="${refused}">whole</a></h1>`));
  const start = `${vitrine}/${site.origin}/page`;
  await page.goto(start);
  await shown(page);
  await policy.decide(page, { egress: { block: ['refused.example'], message: 'Not at work.' } });
  await view(page).getByRole('link').click();
  const kept = { state: 'ready', address: refused, title: 'refused.example' };
  await paints(page, {
    ...kept,
    error: expect.stringMatching(/not allow refused.example to be opened.*Not at work\./s),
  });
  await page.reload();
  const words = { ...kept, state: 'error', error: expect.stringContaining('Not at work.') };
  await paints(page, words);
  const other = await context.newPage();
  await other.goto(vitrine + '/' + refused);
  await paints(other, words);

  await policy.decide(page, { egress: { block: ['refused.example'], redirect: `${outside.origin}/refused` } });
  const isLed = async (tab: Page): Promise<void> => {
    await expect(tab).toHaveURL(`${outside.origin}/refused`);
    await expect(tab.locator('h1')).toHaveText('Ask the help desk');
  };
  await page.reload();
  await isLed(page);
  await other.goto(start);
  await paints(other, { state: 'ready', page: 'whole' });
  await other.goto(`${vitrine}/${refused}`); // the tab has a session
  await isLed(other);
  await other.goBack(); // what was refused is not in the way
  await paints(other, { state: 'ready', page: 'whole', address: `${site.origin}/page` });

  await policy.decide(other, { egress: { allow: ['127.0.0.1'] } });
  await view(other).getByRole('link').click();
  await paints(other, { ...kept, error: expect.stringContaining('not allow refused.example to be opened') });
  // The browser has kept the page before, and asks nobody for it.
  const asked = site.requests.length;
  await policy.decide(other, { egress: { block: ['127.0.0.1'], message: 'Closed today.' } });
  await other.goBack();
  const ended = { address: `${site.origin}/page`, title: new URL(site.origin).host, state: 'error' };
  await paints(other, { ...ended, error: expect.stringContaining('closed this session (policy)') });
  await other.getByRole('button', { name: 'Try again' }).click();
  await paints(other, { ...ended, error: expect.stringContaining('Closed today.') });
  expect(site.requests).toHaveLength(asked);
});
