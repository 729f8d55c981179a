import { setTimeout as delay } from 'node:timers/promises';
import type { Frame, Page } from 'playwright';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** The gallery for a walk by keyboard alone. */
interface Walk {
  readonly page: Page;
  /** Opens a surface without pressing its keys. */
  readonly show: (name: string) => Promise<Frame>;
}

/** Text or name of what has the focus in a document. */
const focused = (frame: Frame): Promise<string> =>
  frame.evaluate(() => {
    const { activeElement } = document;
    const label = activeElement?.querySelector('.vitrine-menu-label')?.textContent ?? activeElement?.ariaLabel;
    return label ?? activeElement?.textContent ?? '';
  });

/** Waits until what has the focus is as expected, which may take a few frames. Returns what has it in the end. */
async function focusedAs(frame: Frame, expected: string): Promise<string> {
  let found = await focused(frame);
  for (const until = performance.now() + PATIENCE_MS; found !== expected && performance.now() < until;) {
    await delay(20);
    found = await focused(frame);
  }
  return found;
}

/** Presses keys, each with the name of what has the focus then. Returns the first that is wrong. */
async function presses(page: Page, frame: Frame, steps: readonly (readonly [string, string])[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [key, expected] of steps) {
    await page.keyboard.press(key);
    const found = await focusedAs(frame, expected);
    if (found !== expected) faults.push(`after ${key} “${found}” has the focus, and not “${expected}”`);
  }
  return faults;
}

/** Waits for what the surface ended with. */
async function ended(page: Page, outcome: string): Promise<string[]> {
  const isSo = await page
    .waitForFunction((title) => document.title === title, `Chosen: ${outcome}`, { timeout: PATIENCE_MS })
    .then(() => true)
    .catch(() => false);
  return isSo ? [] : [`it ended with “${await page.title()}”, and not with ${outcome}`];
}

const joined = (faults: readonly string[]): string | undefined => (faults.length > 0 ? faults.join('; ') : undefined);

/** Walks by title. Each returns what is wrong. */
export const keyboardWalks: readonly (readonly [string, (walk: Walk) => Promise<string | undefined>])[] = [
  [
    'a question holds the focus, begins with no, and ends with Escape',
    async ({ page, show }) => {
      const frame = await show('kit.question');
      const first = await focusedAs(frame, 'Block');
      const faults = first === 'Block' ? [] : [`“${first}” has the focus first`];
      faults.push(
        ...(await presses(page, frame, [
          ['Tab', 'Allow'],
          ['Tab', 'Block'],
          ['Shift+Tab', 'Allow'],
        ])),
      );
      await page.keyboard.press('Escape');
      return joined([...faults, ...(await ended(page, 'undefined'))]);
    },
  ],
  [
    'a menu is walked by arrows, ends and letters',
    async ({ page, show }) => {
      const frame = await show('kit.menu');
      const faults = await presses(page, frame, [
        ['ArrowDown', 'Back'],
        ['ArrowUp', 'Close the tab'],
        ['ArrowDown', 'Back'],
        ['ArrowDown', 'Forward'], // disabled, and reached
        ['Enter', 'Forward'],
        ['End', 'Close the tab'],
        ['Home', 'Back'],
        ['p', 'Print …'],
        ['p', 'Pictures only'],
      ]);
      await page.keyboard.press('Enter');
      return joined([...faults, ...(await ended(page, 'pictures'))]);
    },
  ],
  [
    'submenus are opened and left by arrows and Escape, and the focus returns to their item',
    async ({ page, show }) => {
      const frame = await show('kit.menu');
      const faults = await presses(page, frame, [
        ['s', 'Share'],
        ['ArrowRight', 'By mail'],
        ['ArrowDown', 'As a link'],
        ['Enter', 'Short'],
        ['ArrowLeft', 'As a link'],
        ['Escape', 'Share'],
        ['ArrowRight', 'By mail'],
      ]);
      await page.keyboard.press('Enter');
      return joined([...faults, ...(await ended(page, 'mail'))]);
    },
  ],
  [
    'a menu is left by Escape, by Tab and by a press outside of it',
    async ({ page, show }) => {
      const faults: string[] = [];
      for (const leave of ['Escape', 'Tab'] as const) {
        await show('kit.menu');
        await page.keyboard.press(leave);
        faults.push(...(await ended(page, 'nothing')));
      }
      await show('kit.menu');
      await page.mouse.click(700, 500);
      return joined([...faults, ...(await ended(page, 'nothing'))]);
    },
  ],
  [
    'a bar is closed by Escape, and gives the focus back',
    async ({ page, show }) => {
      const frame = await show('kit.bar');
      const faults = await presses(page, frame, [
        ['Tab', 'Previous'],
        ['Tab', 'Next'],
        ['Escape', 'Find'],
      ]);
      await page
        .locator('.vitrine-bar')
        .waitFor({ state: 'detached', timeout: PATIENCE_MS })
        .catch(() => faults.push('the bar is still there'));
      return joined(faults);
    },
  ],
  [
    'a question is answered by Enter on its button',
    async ({ page, show }) => {
      const frame = await show('kit.question');
      const faults = await presses(page, frame, [['Tab', 'Allow']]);
      await page.keyboard.press('Enter');
      return joined([...faults, ...(await ended(page, 'true'))]);
    },
  ],
];
