/** Takes the pictures of the gallery that READMEs show: `node tests/gallery/pictures.ts`. They are for people; nothing compares them. */
import path from 'node:path';
import sharp from 'sharp';
import { openBrowser } from '../../core/testing/script-page.ts';
import { serveGallery } from './server.ts';
import { openSurface } from './show.ts';

const root = path.resolve(import.meta.dirname, '../..');
const SIZE = { width: 480, height: 400 };
const GAP = 8;
/** Rows of the picture: surfaces, each with its look. */
const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
} as const;
const ROWS = [
  ['kit.form light', 'kit.menu light', 'kit.panel light'],
  ['dialogs.prompt dark', 'print.options light ar', 'kit.question forced'],
] as const;

const { address, app } = await serveGallery(root);
const browser = await openBrowser();
const taken: { input: Buffer; left: number; top: number }[] = [];
for (const [row, cells] of ROWS.entries())
  for (const [column, cell] of cells.entries()) {
    const [name = '', look = 'light', language] = cell.split(' ');
    const context = await browser.newContext({
      viewport: SIZE,
      reducedMotion: 'reduce',
      ...LOOKS[look as keyof typeof LOOKS], // of the table above
    });
    const page = await context.newPage();
    await page.goto(address);
    const surfaces = await page.waitForFunction(() => window.gallery).then((handle) => handle.jsonValue());
    const surface = surfaces?.find((each) => each.name === name);
    if (!surface) throw new Error(`there is no surface ${name}`);
    await openSurface(page, address, surface, language);
    taken.push({
      input: await page.screenshot(),
      left: column * (SIZE.width + GAP),
      top: row * (SIZE.height + GAP),
    });
    await context.close();
  }
const [width, height] = [3 * (SIZE.width + GAP) - GAP, ROWS.length * (SIZE.height + GAP) - GAP];
await sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  .composite(taken)
  .png({ palette: true, colours: 64, compressionLevel: 9 })
  .toFile(path.join(root, '.github/gallery.png'));
await browser.close();
await app.close();
