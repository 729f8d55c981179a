import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Canary } from '../e2e/support/canary.ts';
import { MARK_GLOBAL } from '../e2e/support/hostile-pages.ts';
import { scanView } from '../e2e/support/view-scan.ts';
import { answerWith, bodies } from '../security/renderer/bodies.ts';
import { useOf } from '../security/renderer/body-page.ts';
import { sanitizedIn } from '../security/renderer/css-comparison.ts';
import { sheetTexts, styleTexts } from '../security/renderer/css-texts.ts';
import { markupTexts } from '../security/renderer/markup-texts.ts';
import { SEED } from '../security/renderer/runs.ts';
import { FRAMES, Person } from './person.ts';
import type { Stage } from './smoke.ts';

/** Numbers of drawn cases; of sheets and of attributes, each. */
const SHEETS = 50_000;
const TOGETHER = 50;
const DOCUMENTS = 100;
const PAGES = 30;
/** Time for late code or loads, in ms. */
const LATE_MS = 1_000;

/** Sanitizes drawn style sheets and attributes, and returns the addresses that this engine's parser still finds in them. */
export async function parseDrawnCss({ engine, site }: Stage): Promise<string | undefined> {
  site.on('/drawn-ground', '<!doctype html><title>ground</title>');
  await engine.goto(`${site.origin}/drawn-ground`);
  for (const [kind, texts] of [
    ['sheet', sheetTexts],
    ['style', styleTexts],
  ] as const)
    for (let round = 0; round < SHEETS / TOGETHER; round++) {
      const drawn = fc.sample(texts, { numRuns: TOGETHER, seed: SEED + round });
      const sanitized = await sanitizedIn((body, argument) => engine.evaluate(body, argument), drawn, kind);
      const wrong = sanitized.flatMap((each) => each.wrong);
      if (wrong.length > 0) return `seed ${SEED + round}: ${wrong.join('\n')}`;
    }
  return undefined;
}

/** Opens drawn documents, and pages whose resources have drawn bodies; returns their effects. */
export async function openDrawnPages(stage: Stage, canary: Canary): Promise<string | undefined> {
  const { site } = stage;
  const documents = fc.sample(markupTexts(canary.origin), { numRuns: DOCUMENTS, seed: SEED });
  const pages = fc.sample(bodies, { numRuns: PAGES, seed: SEED }).map((drawn, number) => {
    const uses = drawn.map(({ body, use }, at) => {
      site.on(`/drawn-body${number}/${at}`, (_request, response) => answerWith(body, canary.origin, response));
      return useOf(use, `/drawn-body${number}/${at}`, at);
    });
    return `<!doctype html><title>drawn</title>${uses.join('')}`;
  });
  for (const [number, text] of [...documents, ...pages].entries()) {
    const found = await effectsOf(stage, canary, `/drawn${number}`, text);
    if (found !== undefined) return `seed ${SEED}, ${JSON.stringify(text)}: ${found}`;
  }
  return undefined;
}

async function effectsOf({ engine, site, product }: Stage, canary: Canary, at: string, text: string) {
  const before = canary.visits.length;
  site.on(at, text);
  await engine.goto(`${product}/${site.origin}${at}`);
  await new Person(engine).until(
    'the page is shown',
    (frame) => {
      const shown = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
      return !!shown && Document.prototype.querySelector.call(shown, 'html') !== null; // pages hide members by names
    },
    FRAMES.page,
  );
  await delay(LATE_MS);
  if (await engine.evaluate((mark) => mark in window, MARK_GLOBAL)) return 'it has run code';
  if (canary.visits.length > before) return `it has loaded ${canary.visits.slice(before).join()}`;
  const sandbox = await engine.evaluate(
    (frame) => document.querySelector(frame)?.getAttribute('sandbox') ?? '',
    FRAMES.page,
  );
  const { violations } = await engine.evaluate(scanView, { forbidden: [canary.host], sanitized: true, sandbox });
  return violations.length > 0 ? violations.join('\n') : undefined;
}
