import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';
import type { Site } from './support/site.ts';

/** What a page may ask of the browser that shows it; written down by the page, and by its sheets. */
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

/** Waits until the page's scripts and the person's own browser both see these answers. */
async function agree(mirrored: FrameLocator, state: State): Promise<void> {
  for (const [name, matches] of Object.entries(state)) {
    await expect(mirrored.locator(`#${name}`)).toHaveText(String(matches));
    await expect(mirrored.locator(`#${name}`)).toHaveCSS('color', matches ? 'rgb(2, 2, 2)' : 'rgb(1, 1, 1)');
  }
}

test('[S-042] pages know the person’s colour scheme and wish for less motion, at first and when they change', async ({
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

test('[S-042] [R-036] pages have the person’s window, its density and orientation, at first and when they change', async ({
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

test('[S-042] on a mobile device pages are laid out for it, and turn with it', async ({ browser, site, vitrine }) => {
  const options = { viewport: { width: 400, height: 700 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
  const { page, mirrored } = await openIn(browser, { site, vitrine }, options);
  await expect(mirrored.locator('output')).toHaveText(/^400 700 3 /);
  await agree(mirrored, { portrait: true, narrow: true, dense: true });
  await page.setViewportSize({ width: 720, height: 380 });
  await expect(mirrored.locator('output')).toHaveText(/^720 380 3 /);
  await agree(mirrored, { portrait: false, narrow: false });
  await page.close();
});

test('what a page shows on paper is what its sheets for print say', async ({ page, open, site }) => {
  site.on('/', PAGE);
  const mirrored = await open('/');
  await page.emulateMedia({ media: 'print' });
  await expect(mirrored.locator('#print')).toHaveCSS('color', 'rgb(2, 2, 2)');
  await page.emulateMedia({ media: 'screen' });
  await expect(mirrored.locator('#print')).toHaveCSS('color', 'rgb(1, 1, 1)');
});
