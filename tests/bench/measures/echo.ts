import { VIEWPORT } from '../../fidelity/browser.ts';
import { liveProduct } from '../live-product.ts';
import { median, quantile } from '../measure.ts';
import type { Row } from '../measure.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';
import { echoes, TYPING_PAGE } from '../typing.ts';

export const name = 'echo';

/** Round trips between person and host, in ms. */
const ROUND_TRIPS = [0, 40, 150];

/** From a key press in the person's browser to the frame in which the character stands in the field; the peer is the page itself. */
export async function run(stage: Stage): Promise<Row[]> {
  const { link, browser, pages } = stage;
  const direct = await browser.newContext({ viewport: VIEWPORT });
  const tab = await direct.newPage();
  await tab.goto(pages.page(TYPING_PAGE).url);
  const without = await echoes(tab, undefined, 0);
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
    const page = await liveProduct(context, link.origin).open(pages.page(TYPING_PAGE).url);
    link.delayMs = roundTrip / 2;
    return await echoes(page.client, VIEW, roundTrip);
  } finally {
    link.delayMs = 0;
    await context.close();
  }
}
