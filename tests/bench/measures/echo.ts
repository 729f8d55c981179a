import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { liveProduct } from '../live-product.ts';
import { median, quantile } from '../measure.ts';
import type { Row } from '../measure.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';

export const name = 'echo';

/** Round trips between person and host, in ms. */
const ROUND_TRIPS = [0, 40, 150];
const PAGE = 'bench/pages/typing.html';
const TEXT = 'the quick brown fox jumps over the lazy dog';
const WARM_UP = 'echo ';

/** From a key press in the person's browser to the frame in which the character stands in the field; the peer is the page itself. */
export async function run(stage: Stage): Promise<Row[]> {
  const { link, browser, pages } = stage;
  const direct = await browser.newContext({ viewport: VIEWPORT });
  const tab = await direct.newPage();
  await tab.goto(pages.page(PAGE).url);
  const without = await type(tab, undefined, 0);
  await direct.close();
  const rows: Row[] = [];
  for (const roundTrip of ROUND_TRIPS) {
    const values: Record<string, number[]> = { direct: without };
    try {
      if (link) values.vitrine = await throughHost(stage, roundTrip);
      else if (stage.host !== undefined)
        throw new Error('the host is on another machine: its network cannot be shaped');
    } catch (error) {
      stage.fault(`${name}, ${roundTrip} ms`, error);
    }
    for (const [what, of] of [
      ['median', median],
      ['p95', (all: number[]) => quantile(all, 0.95)],
    ] as const) {
      const figures = Object.fromEntries(Object.entries(values).map(([subject, all]) => [subject, of(all)]));
      rows.push({ name: `key to character, ${roundTrip} ms round trip, ${what}`, unit: 'ms', values: figures });
    }
  }
  return rows;
}

async function throughHost({ link, browser, pages }: Stage, roundTrip: number): Promise<number[]> {
  if (!link) return [];
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await liveProduct(context, link.origin).open(pages.page(PAGE).url);
    link.delayMs = roundTrip / 2;
    return await type(page.client, VIEW, roundTrip);
  } finally {
    link.delayMs = 0;
    await context.close();
  }
}

/** Types into the field with a pause between keys, so that each echo is one of one key. */
async function type(tab: Page, frame: string | undefined, roundTrip: number): Promise<number[]> {
  await tab.mouse.click(200, 150);
  await delay(500 + 4 * roundTrip);
  await tab.evaluate(observe, frame);
  for (const key of WARM_UP + TEXT) {
    await tab.keyboard.press(key === ' ' ? 'Space' : key);
    await delay(60 + 2 * roundTrip);
  }
  await delay(500 + 2 * roundTrip);
  const taken = await tab.evaluate(() => (window as Echoing).vitrineEchoes ?? []);
  if (taken.length < TEXT.length) throw new Error(`only ${taken.length} of ${TEXT.length} keys were echoed`);
  return taken.slice(-TEXT.length);
}

interface Echoing extends Window {
  vitrineEchoes?: number[];
}

/** Runs in the tab: takes the time of each key that the field has not answered yet. */
function observe(frame: string | undefined): void {
  const view = frame === undefined ? document : document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  const area = view?.querySelector('textarea');
  if (!view || !area) throw new Error('There is no field.');
  const echoes: number[] = ((window as Echoing).vitrineEchoes = []);
  const waiting: { readonly at: number; readonly length: number }[] = [];
  let expected = area.value.length;
  view.addEventListener('keydown', () => waiting.push({ at: performance.now(), length: ++expected }), true);
  const look = (): void => {
    for (let key = waiting[0]; key && area.value.length >= key.length; key = waiting[0]) {
      echoes.push(performance.now() - key.at);
      waiting.shift();
    }
    requestAnimationFrame(look);
  };
  look();
}
