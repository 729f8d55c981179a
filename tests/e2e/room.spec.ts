import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { metric } from '../bench/host-metrics.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import type { Site } from './support/site.ts';
import { descendants } from './support/processes.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** Time of the host after which a tab that was closed ends, in seconds; one after which it is not over in a test. */
const [SOON, LATE] = ['3', '600'];
const SLOW = { timeout: 150_000 };
const TEST_MS = 600_000;
const TYPED = 'typed text';

/** Forms in which text would be lost: a plain one, one of a framework, which keeps the default value as the value is, and a closed shadow root. */
const FORMS = {
  plain: '<input aria-label="text">',
  controlled: '<input aria-label="text" oninput="this.defaultValue = this.value"><button>other</button>',
  shadow: `<my-form></my-form><script>customElements.define('my-form', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<input aria-label="text">'; }
  })</script>`,
} as const;
const FORM_NAMES = Object.keys(FORMS) as (keyof typeof FORMS)[];

let host: RunningHost;
test.beforeEach(({ site }) => {
  const ticking = (name: string, body: string) =>
    site.on(
      `/${name}`,
      `<!doctype html><title>${name}</title>${body}<script>setInterval(() => fetch("/tick-${name}"), 200)</script>`,
    );
  ticking('page', '<h1>Page</h1><p style="height: 9000px">');
  for (const name of FORM_NAMES) ticking(name, FORMS[name]);
});
test.afterEach(() => host.stop());

async function start({ port }: Site, folder: string, leave: string): Promise<void> {
  const options = [
    '--memory-reserve',
    '0',
    '--max-cells',
    '2',
    '--leave-time',
    leave,
    '--freeze-time',
    '2',
    '--make-room-time',
    '600',
  ];
  host = await startHost({ allow: [`127.0.0.1:${port}`], options, data: mkdtempSync(path.join(folder, 'data-')) });
}
const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${host.origin}/${address}`);
  await shown(page);
};
/** Types as a person does: what a script puts into the view is for no page. */
const types = async (page: Page): Promise<void> => {
  const field = view(page).getByLabel('text');
  await field.click();
  await page.keyboard.type(TYPED);
  await expect(field).toHaveValue(TYPED);
};
const counted = (name: string): Promise<number> => metric(host.origin, `vitrine_${name}`);
const processes = (): number => descendants(host.pid).filter(({ command }) => command.includes('cell.mjs')).length;

test('[S-058] a person who has to wait reads why, in the language of the browser, and is let in once there is room', async ({
  browser,
  site,
  folder,
}) => {
  test.setTimeout(TEST_MS);
  await start(site, folder, SOON);
  const people = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()));
  for (const page of people) await open(page, `${site.origin}/page`);
  const waiting = await (await browser.newContext({ locale: 'de-DE' })).newPage();
  const answer = await waiting.goto(`${host.origin}/${site.origin}/page#part`);
  expect(answer?.status()).toBe(503);
  await expect(waiting.getByRole('heading')).toHaveText('Warten auf einen freien Platz');
  await expect(waiting.getByRole('status')).toHaveText('Ihr Platz in der Warteschlange: 1');
  const second = await (await browser.newContext({ locale: 'ar' })).newPage();
  await second.goto(`${host.origin}/${site.origin}/page`);
  await expect(second.getByRole('status')).toHaveText('ترتيبك في قائمة الانتظار: 2');
  await expect(second.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect.poll(() => counted('people_waiting')).toBe(2);
  await second.close();

  await people[0]?.close(); // gone for good: its tab ends after the grace
  await expect(waiting.locator('html[data-vitrine-state="ready"]')).toBeAttached(SLOW);
  await expect(view(waiting).locator('h1')).toHaveText('Page');
  expect(new URL(waiting.url()).hash).toBe('#part');
  expect(await counted('cells')).toBeLessThanOrEqual(2);

  for (const page of [people[1], waiting]) await page?.close();
  await expect.poll(processes, SLOW).toBe(0);
  await expect.poll(() => counted('sessions'), SLOW).toBe(0);
  await expect.poll(() => counted('unattended_bytes')).toBe(0);
});

