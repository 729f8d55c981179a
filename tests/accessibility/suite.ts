import { PATIENCE_MS } from '../../core/testing/patience.ts';
/**
 * Compares what assistive technology gets of pages opened directly and through the product: the tree, the order of
 * focus, the live regions that change. Arguments select pages by a part of their address.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launchChromium, VIEWPORT } from '../fidelity/browser.ts';
import { readCorpus } from '../fidelity/corpus.ts';
import { startHost } from '../fidelity/host.ts';
import { serveFolder } from '../fidelity/static-server.ts';
import { Tally } from '../tally.ts';
import { Pair } from './comparison.ts';
import { GAPS } from './gaps.ts';
import { holdRegions, listen } from './live.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGES = path.join(import.meta.dirname, 'pages');
const CORPORA = [path.join(ROOT, 'tests/corpus'), path.join(ROOT, '../shared/corpus/feat')].filter(existsSync);
/** Objects and embeds that show documents, which have another structure here (M-057, M-059). */
const LEFT_OUT = /object-embed|feat-iframe/;
const NAMES =
  `forms landmarks tables widgets live disclosure disclosure.html#modal pictures replaced references frames focus`.split(
    ' ',
  );
/** Of a popover that is open at first. */
const POPOVER_BUTTON = '[popovertarget="pop"]';
/** Number of presses of Tab on the page with it. */
const PRESSES = 26;
/** Texts of live regions after their change. */
const SAID: Readonly<Record<string, string>> = {
  polite: '3 results',
  assertive: '2 errors',
  alert: 'Connection lost',
  status: 'Saved at noon',
  log: 'firstsecond',
  timer: '1 s',
  output: '42',
  busy: 'done',
};
const LIVE_MS = PATIENCE_MS;

await using stack = new AsyncDisposableStack();
const tally = new Tally();
const words = process.argv.slice(2);
const own = stack.adopt(await serveFolder(PAGES), (server) => server.close());
const addresses = NAMES.map((name) => `${own.origin}/${name.includes('.') ? name : `${name}.html`}`);
const hosts = [...own.hosts];
for (const place of process.env.VITRINE_LONG ? CORPORA : []) {
  const corpus = await readCorpus(place);
  const server = stack.adopt(await serveFolder(corpus.root), (s) => s.close());
  hosts.push(...server.hosts);
  addresses.push(
    ...corpus.pages.filter(({ path: page }) => !LEFT_OUT.test(page)).map((page) => server.origin + page.path),
  );
}
const host = stack.adopt(await startHost({ allow: hosts }), (h) => h.stop());
const browser = stack.adopt(await launchChromium(), (b) => b.close());
const windows = {
  direct: await browser.newContext({ viewport: VIEWPORT }),
  person: await browser.newContext({ viewport: VIEWPORT }),
};

/** Opens a page twice for one check. */
async function check(title: string, url: string, body: (pair: Pair) => Promise<string | undefined>): Promise<void> {
  if (words.length > 0 && !words.some((word) => title.includes(word))) return;
  await tally.check(title, async () => {
    const pair = await Pair.open(windows, host.origin, url);
    try {
      return await body(pair);
    } finally {
      await pair.close();
    }
  });
}

for (const url of addresses) {
  const place = new URL(url);
  const name = `${place.pathname.slice(1)}${place.hash}`;
  const gaps = GAPS.filter((gap) => gap.page.test(name));
  await check(`${name}: roles, names and states are those of the page`, url, async (pair) => {
    const differences = await pair.differences(gaps);
    return differences.length > 0 ? differences.join('\n        ') : undefined;
  });
}

await check('focus.html: Tab moves in the same order as in the page', `${own.origin}/focus.html`, async (pair) => {
  const { places, fault } = await pair.walk(PRESSES);
  return fault && `${fault}\n        after ${places.join(', ')}`;
});

await check(
  'disclosure.html: buttons of popovers act once, in the page',
  `${own.origin}/disclosure.html`,
  async (pair) => {
    const { direct, shell } = pair;
    const shown = shell.frameLocator('iframe[data-vitrine-frame="main"]');
    for (const act of ['click', 'Enter', 'Space'] as const) {
      for (const button of [direct.locator(POPOVER_BUTTON), shown.locator(POPOVER_BUTTON)])
        await (act === 'click' ? button.click() : button.press(act));
      const differences = await pair.differences([]);
      if (differences.length > 0) return `${act}: ${differences.join('\n        ')}`;
    }
    return undefined;
  },
);

await check('live.html: live regions change in place', `${own.origin}/live.html`, async ({ shell, ...pair }) => {
  const ids = Object.keys(SAID);
  const regions = await holdRegions(shell, ids);
  const before = await listen(regions);
  if (before.some(({ same }) => !same)) return 'regions are missing';
  await shell.frameLocator('iframe[data-vitrine-frame="main"]').locator('#change').click();
  await pair.direct.locator('#change').click();
  const until = performance.now() + LIVE_MS;
  let fault: string | undefined;
  do {
    await delay(50);
    const heard = await listen(regions);
    const wrong = ids.filter((id, at) => !heard[at]?.same || heard[at].text !== SAID[id]);
    fault = wrong.length > 0 ? `${wrong.join(', ')}: ${JSON.stringify(heard)}` : undefined;
  } while (fault !== undefined && performance.now() < until);
  return fault;
});

tally.finish();
