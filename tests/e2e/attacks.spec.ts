import type { Page } from 'playwright/test';
import { ATTACKS, COLLECTED } from '../security/attacks.ts';
import { CALLS, isXmlDocument, serveAttack, serveAttackFiles, tellCalls } from './support/attack-pages.ts';
import { baits } from './support/baits.ts';
import { serveHostileFiles } from './support/attack-files.ts';
import { watchPerson } from './support/person-watch.ts';
import { scanView } from './support/view-scan.ts';
import { expect } from './support/vitrine.ts';
import { test } from './support/with-canary.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { sampled } from '../../core/testing/tier.ts';

/** Numbers of attacks that a short run shows, of the collections' and of our own: `tests/security` sanitizes all of them in any run. */
const SAMPLE = { collected: 6, own: 18 };
/** Number of attacks per test, in one tab. */
const PER_TEST = 12;
/** Time in which a document that is not replaced is parsed on an idle machine, in ms: some attacks replace theirs before. */
const READ_MS = 3000;
/** Time for which it is watched afterwards, in ms. */
const AFTER_MS = 150;

const NOT_SHOWN = 'its own document was not shown';

/** The frame of the view that shows the page. */
const MAIN = 'iframe[data-vitrine-frame="main"]';

const own = ATTACKS.slice(COLLECTED.length);
const chosen = [...sampled(COLLECTED, SAMPLE.collected), ...sampled(own, SAMPLE.own)];

test.describe.configure({ mode: 'parallel' });

for (let first = 0; first < chosen.length; first += PER_TEST) {
  const attacks = chosen.slice(first, first + PER_TEST);
  const names = `${first + 1} to ${first + attacks.length} of ${chosen.length}`;
  test(`runs nothing, loads nothing and keeps to the policy with attacks ${names}`, async ({
    page,
    context,
    site,
    vitrine,
    canary,
  }) => {
    test.setTimeout(attacks.length * PATIENCE_MS);
    serveAttackFiles(site, canary);
    serveHostileFiles(site, canary);
    await context.addInitScript(tellCalls, CALLS);
    const watch = watchPerson(context, vitrine);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const found: Record<string, readonly string[]> = {};

    const show = async (attack: (typeof attacks)[number], index: number): Promise<string[]> => {
      const before = canary.visits.length;
      const known = new Set(await watch.findings());
      const at = serveAttack(site, canary, attack, first + index);
      await page.goto(`${vitrine}/${site.origin}${at}`);
      const isXml = isXmlDocument(attack.payload);
      const isShown = await isRead(page, isXml ? '*' : `[data-attack="${at}"]`, at);
      const hasLeft = isLeft(page, at);
      if (attack.payload.includes('poke')) await poke(page);
      const options = { forbidden: [canary.host, `127.0.0.1:${site.port}`], sanitized: true };
      const scan = await page.evaluate(scanView, options);
      return [
        ...scan.violations,
        ...(await watch.findings()).filter((finding) => !known.has(finding)),
        ...canary.visits.slice(before),
        ...errors.splice(0),
        ...(scan.nodes > 0 ? [] : ['nothing was shown']),
        ...(isShown || hasLeft ? [] : [NOT_SHOWN]),
      ];
    };
    for (const [index, attack] of attacks.entries()) {
      let all = await show(attack, index);
      // Some documents crash their Chromium now and then, on a dialog in a frame: the next one has to show them.
      if (all.length === 1 && all[0] === NOT_SHOWN) all = await show(attack, index);
      if (all.length > 0) found[`${attack.name}: ${attack.payload.slice(0, 300)}`] = all;
    }

    expect(found).toEqual({});
  });
}

/** Presses visible elements with the class `poke`. */
async function poke(page: Page): Promise<void> {
  for (const { x, y } of await page.evaluate(baits, MAIN)) await page.mouse.click(x, y);
  await watchOn(page);
}

/** Waits until timers of up to {@link AFTER_MS} have fired in the person's browser, and a later request than theirs is answered. */
async function watchOn(page: Page): Promise<void> {
  const later = (): Promise<void> =>
    page.evaluate(async (ms) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      await fetch('/healthz');
    }, AFTER_MS);
  // Where it goes on to another page meanwhile, that one is watched as long.
  await later()
    .catch(later)
    .catch(() => page.waitForTimeout(AFTER_MS));
}

/** Whether the attack's own document is shown as it was when parsed: it has this element. Waits for later documents. */
async function isRead(page: Page, selector: string, at: string): Promise<boolean> {
  expect(await isSoon(page, isReady, PATIENCE_MS), `${at} is opened`).toBe(true);
  let isThere = await isSoon(page, () => isAttached(page, selector), READ_MS);
  // Under load it may not be there yet.
  if (!isThere) {
    await isSoon(page, async () => (isThere = await isAttached(page, selector)) || isLeft(page, at), PATIENCE_MS);
    expect(await isSoon(page, () => isAttached(page, '*'), PATIENCE_MS), `something of ${at} is shown`).toBe(true);
  }
  await watchOn(page);
  return isThere;
}

/** Whether a page has gone on to another address: then it need not have been shown before. */
function isLeft(page: Page, at: string): boolean {
  return !new URL(page.url()).pathname.endsWith(at);
}

/** Waits for a state of a page. Dialogs of its frames, which block it, are answered; it may show as many as it likes. */
async function isSoon(page: Page, isSo: (page: Page) => Promise<boolean>, withinMs: number): Promise<boolean> {
  const frame = page.frameLocator('#vitrine-page-frame');
  const goOn = frame.getByRole('button', { name: 'Go on' });
  const look = async (): Promise<boolean> => {
    if (await isSo(page)) return true;
    if (await goOn.isVisible()) await goOn.click({ timeout: 1000 });
    else if (await frame.getByRole('alertdialog').isVisible()) await page.keyboard.press('Enter');
    return false;
  };
  for (const until = performance.now() + withinMs; performance.now() < until; await page.waitForTimeout(50)) {
    const isNow = await look().catch(() => false); // it goes on to another document
    if (isNow) return true;
  }
  return false;
}

/** Whether the shell reports that the page is shown. */
function isReady(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.dataset['vitrineState'] === 'ready');
}

/** Whether the view has an element. */
function isAttached(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(has, { frame: MAIN, selector });
}

/** Whether a frame's document has an element; pages can hide elements from methods of nodes. Runs in the shell. */
function has({ frame, selector }: { readonly frame: string; readonly selector: string }): boolean {
  const shown = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  return !!shown && Document.prototype.querySelector.call(shown, selector) !== null;
}
