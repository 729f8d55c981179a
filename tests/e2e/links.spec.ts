import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { item, menuOf } from './support/context-menus.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** Links by each button and key: which of them are the page's, which open tabs, and where the policy lets none be opened. */

test.use({
  hostOptions: async ({ folder }, use) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    const sites = [{ match: '*/only', policy: { persistent_policy: { new_tabs: false } } }];
    writeFileSync(file, JSON.stringify({ tenants: { default: { sites } } }));
    await use(['--policy', file]);
  },
});

/** Its clicks are written down; the first link is not followed. */
const LINKS = `<!doctype html><title>Links</title><link rel=icon href="data:,">
  <style>a, button { display: block; margin: 1em }</style>
  <a id=own href="/next?own">own</a><a id=next href="/next?next">next</a><a id=blank href="/next?blank" target=_blank>blank</a>
  <button id=open>open</button><p id=said></p><script>
    for (const type of ['mousedown', 'click', 'contextmenu'])
      addEventListener(type, (event) => {
        said.textContent += ' ' + type + event.button + (event.ctrlKey ? ' Ctrl' : '') + (event.metaKey ? ' Meta' : '');
        if (event.target === own) event.preventDefault();
      });
    document.getElementById('open').onclick = () => { said.textContent = window.open('/next?open') ? 'opened' : 'none'; };
  </script>`;
const NEXT = '<!doctype html><title>Next</title><link rel=icon href="data:,"><h1>next</h1>';

test.beforeEach(({ site }) => {
  for (const at of ['/links', '/only']) site.on(at, LINKS);
  site.on('/next', NEXT);
});

const opened = async (page: Page, act: () => Promise<unknown>): Promise<Page> => {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), act()]);
  await shown(tab);
  await expect(view(tab).locator('h1')).toHaveText('next');
  return tab;
};
const snackbar = (page: Page): Locator => page.locator('#vitrine-overlay').locator('[role=alert]:not(#seen)');
const REFUSED = 'Your organisation does not let this site open new tabs and windows.';

test('[R-071] the page gets clicks of the left button alone; with Ctrl or Shift, and by the middle button, links open in tabs', async ({
  page,
  site,
  open,
}) => {
  const frame = await open('/links');
  await loaded(page, 'popups');
  const said = frame.locator('#said');
  const link = frame.locator('#own');
  const ways = [{ button: 'middle' }, { modifiers: ['Control'] }, { modifiers: ['Shift'] }] as const;
  for (const way of ways) {
    const tab = await opened(page, () =>
      link.click({ ...way, modifiers: [...('modifiers' in way ? way.modifiers : [])] }),
    );
    await tab.close();
  }
  // The page has heard of none of these; it hears of the others, and handles them as it likes.
  await link.click();
  await expect(said).toHaveText('mousedown0 click0');
  await link.click({ modifiers: ['Meta'] }); // a key as any other where it is no Command
  await expect(said).toHaveText('mousedown0 click0 mousedown0 Meta click0 Meta');
  expect(page.context().pages()).toHaveLength(1);
  await frame.locator('#next').click();
  await expect(frame.locator('h1')).toHaveText('next');
  expect(site.requests.filter((line) => line.includes('?'))).toEqual([
    ...ways.map(() => 'GET /next?own'),
    'GET /next?next',
  ]);
});

test('[R-071] on a Mac links open in tabs with Command', async ({ page, open }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'MacIntel' }));
  const frame = await open('/links');
  await loaded(page, 'popups');
  await opened(page, () => frame.locator('#own').click({ modifiers: ['Meta'] }));
  await frame.locator('#own').click();
  await expect(frame.locator('#said')).toHaveText('mousedown0 click0');
});

test('[S-094] where the policy lets pages open no tabs, neither clicks nor menus nor the page open one, and the person is told', async ({
  page,
  site,
  open,
}) => {
  const frame = await open('/only');
  await loaded(page, 'popups');
  const refused = async (act: () => Promise<unknown>): Promise<void> => {
    await act();
    await expect(snackbar(page)).toHaveText(REFUSED);
    await snackbar(page).evaluate((element) => void (element.id = 'seen')); // the next one is another element
  };
  await refused(() => frame.locator('#own').click({ button: 'middle' }));
  await refused(() => frame.locator('#own').click({ modifiers: ['Control'] }));
  await refused(() => frame.locator('#own').click({ modifiers: ['Shift'] }));
  await refused(() => frame.locator('#blank').click());
  await refused(() => frame.locator('#open').click());
  await menuOf(page, frame.locator('#next'));
  for (const name of ['Open link in new tab', 'Open link in new window'])
    await expect(item(page, name)).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  // Any other click is the page's, as everywhere.
  await frame.locator('#next').click();
  await expect(frame.locator('h1')).toHaveText('next');
  expect(page.context().pages()).toHaveLength(1);
  expect(site.requests.filter((line) => line.includes('?'))).toEqual(['GET /next?next']);
});
