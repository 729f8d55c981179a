import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';
import type { Site } from './support/site.ts';

/** Media queries that a page may evaluate, by its script and by its sheets. */
const QUERIES = {
  dark: '(prefers-color-scheme: dark)',
  calm: '(prefers-reduced-motion: reduce)',
  dense: '(min-resolution: 2dppx)',
  portrait: '(orientation: portrait)',
  narrow: '(max-width: 700px)',
  print: 'print',
};
type State = Partial<Record<keyof typeof QUERIES, boolean>>;

const PAGE = `<!doctype html><meta name=viewport content="width=device-width">
<style>p { color: rgb(1, 1, 1) }
${Object.entries(QUERIES)
  .map(([name, query]) => `@media ${query} { #${name} { color: rgb(2, 2, 2) } }`)
  .join('\n')}</style>
${Object.keys(QUERIES)
  .map((name) => `<p id=${name}></p>`)
  .join('')}<output></output>
<script>
for (const [name, query] of Object.entries(${JSON.stringify(QUERIES)})) {
  const media = matchMedia(query);
  const write = () => { document.getElementById(name).textContent = media.matches; };
  media.onchange = write;
  write();
}
const size = () => { document.querySelector('output').textContent = [innerWidth, innerHeight, devicePixelRatio, screen.width].join(' '); };
onresize = size;
size();
</script>`;

/** Opens the page in a browser of these settings. */
async function openIn(
  browser: Browser,
  { site, vitrine }: { site: Site; vitrine: string },
  options: BrowserContextOptions,
): Promise<{ page: Page; mirrored: FrameLocator }> {
  site.on('/', PAGE);
  const page = await browser.newPage(options);
  await page.goto(`${vitrine}/${site.origin}/`);
  await shown(page);
  return { page, mirrored: view(page) };
}

/** Waits until the page's scripts and the person's own browser both see these results. */
async function agree(mirrored: FrameLocator, state: State): Promise<void> {
  for (const [name, matches] of Object.entries(state)) {
    await expect(mirrored.locator(`#${name}`)).toHaveText(String(matches));
    await expect(mirrored.locator(`#${name}`)).toHaveCSS('color', matches ? 'rgb(2, 2, 2)' : 'rgb(1, 1, 1)');
  }
}

test('[S-042] pages get the person’s colour scheme and reduced motion, at first and when they change', async ({
  browser,
  site,
  vitrine,
}) => {
  const options = { colorScheme: 'dark', reducedMotion: 'reduce' } as const;
  const { page, mirrored } = await openIn(browser, { site, vitrine }, options);
  await agree(mirrored, { dark: true, calm: true, print: false });
  await page.emulateMedia({ colorScheme: 'light' });
  await agree(mirrored, { dark: false, calm: true });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' });
  await agree(mirrored, { dark: true, calm: false });
  await page.close();
});

test('[S-042] [R-036] pages get the size, density and orientation of the person’s window, at first and when they change', async ({
  browser,
  site,
  vitrine,
}) => {
  const options = {
    viewport: { width: 900, height: 600 },
    deviceScaleFactor: 2,
    screen: { width: 1400, height: 1000 },
  };
  const { page, mirrored } = await openIn(browser, { site, vitrine }, options);
  const says = mirrored.locator('output');
  await expect(says).toHaveText('900 600 2 1400');
  await agree(mirrored, { dense: true, portrait: false, narrow: false });
  await page.setViewportSize({ width: 600, height: 800 });
  await expect(says).toHaveText(/^600 800 2 /);
  await agree(mirrored, { dense: true, portrait: true, narrow: true });
  // As zooming does: fewer and larger pixels of the page.
  const session = await page.context().newCDPSession(page);
  const metrics = { width: 800, height: 500, deviceScaleFactor: 1.5, mobile: false };
  await session.send('Emulation.setDeviceMetricsOverride', metrics);
  await expect(says).toHaveText(/^800 500 1\.5 /);
  await agree(mirrored, { dense: false, portrait: false, narrow: false });
  await page.close();
});

