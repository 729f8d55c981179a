import type { Page } from 'playwright/test';
import { COPY_FLAG_MS } from '../../../plugins/clipboard/protocol.ts';
import { expect } from './vitrine.ts';

/** The clipboard of the person, and what they do to have something in it. */

export const clipboardText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Sets the content of the person's clipboard, like another program. */
export async function hold(page: Page, items: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (given) => {
    const parts = await Promise.all(
      Object.entries(given).map(async ([type, text]) => [
        type,
        type === 'image/png' ? await picture() : new Blob([text], { type }),
      ]),
    );
    async function picture(): Promise<Blob> {
      const canvas = new OffscreenCanvas(3, 2);
      canvas.getContext('2d')?.fillRect(0, 0, 2, 1);
      return canvas.convertToBlob();
    }
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts) as Record<string, Blob>)]);
  }, items);
}

/**
 * Has the page copy something by an act of the person, until its result is there. What is copied later than a gesture counts is dropped, and rightly
 * so: on a machine that takes so long the person acts again. Returns the number of acts.
 */
export async function copied(
  act: () => Promise<unknown>,
  result: () => Promise<unknown>,
  expected: unknown,
): Promise<number> {
  let acts = 0;
  await expect(async () => {
    acts += 1;
    await act();
    await expect.poll(result, { timeout: 2 * COPY_FLAG_MS }).toEqual(expected);
  }).toPass();
  return acts;
}

/** The same with the text that the clipboard has then. */
export function copiedText(page: Page, act: () => Promise<unknown>, text: string): Promise<number> {
  return copied(act, () => clipboardText(page), text);
}
