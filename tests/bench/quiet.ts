import { setTimeout as delay } from 'node:timers/promises';
import type { LivePage, Traffic } from './live-page.ts';

const QUIET_MS = 400;
const BOUND_MS = 15_000;

/**
 * The traffic so far, once no message of a thousand bytes or more has come for 400 ms: a channel's own acknowledgements
 * continue. Throws when it does not become quiet.
 */
export async function quietTraffic(page: LivePage): Promise<Traffic> {
  const end = performance.now() + BOUND_MS;
  for (;;) {
    const before = page.traffic().received;
    await delay(QUIET_MS);
    if (page.traffic().received - before < 1000) return page.traffic();
    if (performance.now() > end) throw new Error('the channel does not come to rest');
  }
}
