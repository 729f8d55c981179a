import { expect, it } from 'vitest';
import { overlay, useOverlay } from './overlay-page.ts';

useOverlay();

it('[S-018] an error page, as all else of the shell, is under dialogs', async () => {
  const { page, dialogs } = overlay;
  await page.evaluate(() => {
    window.test.shell.fail({ code: 'probe', title: 'An error', description: '' });
    window.test.ask({ text: 'Sure?' });
  });
  await dialogs.getByRole('dialog', { name: 'Sure?' }).waitFor();
  const order = ['#vitrine-page-frame', '#vitrine-error'].map((part) =>
    page.locator(part).evaluate((element) => getComputedStyle(element).zIndex),
  );
  expect(await Promise.all(order)).toEqual(['2147483647', '2147483646']);
});

it('[S-010] an error is shown in place of an earlier one, and each is reported', async () => {
  const { page } = overlay;
  await page.evaluate(() => {
    for (const title of ['The first', 'The second'])
      window.test.shell.fail({ code: title, title, description: 'For a reason' });
  });
  expect(await page.getByRole('heading').allTextContents()).toEqual(['The second']);
  const told = await page.evaluate(() => window.test.reports);
  // Without force a name is sent once.
  expect(told).toMatchObject([
    { data: { code: 'The first' }, level: 'warning', force: true },
    { data: { code: 'The second' }, level: 'warning', force: true },
  ]);
});
