import type { FrameLocator, Page } from 'playwright/test';
import { answerable, expect } from './vitrine.ts';

/** Opens the dialogs of `DIALOGS_PAGE`, answers each, and waits until the page has the answers. */
export async function answerDialogs(page: Page, frame: FrameLocator): Promise<void> {
  await frame.locator('button').click();
  const dialogs = page.frameLocator('#vitrine-page-frame');
  const alert = dialogs.getByRole('alertdialog');
  await expect(alert).toContainText('127.0.0.1');
  await expect(alert).toContainText('Read <b>this</b>');
  await answerable(page);
  await page.keyboard.press('Enter');
  await expect(alert).toContainText('Sure?');
  await alert.getByRole('button', { name: 'OK' }).click();
  await expect(alert).toContainText('Really?');
  await answerable(page); // the focus is in it by then
  await page.keyboard.press('Escape');
  const prompt = dialogs.getByRole('dialog');
  await expect(prompt.getByRole('textbox')).toHaveValue('Ada');
  await answerable(page);
  await page.keyboard.type('Grace');
  await expect(prompt.getByRole('textbox')).toHaveValue('Grace');
  await page.keyboard.press('Enter');
  await expect(prompt).toContainText('Empty?');
  await prompt.getByRole('button', { name: 'Cancel' }).click();
  await expect(frame.locator('output')).toHaveText('[true,false,"Grace",null]');
}
