import { VIEWPORT } from '../../fidelity/browser.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';
import { showing, VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';

export const name = 'first view';

const PAGES = { article: 'corpus/article.html', table: 'corpus/table.html', '300 entries': 'bench/pages/long.html' };
/** Round trip times to the page's site, in ms: a local site alone would not represent the web. */
const SITES = [0, 100];
const SAMPLES = 5;
/** Time for which a page is viewed before the next is opened, in ms. */
const READING_MS = 2000;

/**
 * Time from the start of a navigation until the whole page is shown, for a person who has used the host before, in a
 * tab of their own; the peer is the page opened directly in the same browser. The aim is a ratio of 1.15.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const roundTrip of SITES)
    for (const [title, file] of Object.entries(PAGES)) {
      stage.far.delayMs = roundTrip / 2;
      try {
        const page = stage.pages.page(file).url.replace(stage.pages.origin, stage.far.origin);
        const values: Record<string, number> = { direct: await take(stage, page) };
        if (stage.host !== undefined) values.vitrine = await take(stage, `${stage.host}/${page}`, VIEW);
        rows.push({ name: `${title}, site at ${roundTrip} ms`, unit: 'ms', values });
      } catch (error) {
        stage.fault(`${name}, ${title}`, error);
      } finally {
        stage.far.delayMs = 0;
      }
    }
  return rows;
}

/**
 * Each time at another address: the document comes from the site, files that it shares with the previous one may come
 * from a cache. The first time does not count: it fills caches, and launches the person's browser.
 */
async function take({ browser }: Stage, url: string, frame?: string): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const samples: number[] = [];
    for (let n = 0; n <= SAMPLES; n++)
      samples.push((await showing(context, `${url}&view=${n}`, frame, READING_MS)).final);
    return median(samples.slice(1));
  } finally {
    await context.close();
  }
}
