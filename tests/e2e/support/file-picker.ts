import type { FileChooser, Locator, Page } from 'playwright/test';

/**
 * Opens the person's picker by a press. Where the press was too long ago for the browser to open one, the product asks first, and the person
 * says yes.
 */
export async function openPicker(page: Page, pressed: Locator): Promise<FileChooser> {
  const picker = page.waitForEvent('filechooser');
  await pressed.click();
  const asked = page.frameLocator('#vitrine-page-frame').getByRole('button', { name: 'Choose files' });
  const found = await Promise.race([picker, asked.waitFor().then(() => undefined)]);
  if (!found) await asked.click();
  return picker;
}

/** Chooses files in the person's picker, which a press opens. */
export async function pickFiles(page: Page, pressed: Locator, files: string | string[]): Promise<void> {
  await (await openPicker(page, pressed)).setFiles(files);
}
