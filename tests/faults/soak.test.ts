import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { descendants } from '../e2e/support/processes.ts';
import { startSite } from '../e2e/support/site.ts';
import type { Site } from '../e2e/support/site.ts';
import { launchChromium } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { HostHolding } from './holding.ts';
import { HostHeap } from './host-heap.ts';
import { Random } from '../../core/testing/random.ts';

/** People who come: as many as a host of two cores has in a day. Of the long tier alone: two people show nothing that `leftovers` does not. */
const PEOPLE = 600;
/** Named when the run fails. */
const SEED = Number(process.env['VITRINE_SEED'] ?? Date.now() % 2 ** 31);
/** People who are there at once. */
const AT_ONCE = 2;
const VISITS = 4;
const GONE_MS = 90_000;
const SHOWN_MS = 90_000;
/** Times that are as small as they can be: people who have left are gone soon. */
const ROOM = [
  ...['--max-cells', '4', '--warm-cells', '1', '--leave-time', '2', '--sleep-time', '3'],
  ...['--idle-time', '5', '--freeze-time', '1', '--make-room-time', '2'],
];

let site: Site;
let pages: readonly string[];
let folder: string;
let host: RunningHost;
let heap: HostHeap;
let holding: HostHolding;
let browser: Browser;
beforeAll(async () => {
  site = await startSite();
  const corpus = path.resolve(import.meta.dirname, '../corpus');
  pages = readdirSync(corpus).filter((name) => name.endsWith('.html'));
  for (const name of pages) site.on(`/${name}`, readFileSync(path.join(corpus, name), 'utf8'));
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-soak-'));
  chmodSync(folder, 0o755); // surrogates run as another user
  const [data, log] = [path.join(folder, 'data'), path.join(folder, 'host.log')];
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], data, options: ROOM, log, env: HostHeap.env });
  heap = await HostHeap.attach(log);
  holding = new HostHolding(host.pid, data, heap);
  browser = await launchChromium();
}, 120_000);
afterAll(async () => {
  await browser.close();
  heap.close();
  await host.stop();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page, and waits for it: a person who has to wait for a cell is let in by the waiting page itself. */
async function look(page: Page, random: Random): Promise<void> {
  const name = pages[random.below(pages.length)] ?? '';
  await page.goto(`${host.origin}/${site.origin}/${name}`);
  await page.waitForSelector('html[data-vitrine-state="ready"]', { state: 'attached', timeout: SHOWN_MS });
}

/** Actions of people beside looking at pages. */
const DEEDS = {
  reload: async (page: Page) => {
    await page.reload();
  },
  'go elsewhere and come back': async (page: Page) => {
    await page.goto('about:blank');
    await page.goBack();
  },
  'lose the network': async (_page: Page, context: BrowserContext) => {
    await context.setOffline(true);
    await delay(1000);
    await context.setOffline(false);
  },
  crash: async () => {
    const browsers = descendants(host.pid).filter(
      ({ command }) => command.includes('--remote-debugging-pipe') && !command.includes('--type='),
    );
    try {
      process.kill(browsers.at(-1)?.pid ?? NaN, 'SIGKILL'); // anybody's, the one that waits for somebody included
    } catch {
      // it has ended by itself
    }
  },
  nothing: async () => undefined,
} as const;

async function come(seed: number): Promise<void> {
  const random = new Random(seed);
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  try {
    const page = await context.newPage();
    for (let n = 0; n < 1 + random.below(VISITS); n += 1) {
      await look(page, random);
      const deed = random.of([
        'reload',
        'go elsewhere and come back',
        'lose the network',
        'crash',
        'nothing',
        'nothing',
      ]);
      await DEEDS[deed](page, context);
      if (random.below(3) === 0) await look(await context.newPage(), random);
    }
  } finally {
    await context.close();
  }
}

async function day(people: number, seed: number): Promise<void> {
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < people) await come(seed + ++begun);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

it(`${PEOPLE} people who come, browse, crash and go leave a host as it was`, { timeout: 24 * 3600_000 }, async () => {
  const seed = SEED;
  await day(2, seed); // resources that are created once, and stay
  await expect.poll(sessions, { timeout: GONE_MS }).toBe(0);
  const before = await holding.settled();
  await day(PEOPLE, seed + 1000);
  await expect.poll(sessions, { timeout: GONE_MS }).toBe(0);
  const after = await holding.back(before, GONE_MS);
  expect(after.timers, `seed ${seed}`).toBeLessThanOrEqual(before.timers);
  expect(after.sockets, `seed ${seed}`).toBeLessThanOrEqual(before.sockets);
  expect({ ...after, timers: 0, sockets: 0 }, `seed ${seed}`).toEqual({ ...before, timers: 0, sockets: 0 });
});

async function sessions(): Promise<number> {
  const text = await (await fetch(`${host.origin}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^vitrine_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
  return of('sessions') + of('people_asleep') + of('people_waiting');
}
