import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { EDITORS, FIELDS, focusEditor, serveEditor } from '../../e2e/support/editor-pages.ts';
import { startSite } from '../../e2e/support/site.ts';
import { Shaper } from '../../faults/shaper.ts';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { startHost } from '../../fidelity/host.ts';
import { metric } from '../host-metrics.ts';
import { liveProduct } from '../live-product.ts';
import type { Row } from '../measure.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';

export const name = 'wrong-echoes';

/** Typed so often in each editor, with a mistake that is taken back after each sentence. */
const TIMES = 4;
const SENTENCES = [
  'The quick brown fox jumps over the lazy dog. ',
  'We met at 10:30, as agreed (room 42), and "nobody" came; so what? ',
  "It isn't a list: 1) one 2) two - three. ",
];
const MISTAKE = 'mistkae';
const PAUSE_MS = 60;
/** One way, in ms. */
const ONE_WAY_MS = 75;
/** Time in which the page answers the last key, and the client counts, in ms. */
const SETTLE_MS = 3000;

/** Keys that a page has answered otherwise than they were shown, of 1,000 that were shown before its answer. There is no peer. */
export async function run({ browser, host, fault }: Stage): Promise<Row[]> {
  if (host === undefined) return [];
  const rows: Row[] = [];
  for (const editor of [...Object.keys(FIELDS), ...EDITORS]) {
    await using stack = new AsyncDisposableStack();
    const site = stack.adopt(await startSite(), (started) => started.close());
    await serveEditor(site, editor);
    const own = stack.adopt(await startHost({ allow: [`127.0.0.1:${site.port}`] }), (started) => started.stop());
    const link = stack.adopt(await Shaper.start(Number(new URL(own.origin).port)), (started) => started.close());
    const context = stack.adopt(await browser.newContext({ viewport: VIEWPORT }), (opened) => opened.close());
    try {
      const { client } = await liveProduct(context, link.origin).open(`${site.origin}/editor`);
      const frame = client.frameLocator(VIEW);
      await focusEditor(frame, editor);
      await delay(SETTLE_MS); // the code of the echo is loaded
      link.delayMs = ONE_WAY_MS;
      await typeSentences(client, editor === 'input');
      await delay(SETTLE_MS);
      await client.keyboard.press('End'); // takes the last counts along
      await delay(SETTLE_MS);
      const [echoed, wrong] = await Promise.all([
        metric(own.origin, 'vitrine_plugin_local_echo_echoed_total'),
        metric(own.origin, 'vitrine_plugin_local_echo_wrong_total'),
      ]);
      if (echoed === 0) throw new Error('nothing was shown at once');
      rows.push({ name: `${editor}, of ${echoed}`, unit: 'per 1,000', values: { vitrine: (1000 * wrong) / echoed } });
    } catch (error) {
      fault(`${name}, ${editor}`, error);
    }
  }
  return rows;
}

async function typeSentences({ keyboard }: Page, isOneLine: boolean): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    for (const sentence of SENTENCES) {
      await keyboard.type(sentence + MISTAKE, { delay: PAUSE_MS });
      for (let n = 0; n < MISTAKE.length; n++) await keyboard.press('Backspace', { delay: PAUSE_MS });
    }
    if (!isOneLine) await keyboard.press('Enter', { delay: PAUSE_MS });
  }
}
