import type { FrameLocator, Page } from 'playwright/test';
import { Shaper } from '../faults/shaper.ts';
import { act, FORM, someActs, state } from './support/hasty-person.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test, view } from './support/vitrine.ts';
import { tagged } from '../../core/testing/tier.ts';

/** One way, in ms. */
const ONE_WAY_MS = 75;
const ACTS = 12;
/** Walks of the short run, and how many the long one has. */
const SHORT = [22, 30];
const WALKS = 40;

/** State of the page, and the events that it has heard, once nothing follows. */
async function settled(page: Page | FrameLocator): Promise<string> {
  await expect(page.locator('#out')).not.toHaveText('');
  return (await page.locator('#out').textContent()) ?? '';
}

for (let seed = 1; seed <= WALKS; seed++)
  test(
    `over a slow line, fields get what is done in them by somebody who does not wait, walk ${seed}`,
    tagged(!SHORT.includes(seed)),
    async ({ page, site, vitrine, browser }) => {
      site.on('/form', FORM);
      const direct = await browser.newPage();
      const link = await Shaper.start(Number(new URL(vitrine).port));
      try {
        await direct.goto(`${site.origin}/form`);
        const boxes = await direct.evaluate(() =>
          Object.fromEntries(
            [...document.querySelectorAll('[id]')].map((element) => [element.id, element.getBoundingClientRect()]),
          ),
        );
        const acts = someActs(ACTS, seed, boxes);
        await page.goto(`${link.origin}/${site.origin}/form`);
        await shown(page);
        const frame = view(page);
        for (const each of [direct, frame]) {
          await each.locator('#line').click({ position: { x: 2, y: 4 } });
          await expect(each.locator('#line:focus')).toBeVisible();
        }
        await loaded(page, 'local-echo.start');
        link.delayMs = ONE_WAY_MS;
        await act(direct, acts);
        await act(page, acts);
        const expected = await settled(direct);
        await expect.poll(() => settled(frame), JSON.stringify(acts)).toBe(expected);
        // The view has the same as the page.
        const [of] = expected.split('|sent=');
        await expect.poll(() => frame.locator(':root').evaluate(state)).toBe(of);
      } finally {
        await direct.close();
        await link.close();
      }
    },
  );
