import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Canary } from '../e2e/support/canary.ts';
import { MARK_GLOBAL } from '../e2e/support/hostile-pages.ts';
import { FRAMES, Person } from './person.ts';
import type { Stage } from './smoke.ts';

const FOLDER = path.resolve(import.meta.dirname, '../security/pages');
/** What is late to run or load has this long to do it, in ms. */
const LATE_MS = 1_000;

/** The hostile pages that are opened by themselves. */
export const HOSTILE_PAGES = readdirSync(FOLDER).filter((name) =>
  readFileSync(path.join(FOLDER, name), 'utf8').includes('id="end"'),
);

/** Opens a hostile page, uses what asks to be used, and answers with what it has got done. */
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
  return canary.visits.length > before ? `the page has loaded ${canary.visits.slice(before).join()}` : undefined;
}

/** Where what asks to be clicked is; runs in the shell. */
function baits(frame: string): { x: number; y: number }[] {
  const shown = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  const found = shown ? Document.prototype.querySelectorAll.call(shown, '.poke') : [];
  return [...found].flatMap((element) => {
    const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
    const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    const isSeen =
      width > 0 && height > 0 && middle.x > 0 && middle.x < innerWidth && middle.y > 0 && middle.y < innerHeight;
    return isSeen ? [middle] : [];
  });
}
