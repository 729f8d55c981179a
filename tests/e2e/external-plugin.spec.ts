import path from 'node:path';
import type { Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

test.use({ hostOptions: ['--plugins', path.resolve(import.meta.dirname, '../fixtures/word-count')] });

const PAGE = `<!doctype html><title>Words</title><p id="text">one two three</p><script>
  const more = (count) => { document.getElementById('text').textContent = 'word '.repeat(count); };
</script><button onclick="more(239)">more</button>`;

/** A multiple of the time for which the page half collects changes, in ms. */
const LONG_AFTER_MS = 1500;

/** Addresses that the shell requests from now on. */
function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  return requests;
}

test('an external plugin works with all its halves', async ({ page, site, open, vitrine }) => {
  site.on('/words', PAGE);
  const requests = requestsOf(page);
  const frame = await open('/words');
  const panel = page.locator('#vitrine-overlay').getByRole('region', { name: 'Words' });
  await expect(panel).toContainText('4 words, 1 min');

  await frame.getByRole('button', { name: 'more' }).click();
  await expect(panel).toContainText('240 words, 2 min');

  const loaded = (): string[] => requests.filter((address) => address.startsWith('/safeview-static/plugins/'));
  await expect.poll(() => loaded().length).toBeGreaterThanOrEqual(3); // the half, its panel, its sheet
  const files = loaded();
  for (const file of files) expect(file).toMatch(/^\/safeview-static\/plugins\/word-count\/\w+-[\w-]+\.(js|css)$/);
  for (const file of files) {
    const answer = await page.request.get(vitrine + file);
    expect(answer.headers()['cache-control']).toContain('immutable');
  }
  expect((await page.request.get(`${vitrine}/safeview-static/plugins/word-count/manifest.ts`)).status()).toBe(404);
});

test('a button in the shell calls a page half through the host', async ({ page, site, open }) => {
  const hides = '@media (max-width: 700px) { i { display: none } }';
  // It says so once all timers of the page half have run that a change would have started: in one document they run in their order.
  const tells = `<script>matchMedia('(max-width: 700px)').onchange = () => setTimeout(fetch, ${LONG_AFTER_MS}, '/is-narrow');</script>`;
  site.on('/narrow', `<!doctype html><style>${hides}</style>${tells}<p>one two <i>three four five</i>`);
  await open('/narrow');
  const panel = page.locator('#vitrine-overlay').getByRole('region', { name: 'Words' });
  await expect(panel).toContainText('5 words, 1 min');

  // The document does not change, so nothing makes the page half count on its own.
  await page.setViewportSize({ width: 600, height: 800 });
  await expect.poll(() => site.requests).toContain('GET /is-narrow');
  await expect(panel).toContainText('5 words, 1 min');
  await panel.getByRole('button', { name: 'Recount' }).click();
  await expect(panel).toContainText('2 words, 1 min');
});

test('nothing of a plugin is requested on a host that does not serve it', async ({ page, site }) => {
  site.on('/words', PAGE);
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`] });
  try {
    const requests = requestsOf(page);
    const pairing = page.waitForResponse((response) => response.url().includes('/r/pair'));
    await page.goto(`${host.origin}/${site.origin}/words`);
    await shown(page);
    expect(await (await pairing).text()).not.toContain('word-count');
    await view(page).getByRole('button', { name: 'more' }).click();
    await expect(view(page).locator('#text')).toContainText('word word'); // a page half would have counted before, and again
    expect(requests.filter((address) => /word-count|\/plugins\//.test(address))).toEqual([]);
    await expect(page.locator('#vitrine-overlay')).toBeEmpty();
  } finally {
    await host.stop();
  }
});
