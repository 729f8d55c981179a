import type { FrameLocator, Page } from 'playwright/test';
import { IS_LONG } from '../../core/testing/tier.ts';
import { serveHostilePages } from './support/hostile-pages.ts';
import { watchPerson } from './support/person-watch.ts';
import { scanView } from './support/view-scan.ts';
import { expect, shown, view } from './support/vitrine.ts';
import { test } from './support/with-canary.ts';

/**
 * Hostile pages, with the parts that must appear late, whether a browser loads from elsewhere, and whether using them
 * opens windows: a link to code opens an empty one in Chromium, so in the surrogate, too. Those for the long run alone have kin in `tests/security`.
 */
const PAGES = [
  { file: 'scripts.html', of: 'scripts in all forms', ids: '[M-057] ' },
  { file: 'handlers.html', of: 'event handlers', onlyLong: true },
  { file: 'links.html', of: 'links and forms that are code', ids: '[M-058] ', mayOpen: true },
  { file: 'frames.html', of: 'frames, objects and plugins', ids: '[M-057] ' },
  { file: 'svg.html', of: 'SVG and MathML', onlyLong: true },
  { file: 'css.html', of: 'style sheets that load and leak', loads: true, onlyLong: true },
  { file: 'resources.html', of: 'everything that loads', loads: true, runs: false },
  { file: 'base.html', of: 'a base address elsewhere', loads: true, onlyLong: true },
  { file: 'names.html', of: 'names that hide members', late: '#late', onlyLong: true },
  { file: 'parser.html', of: 'what parsers disagree on', onlyLong: true },
  { file: 'long.html', of: 'very long and very deep input', onlyLong: true },
  { file: 'moves.html', of: 'a page that turns hostile after it was shown', late: '#late' },
  { file: 'document.xhtml', of: 'an XHTML document', onlyLong: true },
  { file: 'document.svg', of: 'an SVG document' },
] as const;

for (const { file, of, ...rest } of PAGES.filter((page) => IS_LONG || !('onlyLong' in page))) {
  test(`${'ids' in rest ? rest.ids : ''}runs nothing and loads nothing of ${of}`, async ({
    page,
    context,
    browser,
    site,
    vitrine,
    canary,
  }) => {
    serveHostilePages(site, canary);
    const before = canary.visits.length;
    const watch = watchPerson(context, vitrine, { mayOpen: 'mayOpen' in rest });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));

    await page.goto(`${vitrine}/${site.origin}/${file}`);
    const frame = view(page);
    await expect(frame.locator('#end').first()).toBeAttached();
    if ('late' in rest) await expect(frame.locator(rest.late).first()).toBeAttached();
    await shown(page);
    await settled(page);
    await poke(page, frame);
    await settled(page);

    const scan = await page.evaluate(scanView, { forbidden: [canary.host, `127.0.0.1:${site.port}`], sanitized: true });
    expect(scan.violations).toEqual([]);
    expect(scan.nodes).toBeGreaterThan(10);
    if (file === 'links.html') await expectBlocked(frame);
    expect(await watch.findings()).toEqual([]);
    expect(canary.visits.slice(before)).toEqual([]);
    expect(errors).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).not.toContain('hostile');

    // Control: opened directly, the page does run and load.
    const other = await browser.newContext();
    const direct = watchPerson(other, 'http://nowhere.invalid');
    const opened = await other.newPage();
    await opened.goto(`${site.origin}/${file}`, { waitUntil: 'commit' });
    if (file === 'links.html') await opened.locator('.poke').first().click();
    // No browser of today runs the code of this page.
    if (!('runs' in rest)) await expect.poll(() => direct.executed.size).toBeGreaterThan(0);
    if ('loads' in rest) await expect.poll(() => canary.visits.length).toBeGreaterThan(before + 3);
    await other.close();
  });
}

test('keeps original addresses out of the view until a sheet of the page reads them', async ({ open, site }) => {
  site.on(
    '/asks',
    `<!doctype html><title>asks</title><img src="picture.svg?1"><form action="/cart"></form><p>p</p>
    <script>document.querySelector('p').onclick = () => {
      document.head.append(Object.assign(document.createElement('style'), { textContent: 'img[src*="ture.svg"] { opacity: 0.5 }' }));
      document.body.append(Object.assign(document.createElement('img'), { src: 'picture.svg?2' }));
    }</script>`,
  );
  const frame = await open('/asks');
  const originals = (): Promise<(string | null)[]> =>
    frame.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('v-was-src')));
  await expect.poll(originals).toEqual(['']);
  await expect(frame.locator('form')).toHaveAttribute('v-was-action', '');
  await frame.locator('p').click();
  await expect.poll(originals).toEqual(['picture.svg?1', 'picture.svg?2']);
  for (const image of await frame.locator('img').all()) await expect(image).toHaveCSS('opacity', '0.5');
  await expect(frame.locator('form')).toHaveAttribute('v-was-action', '');
});

/** Links to code lead nowhere, others to the isolated page. */
async function expectBlocked(frame: FrameLocator): Promise<void> {
  const links = await frame.locator('a.poke').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links)).toEqual(new Set(['about:blank#blocked']));
  await expect(frame.locator('a:text-is("ping")')).toHaveAttribute('href', /^\/http:\/\/127\.0\.0\.1:\d+\/same$/);
}

/** Waits until the view has not changed for a while. */
async function settled(page: Page): Promise<void> {
  let last = -1;
  await expect
    .poll(
      async () => {
        const { nodes } = await page.evaluate(scanView, { forbidden: [], sanitized: false });
        const isSame = nodes === last;
        last = nodes;
        return isSame;
      },
      { intervals: [150] },
    )
    .toBe(true);
}

/** Uses elements with the class `poke`: with the mouse, its middle button and the keyboard. */
async function poke(page: Page, frame: FrameLocator): Promise<void> {
  const boxes = await frame.locator('.poke').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2, isSeen: width > 0 && height > 0 && y < innerHeight };
    }),
  );
  for (const { x, y, isSeen } of boxes) {
    if (!isSeen) continue;
    await page.mouse.click(x, y);
    await page.mouse.click(x, y, { button: 'middle' });
    await page.keyboard.press('Enter');
  }
  await page.mouse.wheel(0, 200);
  await page.mouse.move(5, 5);
}
