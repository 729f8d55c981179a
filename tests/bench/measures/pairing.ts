import { setTimeout as delay } from 'node:timers/promises';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { metric } from '../host-metrics.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';
import { showing, VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';

export const name = 'pairing';

const SAMPLES = 5;
const WARM_MS = 60_000;

/**
 * A new person with an empty cache, while a surrogate is idle: from the pair request to the first and to the whole
 * view.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const { host, browser, pages } = stage;
  if (host === undefined) return [];
  const first: number[] = [];
  const whole: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    const end = performance.now() + WARM_MS;
    while ((await metric(host, 'vitrine_surrogates_warm')) < 1) {
      if (performance.now() > end) throw new Error('no surrogate waits: the pool is empty');
      await delay(100);
    }
    const context = await browser.newContext({ viewport: VIEWPORT });
    try {
      const shown = await showing(context, `${host}/${pages.page('corpus/article.html').url}`, VIEW);
      first.push((shown.first ?? NaN) - (shown.pair ?? NaN));
      whole.push(shown.final);
    } finally {
      await context.close();
    }
  }
  return [
    { name: 'pair request to first paint, warm pool', unit: 'ms', values: { vitrine: median(first) } },
    { name: 'new person to whole article, warm pool', unit: 'ms', values: { vitrine: median(whole) } },
  ];
}
