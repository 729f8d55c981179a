import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { baits } from '../e2e/support/baits.ts';
import type { Canary } from '../e2e/support/canary.ts';
import { MARK_GLOBAL } from '../e2e/support/hostile-pages.ts';
import { scanView } from '../e2e/support/view-scan.ts';
import { FRAMES, Person } from './person.ts';
import { harvest } from './planted.ts';
import type { Stage } from './smoke.ts';

const FOLDER = path.resolve(import.meta.dirname, '../security/pages');
/** Time for late code or loads, in ms. */
const LATE_MS = 1_000;

/** The hostile pages, each opened separately. */
export const HOSTILE_PAGES = readdirSync(FOLDER).filter((name) =>
  readFileSync(path.join(FOLDER, name), 'utf8').includes('id="end"'),
);

/** Opens a hostile page, uses its elements with the class `poke`, and returns its effects. */
export async function attack(
  { engine, site, product }: Stage,
  name: string,
  canary: Canary,
): Promise<string | undefined> {
  const person = new Person(engine);
  const before = canary.visits.length;
  await engine.goto(`${product}/${site.origin}/${name}`);
  await person.until(
    'the page is shown to its end',
    (frame) => {
      const shown = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
      return !!shown && Document.prototype.getElementById.call(shown, 'end') !== null; // pages hide members by names
    },
    FRAMES.page,
  );
  for (const { x, y } of await engine.evaluate(baits, FRAMES.page)) {
    await person.click(x, y);
    await person.press('Enter');
  }
  await delay(LATE_MS);
  const ran = await engine.evaluate((mark) => mark in window, MARK_GLOBAL);
  if (ran) return 'the page has run code';
  if (canary.visits.length > before) return `the page has loaded ${canary.visits.slice(before).join()}`;
  const sandbox = await engine.evaluate(sandboxOf, FRAMES.page);
  const { violations } = await engine.evaluate(scanView, { forbidden: [canary.host], sanitized: true, sandbox });
  return violations.length > 0 ? violations.join('\n') : undefined;
}

/** The documents that a view is built in. */
export const TEMPLATES = ['html-standards', 'html-quirks', 'xhtml-standards', 'svg-standards'];

/**
 * Plants hostile elements in a document of the view, and returns the effects that the document's policy has permitted.
 */
export async function plantInView(
  { engine, site, product }: Stage,
  template: string,
  canary: Canary,
): Promise<string | undefined> {
  site.on('/ground', '<!doctype html><title>Ground</title><p>ground');
  await engine.goto(`${product}/${site.origin}/ground`);
  await new Person(engine).sees('page', 'p', 'ground');
  // Another address than those of the frames around it, or the browser would leave it empty.
  const ground = { frame: FRAMES.page, template: `/safeview-template/view/${template}?planted`, leaves: true };
  const { ran, led, visits } = await harvest(engine, canary, ground);
  const address = await engine.evaluate(() => location.href, undefined);
  if (address !== `${product}/${site.origin}/ground`) return `the shell has been led to ${address}`;
  // Pressing a link makes browsers connect to its target, before they learn that they may not open it; nothing is
  // requested.
  const asked = visits.filter((visit) => visit !== 'connected');
  const found = [...ran.map((name) => `${name} has run`), ...led, ...asked];
  return found.length > 0 ? found.join('\n') : undefined;
}

/** Control: without a policy the plants must run and load; else the test of the view would prove nothing. */
export async function plantOutside({ engine, site }: Stage, canary: Canary): Promise<string | undefined> {
  site.on('/ground', '<!doctype html><title>Ground</title><p>ground');
  site.on('/empty', '<!doctype html><title>Empty</title>');
  await engine.goto(`${site.origin}/ground`);
  const { ran, visits } = await harvest(engine, canary, { frame: undefined, template: '/empty', leaves: false });
  const missing = CERTAIN.filter((name) => !ran.includes(name));
  if (missing.length > 0) return `not seen to run: ${missing.join()}`;
  return visits.length < FEWEST_VISITS ? `only seen to load ${visits.join()}` : undefined;
}

/** Effects in every browser without a policy. */
const CERTAIN =
  'script-text script-data script-svg image-error frame-load toggle click press key animation link link-svg refresh-data frame-code frame-data frame-text object-data'.split(
    ' ',
  );
const FEWEST_VISITS = 15;

function sandboxOf(frame: string): string {
  return document.querySelector(frame)?.getAttribute('sandbox') ?? '';
}
