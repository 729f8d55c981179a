import type { Locator, Page } from 'playwright/test';

/**
 * Chooses files in the person's picker, which a press opens. Where the press was too long ago for the browser to open one, the product asks
 * first, and the person says yes.
 */
export async function pickFiles(page: Page, pressed: Locator, files: string | string[]): Promise<void> {
  const picker = page.waitForEvent('filechooser');
  await pressed.click();
  const asked = page.frameLocator('#vitrine-page-frame').getByRole('button', { name: 'Choose files' });
  const found = await Promise.race([picker, asked.waitFor().then(() => undefined)]);
  if (!found) await asked.click();
  await (await picker).setFiles(files);
}
