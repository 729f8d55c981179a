import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import type { Shaper } from '../faults/shaper.ts';
import { readView } from '../fidelity/final-state.ts';
import { countTraffic } from './live-page.ts';
import type { LiveSubject } from './live-page.ts';

const READY_MS = 20_000;

/** Shows pages through the product's host at `origin`, or over the link before it, to the person of `context`. */
export function liveProduct(context: BrowserContext, origin: string, link?: Shaper): LiveSubject {
  return {
    name: 'vitrine',
    open: async (url) => {
      const client = await context.newPage();
      const counter = await countTraffic(client, link, ({ pathname }) => pathname.startsWith('/c/'));
      await client.goto(`${link?.origin ?? origin}/${url}`, { waitUntil: 'domcontentloaded' });
      const end = performance.now() + READY_MS;
      for (;;) {
        const { state, final, message } = await readView(client, true);
        if (state === 'ready' && final) break;
        if (performance.now() > end) throw new Error(`the shell is in state ${state}, its view not final: ${message}`);
        await delay(50);
      }
      return {
        client,
        frame: 'iframe[data-vitrine-frame="main"]',
        hands: client,
        ...counter,
        close: () => client.close(),
      };
    },
  };
}
