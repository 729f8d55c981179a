import type { Page } from 'playwright/test';
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

/** Has the page copy something by one act of the person, and waits for its result. */
export async function copied(
  act: () => Promise<unknown>,
  result: () => Promise<unknown>,
  expected: unknown,
): Promise<void> {
  await act();
  await expect.poll(result).toEqual(expected);
}

/** The same with the text that the clipboard has then. */
export function copiedText(page: Page, act: () => Promise<unknown>, text: string): Promise<void> {
  return copied(act, () => clipboardText(page), text);
}
