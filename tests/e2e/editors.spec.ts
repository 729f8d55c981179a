import type { FrameLocator, Page } from 'playwright/test';
import { Shaper } from '../faults/shaper.ts';
import { edit, someEditing } from './support/editing.ts';
import { EDITORS, FIELDS, focusEditor, serveEditor } from './support/editor-pages.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test, view } from './support/vitrine.ts';
import { tagged } from '../../core/testing/tier.ts';

/** Actions in each editor, of three keys on average; the long run has more. */
const COUNT = process.env['VITRINE_LONG'] === undefined ? 60 : 10_000;
const SEED = Number(process.env['VITRINE_SEED'] ?? 7);
/** One way, in ms. */
const ONE_WAY_MS = 75;
/** Between keys, in ms. Some editors lose keys by themselves where there is none: Lexical and ProseMirror wait for timers of their own. */
const PAUSE_MS = 30;
/** Keys that reach a page closer than this, in ms, say that the machine was busy elsewhere: what the editor makes of them is not known. */
const CLOSEST_MS = 8;
const ATTEMPTS = 5;
/** Text that is typed last: keys are handled in their order. */
const END = 'zqz';
/** Looks of the page at its text without a change after which nothing follows. */
const SAME = 10;

/** Types the end, waits until the page has it and nothing changes any more, and says what the page has, and how close its keys were. */
async function settled(
  page: Page,
  frame: FrameLocator | Page,
): Promise<{ readonly text: string; readonly closest: number }> {
  const output = frame.locator('output');
  await page.keyboard.type(END, { delay: PAUSE_MS });
  const look = (): Promise<string> =>
    output.evaluate(({ textContent, dataset }) => `${dataset['same']} ${textContent}`);
  await expect.poll(look).toMatch(new RegExp(`^${SAME} .*${END}`));
  return { text: (await output.textContent()) ?? '', closest: Number(await output.getAttribute('data-closest')) };
}

/** Cases of the short run. */
const IN_SHORT = ['textarea', 'codemirror', 'prosemirror'];

for (const name of [...Object.keys(FIELDS), ...EDITORS])
  test(
    `[R-102] edits in ${name} over a slow line as it does directly`,
    tagged(!IN_SHORT.includes(name)),
    async ({ page, site, vitrine, browser }) => {
      await serveEditor(site, name);
      const steps = someEditing(COUNT, SEED, name === 'input');

      const direct = await browser.newPage();
      const editDirectly = async () => {
        await direct.goto(`${site.origin}/editor`);
        await focusEditor(direct, name);
        await direct.keyboard.press('Control+End');
        await edit(direct, steps, PAUSE_MS);
        return settled(direct, direct);
      };
      const link = await Shaper.start(Number(new URL(vitrine).port));
      try {
        const frame = view(page);
        const editThere = async () => {
          link.delayMs = 0;
          await page.evaluate(() => void (window.name = '')); // a tab that is not new shows the page before for a moment
          await page.goto(`${link.origin}/${site.origin}/editor`);
          await shown(page);
          await focusEditor(frame, name);
          await loaded(page, 'local-echo.start');
          link.delayMs = ONE_WAY_MS;
          await page.keyboard.press('Control+End');
          await edit(page, steps, PAUSE_MS);
          return settled(page, frame);
        };
        for (let attempt = 1; ; attempt++) {
          const [expected, found] = await Promise.all([editDirectly(), editThere()]);
          expect(expected.text.length).toBeGreaterThan(20);
          const closest = Math.min(expected.closest, found.closest);
          if (found.text !== expected.text && closest < CLOSEST_MS && attempt < ATTEMPTS) continue;
          expect(found.text, `keys ${closest} ms apart`).toBe(expected.text);
          break;
        }
      } finally {
        await direct.close();
        await link.close();
      }
    },
  );