test('[S-004] back from another site finds the page as it was left', async ({ browser, site, folder }) => {
  test.setTimeout(TEST_MS);
  await start(site, folder, LATE);
  const page = await (await browser.newContext()).newPage();
  await open(page, `${site.origin}/plain`);
  await types(page);
  await page.goto(`${site.origin}/page`); // without the service
  await expect.poll(() => counted('tabs_left'), SLOW).toBe(1);
  await expect.poll(() => counted('tabs_frozen'), SLOW).toBe(1);
  await expect.poll(() => counted('unattended_bytes')).toBeGreaterThan(10_000_000);
  await page.goBack();
  await shown(page);
  await expect(view(page).getByLabel('text')).toHaveValue(TYPED);
  await expect.poll(() => counted('tabs_left')).toBe(0);
  await expect.poll(() => counted('tabs_frozen'), SLOW).toBe(0);
});

test(
  'a hidden page with text that would be lost goes on, another is frozen',
  { tag: '@long' },
  async ({ browser, site, folder }) => {
    test.setTimeout(TEST_MS);
    await start(site, folder, LATE);
    const context = await browser.newContext();
    const pages = new Map<string, Page>();
    for (const name of ['page', ...FORM_NAMES]) {
      const page = await context.newPage();
      await open(page, `${site.origin}/${name}`);
      pages.set(name, page);
      if (name === 'page') continue;
      await types(page);
    }
    await view(pages.get('controlled')!).getByRole('button').click(); // a field without the focus
    for (const page of pages.values())
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    await expect.poll(() => counted('tabs_frozen'), SLOW).toBe(1);
    const ticks = (name: string): number => site.requests.filter((request) => request === `GET /tick-${name}`).length;
    /** Resolves once all forms have ticked again so often: each has been asked about meanwhile. */
    const ticking = async (times: number): Promise<void> => {
      const before = new Map(FORM_NAMES.map((name) => [name, ticks(name)]));
      for (const name of FORM_NAMES)
        await expect.poll(() => ticks(name), SLOW).toBeGreaterThan((before.get(name) ?? 0) + times);
    };
    await ticking(2); // what was on its way has come
    const frozenAt = ticks('page');
    await ticking(6);
    expect(ticks('page')).toBe(frozenAt);
    expect(await counted('tabs_frozen')).toBe(1);
  },
);

test('where memory is short a hidden page is discarded, and comes back scrolled where it was', async ({
  browser,
  site,
  folder,
}) => {
  test.setTimeout(TEST_MS);
  const options = ['--freeze-time', '2', '--memory-reserve', '9999999']; // no machine has so much
  host = await startHost({
    allow: [`127.0.0.1:${site.port}`],
    options,
    data: mkdtempSync(path.join(folder, 'data-')),
  });
  const page = await (await browser.newContext()).newPage();
  await open(page, `${site.origin}/page`);
  const scrolled = (): Promise<number> =>
    view(page)
      .locator('html')
      .evaluate(({ ownerDocument: { defaultView } }) => defaultView?.scrollY ?? 0)
      .catch(() => NaN); // its document is being replaced
  await view(page).locator('h1').hover();
  await page.mouse.wheel(0, 2000);
  await expect.poll(scrolled, SLOW).toBe(2000);
  const show = (isShown: boolean): Promise<void> =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, !isShown);
  await show(false);
  await expect.poll(() => counted('tabs_discarded'), SLOW).toBe(1);
  const loads = (): number => site.requests.filter((request) => request === 'GET /page').length;
  expect(loads()).toBe(1);
  await show(true);
  await expect.poll(() => counted('tabs_discarded'), SLOW).toBe(0);
  await expect.poll(loads, SLOW).toBe(2);
  await shown(page);
  await expect(view(page).locator('h1')).toBeAttached(SLOW);
  await expect.poll(scrolled, SLOW).toBe(2000);
});
