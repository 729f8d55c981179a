import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright/test';
import type { FrameLocator, Page } from 'playwright/test';
import { PERSON_FLAGS } from '../../core/testing/person-browser.ts';
import { chromiumPath } from '../fidelity/browser.ts';
import type { Site } from './support/site.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** A picture of 40 CSS px in three densities, and what depends on the ratio. */
const PAGE = `<!doctype html><style>@media (min-resolution: 1.4dppx) { p { color: rgb(2, 2, 2) } }</style><p>text</p><output></output><script>
const image = document.createElement('img');
image.srcset = [1, 1.5, 2].map((scale) => '/' + scale + '.svg ' + scale + 'x').join(', ');
document.body.append(image);
const write = () => { document.querySelector('output').textContent = devicePixelRatio; };
onresize = write;
write();
</script>`;

interface Look {
  readonly ratio: string;
  readonly dense: boolean;
  /** Density of the file that is shown. */
  readonly density: string;
  readonly rendering: string;
}

async function look(page: FrameLocator): Promise<Look & { readonly width: number }> {
  return page.locator(':root').evaluate((root) => {
    const image = root.querySelector('img');
    return {
      ratio: root.querySelector('output')?.textContent ?? '',
      dense: getComputedStyle(root.querySelector('p')!).color === 'rgb(2, 2, 2)',
      density: /[\d.]+x$/.exec(image?.getAttribute('srcset') ?? '')?.[0] ?? '1x',
      width: Math.round(image?.getBoundingClientRect().width ?? 0),
      rendering: getComputedStyle(root.querySelector('p')!).textRendering,
    };
  });
}

function serve(site: Site): void {
  site.on('/', PAGE);
  for (const density of [1, 1.5, 2])
    site.on(`/${density}.svg`, (_request, response) => {
      const file = `<svg xmlns="http://www.w3.org/2000/svg" width="${40 * density}" height="20"/>`;
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(file);
    });
}

const UNHINTED = 'geometricprecision';

function expectLook(page: Page, expected: Look): Promise<void> {
  return expect.poll(() => look(view(page))).toEqual({ ...expected, width: 40 });
}

test('[S-042] the view follows the window to a screen of another ratio', async ({ page, open, site }) => {
  serve(site);
  await open('/');
  await expectLook(page, { ratio: '1', dense: false, density: '1x', rendering: 'auto' });
  const session = await page.context().newCDPSession(page);
  const moveTo = (deviceScaleFactor: number): Promise<unknown> =>
    session.send('Emulation.setDeviceMetricsOverride', {
      width: 1200 / deviceScaleFactor,
      height: 600,
      deviceScaleFactor,
      mobile: false,
    });
  await moveTo(1.5);
  await expectLook(page, { ratio: '1.5', dense: true, density: '1.5x', rendering: UNHINTED });
  await moveTo(2);
  await expectLook(page, { ratio: '2', dense: true, density: '2x', rendering: UNHINTED });
  await moveTo(1);
  // A picture that is there in a higher density stays.
  await expect.poll(() => look(view(page))).toMatchObject({ ratio: '1', dense: false, width: 40, rendering: 'auto' });
});

test('[S-042] a zoomed page has the ratio of the zoom, and text as on its screen', async ({ site, vitrine }) => {
  serve(site);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-zoom-'));
  // Levels of zoom are powers of 1.2.
  const preferences = { partition: { default_zoom_level: { x: Math.log(1.5) / Math.log(1.2) } } };
  await mkdir(path.join(folder, 'Default'));
  await writeFile(path.join(folder, 'Default', 'Preferences'), JSON.stringify(preferences));
  const options = { executablePath: chromiumPath(), viewport: null, args: [...PERSON_FLAGS] };
  const person = await chromium.launchPersistentContext(folder, options);
  try {
    const page = await person.newPage();
    await page.goto(`${vitrine}/${site.origin}/`);
    await shown(page);
    await expectLook(page, { ratio: '1.5', dense: true, density: '1.5x', rendering: 'auto' });
  } finally {
    await person.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Lengths that scripts measure, where they are rounded to pixels of the screen. */
const MEASURED = `<!doctype html><style>body { margin: 0; height: 5000px } div { border-top: .5px solid } p { font: 17px/normal Arial, sans-serif }</style>
<div>line</div><p>text</p><output></output><script>
addEventListener('load', () => {
  scrollTo(0, 10.5);
  const [line, text] = ['div', 'p'].map((name) => document.querySelector(name));
  const found = [devicePixelRatio, getComputedStyle(line).borderTopWidth, line.getBoundingClientRect().height, text.getBoundingClientRect().height, scrollY];
  document.querySelector('output').textContent = found.join(' ');
});
</script>`;

test('[S-042] pages are laid out in pixels of the screen, for one person after the other', async ({
  site,
  vitrine,
}) => {
  site.on('/', MEASURED);
  for (const ratio of [2, 1, 1.5]) {
    const args = [...PERSON_FLAGS, `--force-device-scale-factor=${ratio}`];
    const browser = await chromium.launch({ executablePath: chromiumPath(), args });
    try {
      const person = await browser.newContext({ deviceScaleFactor: ratio });
      const [direct, page] = [await person.newPage(), await person.newPage()];
      await direct.goto(`${site.origin}/`);
      const expected = await direct.locator('output').textContent();
      expect(expected).toContain(`${ratio} ${ratio === 1 ? '1px' : `${1 / ratio}`.slice(0, 5)}`);
      await page.goto(`${vitrine}/${site.origin}/`);
      await expect(view(page).locator('output')).toHaveText(expected!);
      await expect(view(page).locator('p')).toHaveCSS('text-rendering', 'auto');
    } finally {
      await browser.close();
    }
  }
});
