import { setTimeout as delay } from 'node:timers/promises';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { liveProduct } from '../live-product.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';
import type { Stage } from '../stage.ts';
import { watch } from '../watch.ts';

export const name = 'reconnect';

const SAMPLES = 5;
const DOWN_MS = 1000;

/**
 * Time from the loss of a connection, or the return of the network, until a change of the page at that moment is shown.
 */
export async function run({ link, host, browser, pages }: Stage): Promise<Row[]> {
  if (host === undefined) return [];
  if (!link) throw new Error('the host is on another machine: its network cannot be shaped');
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const { url, command } = pages.page('bench/pages/update.html');
    const page = await liveProduct(context, link.origin).open(url);
    const { until } = await watch(page);
    const cut: number[] = [];
    const back: number[] = [];
    for (let n = 0; n < SAMPLES; n++) {
      for (const [taken, downMs] of [
        [cut, 0],
        [back, DOWN_MS],
      ] as const) {
        link.isDown = downMs > 0;
        link.reset();
        await delay(downMs);
        link.isDown = false;
        command('clear');
        taken.push((await until('clear', 60_000)).at(-1)?.ms ?? NaN);
        await delay(500);
      }
    }
    return [
      { name: 'connection cut', unit: 'ms', values: { vitrine: median(cut) } },
      { name: `network back after ${DOWN_MS / 1000} s`, unit: 'ms', values: { vitrine: median(back) } },
    ];
  } finally {
    link.isDown = false;
    await context.close();
  }
}
