import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';

const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const POLICY = {
  look: {
    theme: 'dark',
    font: 'georgia',
    accent_color: '#0a6e5c',
    background_color: '#102030',
    text_color: '#223',
    logo: LOGO,
  },
  banner: { banner_theme: 'red', text_color: '#7a1010', font: 'verdana' },
};

/** A plugin that shows a banner. */
function banner(folder: string): string {
  const own = path.join(folder, 'told');
  mkdirSync(path.join(own, 'client'), { recursive: true });
  writeFileSync(
    path.join(own, 'manifest.ts'),
    `export const manifest = { id: 'told', version: '1.0.0', api: 1, description: 'Shows a banner', activation: 'boot',
      slots: ['overlay.banner'] };`,
  );
  writeFileSync(
    path.join(own, 'client/index.ts'),
    `import { SLOTS } from 'vitrine/core';
     export const activate = ({ slots }) => { slots.fill(SLOTS.banner, { load: () => import('./banner.tsx') }, {}); };`,
  );
  writeFileSync(
    path.join(own, 'client/banner.tsx'),
    `import { Button } from 'vitrine/ui';
     export default () => <div className="vitrine-banner">Told <Button>Do</Button></div>;`,
  );
  return own;
}

test.use({
  hostOptions: async ({ folder }, use) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(file, JSON.stringify({ tenants: { default: { policy: POLICY } } }));
    await use(['--policy', file, '--plugins', banner(folder)]);
  },
  colorScheme: 'light',
});

const styleOf = (locator: Locator) =>
  locator.evaluate((element) => {
    const { color, backgroundColor, fontFamily, borderBottomColor } = getComputedStyle(element);
    return { color, backgroundColor, font: fontFamily.split(',')[0], edge: borderBottomColor };
  });

/** Contrast of WCAG 2 between two computed colours. */
function contrast(...colours: readonly string[]): number {
  const [dark = 0, light = 0] = colours
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('[S-051] what the policy says of colours, fonts, logo and theme is the look of portal, dialogs and banners', async ({
  page,
  site,
  vitrine,
}) => {
  // Below the banner.
  site.on(
    '/asks',
    `<!doctype html><title>Asks</title><button style="margin-top: 200px" onclick="confirm('Sure?')">ask</button>`,
  );
  await page.goto(`${vitrine}/${site.origin}/asks`);
  await shown(page);
  const frame = view(page);
  await expect(page.locator('.vitrine-banner')).toBeVisible();
  const red = { backgroundColor: 'rgb(165, 29, 45)', edge: 'rgb(125, 20, 33)', font: 'Verdana' };
  await expect.poll(() => styleOf(page.locator('.vitrine-banner'))).toMatchObject(red);
  const strip = await styleOf(page.locator('.vitrine-banner'));
  expect(contrast(strip.color, strip.backgroundColor)).toBeGreaterThanOrEqual(4.5); // of red on red, it is made lighter

  await frame.locator('button').click();
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  const ok = dialog.getByRole('button', { name: 'OK' });
  await expect(ok).toBeVisible();
  await expect.poll(() => styleOf(dialog)).toMatchObject({ backgroundColor: 'rgb(16, 32, 48)', font: 'Georgia' });
  const card = await styleOf(dialog);
  expect(contrast(card.color, card.backgroundColor)).toBeGreaterThanOrEqual(4.5);
  const button = await styleOf(ok);
  expect(button.backgroundColor).not.toBe('rgb(10, 110, 92)'); // too dark for this background
  expect(contrast(button.backgroundColor, card.backgroundColor)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(button.color, button.backgroundColor)).toBeGreaterThanOrEqual(4.5);

  // The person's own colours come first.
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(dialog).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ forcedColors: 'none' });

  await page.goto(vitrine);
  expect(await styleOf(page.getByRole('textbox'))).toMatchObject({ backgroundColor: 'rgb(16, 32, 48)' });
  const logo = await page.locator('main').evaluate((main) => getComputedStyle(main, '::before').content);
  expect(logo).toBe(`url("${LOGO}")`);
});
