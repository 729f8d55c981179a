import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { Shaper } from '../../faults/shaper.ts';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { liveProduct } from '../live-product.ts';
import { startVnc, VNC_PATH } from '../live-vnc.ts';
import { median, quantile } from '../measure.ts';
import type { Row } from '../measure.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';
import { echoes, TYPING_PAGE } from '../typing.ts';
import type { Effect } from '../typing.ts';

export const name = 'echo';

/** Round trips between person and host, in ms. */
const ROUND_TRIPS = [0, 40, 150];
/** Time that the browser of the pictures takes to show its page, in ms. */
const VNC_START_MS = 4000;

/** Kinds of figures, by the mode of the page and the effect of a key. */
const KINDS = [
  { kind: 'key to character', mode: undefined, effect: 'character' },
  { kind: 'key to answer', mode: 'answer', effect: 'answer' },
  { kind: 'key to character beside 1,000 changes a second', mode: 'busy', effect: 'character' },
  { kind: 'key to answer beside 1,000 changes a second', mode: 'busy', effect: 'answer' },
] as const;

/**
 * From a key press in the person's browser to the frame in which its effect is seen. The peers are the page itself, without a network between it
 * and the person, and noVNC, where it is the change of the picture.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const { browser, pages, link } = stage;
  const rows: Row[] = [];
  for (const { kind, mode, effect } of KINDS) {
    const url = (): string => `${pages.page(TYPING_PAGE).url}${mode === undefined ? '' : `&mode=${mode}`}`;
    const direct = await directly(browser, url(), effect);
    for (const roundTrip of ROUND_TRIPS) {
      const values: Record<string, number[]> = { direct };
      const take = async (subject: string, taking: () => Promise<number[]>): Promise<void> => {
        try {
          values[subject] = await taking();
        } catch (error) {
          stage.fault(`${kind}, ${subject}, ${roundTrip} ms`, error);
        }
      };
      if (link) await take('vitrine', () => throughHost(stage, url(), roundTrip, effect));
      else if (stage.host !== undefined)
        stage.fault(name, new Error('the host is on another machine: its network cannot be shaped'));
      if (effect === 'character') await take('noVNC', () => asPicture(browser, url(), roundTrip));
      rows.push(...rowsAt(`${kind}, ${roundTrip} ms round trip`, values));
    }
  }
  return rows;
}

function rowsAt(what: string, values: Readonly<Record<string, readonly number[]>>): Row[] {
  const row = (figure: string, of: (all: readonly number[]) => number): Row => ({
    name: `${what}, ${figure}`,
    unit: 'ms',
    values: Object.fromEntries(Object.entries(values).map(([subject, all]) => [subject, of(all)])),
  });
  return [row('median', median), row('p95', (all) => quantile(all, 0.95))];
}

async function directly(browser: Browser, url: string, effect: Effect): Promise<number[]> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const tab = await context.newPage();
    await tab.goto(url);
    return await echoes(tab, { roundTrip: 0, effect });
  } finally {
    await context.close();
  }
}

async function throughHost(stage: Stage, url: string, roundTrip: number, effect: Effect): Promise<number[]> {
  const { link, browser } = stage;
  if (!link) return [];
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await liveProduct(context, link.origin).open(url);
    link.delayMs = roundTrip / 2;
    return await echoes(page.client, { frame: VIEW, roundTrip, effect });
  } finally {
    link.delayMs = 0;
    await context.close();
  }
}

async function asPicture(browser: Browser, url: string, roundTrip: number): Promise<number[]> {
  await using stack = new AsyncDisposableStack();
  const vnc = stack.adopt(await startVnc(url), (started) => started.stop());
  const link = stack.adopt(await Shaper.start(vnc.port), (shaper) => shaper.close());
  const context = stack.adopt(await browser.newContext({ viewport: VIEWPORT }), (opened) => opened.close());
  const tab = await context.newPage();
  await tab.goto(`${link.origin}${VNC_PATH}`);
  await tab.locator('canvas').waitFor();
  await delay(VNC_START_MS);
  link.delayMs = roundTrip / 2;
  return await echoes(tab, { roundTrip, effect: 'picture' });
}
