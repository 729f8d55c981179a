/**
 * Walks through the gallery: every surface in light, dark, forced colours, from right to left and at 320 px. `--write` writes the styles
 * that are compared, `styles.json`, and looks at nothing else; `--only NAME` walks through some. See tests/README.md for why facts are compared and not pictures.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { AxeResults } from 'axe-core';
import type { Frame } from 'playwright';
import { launchBrowser } from '../../core/testing/script-page.ts';
import { Tally } from '../tally.ts';
import { boxesOf, layoutFaults, stylesOf } from './facts.ts';
import type { Styles } from './facts.ts';
import { keyboardWalks } from './keyboard.ts';
import { serveGallery } from './server.ts';
import { openSurface, settle } from './show.ts';

declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

const root = path.resolve(import.meta.dirname, '../..');
const STYLES = path.join(import.meta.dirname, 'styles.json');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules about whole documents: here a surface stands on a page of the gallery. */
const NOT_OF_SURFACES = ['region', 'landmark-one-main', 'page-has-heading-one', 'landmark-main-is-top-level'];
const LOOKS = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const;
const USUAL = { width: 720, height: 560 };
const SMALL = { width: 320, height: 480 };

/** Findings of axe-core in a document: all of it, or of its contrast alone. */
async function violations(frame: Frame, rule?: string): Promise<string[]> {
  const rules = Object.fromEntries(NOT_OF_SURFACES.map((each) => [each, { enabled: false }]));
  // It would fetch the sheets that are imported, which the policy forbids it.
  const options = {
    preload: false,
    resultTypes: ['violations'],
    ...(rule === undefined ? { rules } : { runOnly: [rule] }),
  };
  const found = await frame.evaluate(async (chosen) => (await axe.run(document, chosen)).violations, options);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ; ')}`);
}

const failed = (faults: readonly string[]): string | undefined =>
  faults.length > 0 ? faults.join('\n        ') : undefined;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false }, only: { type: 'string' } } });
const isWriting = values.write;
const only = new RegExp(values.only ?? '');
const known = existsSync(STYLES) ? (JSON.parse(readFileSync(STYLES, 'utf8')) as Record<string, Styles>) : {}; // written below
const styles: Record<string, Styles> = {};
const tally = new Tally();
const { address, app } = await serveGallery(root);
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: USUAL, reducedMotion: 'reduce' });
const page = await context.newPage();
const errors: string[] = [];
page.on('pageerror', (error) => errors.push(error.message));
page.on('console', (line) => {
  if (/Content Security Policy|Trusted ?Type/i.test(line.text())) errors.push(line.text());
});

await page.goto(address);
const surfaces = await page.waitForFunction(() => window.gallery).then((handle) => handle.jsonValue());
for (const surface of (surfaces ?? []).filter(({ name }) => only.test(name)))
  await tally.check(`${surface.name} can be used by everybody, in every look`, async () => {
    const faults: string[] = [];
    await page.setViewportSize(USUAL);
    await page.emulateMedia(LOOKS.light);
    const frame = await openSurface(page, address, surface);
    await frame.evaluate(AXE);
    for (const [look, media] of Object.entries(LOOKS)) {
      await page.emulateMedia(media);
      await settle(frame);
      Object.assign((styles[look] ??= {}), { ...(await stylesOf(frame)), ...styles[look] });
      if (look === 'forced' || isWriting) continue;
      const found = await violations(frame, look === 'light' ? undefined : 'color-contrast');
      faults.push(...found.map((each) => `${look}: ${each}`));
    }
    if (isWriting) return undefined;
    await page.emulateMedia(LOOKS.light);
    await settle(frame);
    const before = JSON.stringify(await boxesOf(frame, surface.part));
    await frame.evaluate(() => {
      document.documentElement.dir = 'rtl';
      document.getElementById('vitrine-overlay')?.setAttribute('dir', 'rtl');
    });
    const after = JSON.stringify(await boxesOf(frame, surface.part));
    if (before !== after) faults.push(`from right to left: ${after} in place of ${before}`);
    await page.setViewportSize(SMALL);
    const small = surface.part.includes('menu') ? await openSurface(page, address, surface) : frame;
    await settle(small);
    faults.push(...(await layoutFaults(small)).map((each) => `320 px: ${each}`), ...errors.splice(0));
    return failed(faults);
  });

for (const [look, table] of Object.entries(styles))
  await tally.check(`the styles of all parts are those of styles.json: ${look}`, () => {
    if (isWriting || values.only !== undefined) return undefined;
    const names = new Set([...Object.keys(table), ...Object.keys(known[look] ?? {})]);
    const changed = [...names].filter((name) => table[name] !== known[look]?.[name]);
    return failed(changed.map((name) => `${name}: ${table[name]} in place of ${known[look]?.[name]}`));
  });
if (isWriting) {
  // Those that were not walked through stay as they are.
  const kept = (look: string): Styles => (values.only === undefined ? {} : (known[look] ?? {}));
  const written = Object.entries(styles).map(([look, table]) => {
    const sorted = Object.entries({ ...kept(look), ...table }).sort(([a], [b]) => (a < b ? -1 : 1));
    return [look, Object.fromEntries(sorted)] as const;
  });
  writeFileSync(STYLES, `${JSON.stringify(Object.fromEntries(written), null, 2)}\n`);
}

await page.setViewportSize(USUAL);
for (const [title, walk] of isWriting ? [] : keyboardWalks)
  await tally.check(title, async () => {
    const show = async (name: string): Promise<Frame> => {
      const surface = surfaces?.find((each) => each.name === name);
      if (!surface) throw new Error(`there is no ${name}`);
      return openSurface(page, address, { name, part: surface.part });
    };
    return walk({ page, show });
  });

await browser.close();
await app.close();
tally.finish();