test('[S-042] on a mobile device pages use its layout and orientation', async ({ browser, site, vitrine }) => {
  const options = { viewport: { width: 400, height: 700 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
  const { page, mirrored } = await openIn(browser, { site, vitrine }, options);
  await expect(mirrored.locator('output')).toHaveText(/^400 700 3 /);
  await agree(mirrored, { portrait: true, narrow: true, dense: true });
  await page.setViewportSize({ width: 720, height: 380 });
  await expect(mirrored.locator('output')).toHaveText(/^720 380 3 /);
  await agree(mirrored, { portrait: false, narrow: false });
  await page.close();
});

/** Evaluates all preferences of contrast and colours; its script reports its own results. */
const WISHES = `<!doctype html><style>
body { color: rgb(40, 40, 40); background: rgb(250, 240, 230) }
.own { forced-color-adjust: none; color: rgb(9, 9, 9); background: rgb(200, 0, 0) }
.kept { forced-color-adjust: preserve-parent-color }
.said { color: rgb(0, 100, 0); border: 1px solid rgb(0, 0, 90) }
@media (forced-colors: active) { .said { border-color: Highlight } .own { outline: 3px solid LinkText } }
@media (forced-colors: none) { .said { border-style: dashed } }
@media (prefers-contrast: more) { .said { border-width: 4px } }
@media (prefers-contrast: less) { .said { border-width: 2px } }
@media (prefers-contrast: custom) { .said { border-width: 3px } }
@media (prefers-contrast) { p { text-decoration: underline } }
@media (prefers-reduced-transparency: reduce) { .said { opacity: 0.9 } }
@media (color-gamut: p3) { p { letter-spacing: 1px } }
@media (color-gamut: rec2020) { p { word-spacing: 1px } }
</style>
<p>a <a href="#x">link</a> <button>button</button> <mark>mark</mark></p>
<p class=own>own <i class=kept>kept</i></p><p class=said>said</p><output></output>
<script>
const ASKED = ['(forced-colors: active)', '(forced-colors: none)', '(prefers-contrast)', '(prefers-contrast: more)', '(prefers-contrast: less)',
  '(prefers-contrast: custom)', '(prefers-reduced-transparency: reduce)', '(prefers-reduced-transparency: no-preference)', '(color-gamut: srgb)',
  '(color-gamut: p3)', '(color-gamut: rec2020)', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'];
const media = ASKED.map((query) => matchMedia(query));
const write = () => {
  const seen = [...document.querySelectorAll('p, i, button')].map((element) => getComputedStyle(element).color);
  document.querySelector('output').textContent = [...media.filter(({ matches }) => matches).map((query) => query.media), ...seen].join(' ');
};
for (const query of media) query.onchange = write;
write();
</script>`;

/** Appearance of a document as far as preferences change it, with its script's report. Runs in the document. */
function looks(root: Element): string[] {
  return [...root.querySelectorAll('body, body *:not(script, [hidden], v-script)')].map((element) => {
    const style = getComputedStyle(element);
    const names = [
      'color',
      'backgroundColor',
      'border',
      'outline',
      'opacity',
      'textDecorationLine',
      'letterSpacing',
      'wordSpacing',
    ] as const;
    return [
      element.localName,
      ...names.map((name) => style[name]),
      element.localName === 'output' && element.textContent,
    ].join(' | ');
  });
}

test('[S-042] pages react to forced colours, contrast, transparency and colour gamuts as when opened directly', async ({
  browser,
  site,
  vitrine,
}) => {
  site.on('/', WISHES);
  const context = await browser.newContext({ contrast: 'more', forcedColors: 'active', colorScheme: 'dark' });
  const [direct, page] = [await context.newPage(), await context.newPage()];
  await direct.goto(site.origin);
  await page.goto(`${vitrine}/${site.origin}/`);
  await shown(page);
  const states = new Set<string>();
  const agreeWithDirect = async (): Promise<void> => {
    // Scripts are notified of changed media queries with the next frame.
    await direct.evaluate(() => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told))));
    const expected = await direct.locator(':root').evaluate(looks);
    await expect.poll(() => view(page).locator(':root').evaluate(looks)).toEqual(expected);
    states.add(expected.join('\n'));
  };
  await agreeWithDirect();
  for (const wishes of [
    { forcedColors: 'none' },
    { contrast: 'no-preference', colorScheme: 'light' },
    { forcedColors: 'active' },
  ] as const) {
    await Promise.all([direct, page].map((one) => one.emulateMedia(wishes)));
    await agreeWithDirect();
  }
  for (const wishes of [
    { 'prefers-contrast': 'less', 'prefers-reduced-transparency': 'reduce', 'color-gamut': 'p3' },
    {
      'prefers-contrast': 'custom',
      'forced-colors': 'active',
      'color-gamut': 'rec2020',
      'prefers-reduced-motion': 'reduce',
    },
    {},
  ]) {
    const features = Object.entries<string>(wishes).map(([name, value]) => ({ name, value }));
    for (const one of [direct, page])
      await (await context.newCDPSession(one)).send('Emulation.setEmulatedMedia', { features });
    await agreeWithDirect();
  }
  expect(states.size).toBe(6); // the last is like the third
  await context.close();
});

test('a printed page uses its print style sheets', async ({ page, open, site }) => {
  site.on('/', PAGE);
  const mirrored = await open('/');
  await page.emulateMedia({ media: 'print' });
  await expect(mirrored.locator('#print')).toHaveCSS('color', 'rgb(2, 2, 2)');
  await page.emulateMedia({ media: 'screen' });
  await expect(mirrored.locator('#print')).toHaveCSS('color', 'rgb(1, 1, 1)');
});
