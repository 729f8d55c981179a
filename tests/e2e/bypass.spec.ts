import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { OFFER_MS } from '../../plugins/tab-menu/client/gather.ts';
import { loaded } from './support/loaded.ts';
import { neverFires } from './support/never-fires.ts';
import { expect, shown, test } from './support/vitrine.ts';

/** Leaving isolation for a site, where the policy offers it, and what plugins hear of the policy. */

/** A plugin from outside, which asks for the policy of the page by an entry of the tab menu, and writes it into the shell. */
function writePlugin(folder: string): string {
  const plugin = path.join(folder, 'asking');
  mkdirSync(path.join(plugin, 'client'), { recursive: true });
  writeFileSync(
    path.join(plugin, 'manifest.ts'),
    `export const manifest = { id: 'asking', version: '1.0.0', api: 1, description: 'Asks for the policy',
       activation: 'first-use', hooks: ['tabActions'] };`,
  );
  writeFileSync(
    path.join(plugin, 'client/index.ts'),
    `import { hooksToken, policyToken } from 'vitrine/core';
     export const activate = ({ hooks, services }) => {
       hooks.tap(services.get(hooksToken).tabActions, ({ offer }) => offer([{
         id: 'asking.ask', label: 'Ask', group: 'tab', act: async () => {
           const keys = ['enable_bypass', 'tab_menu_button', 'no_such_key'];
           const values = await services.get(policyToken).query(keys);
           document.documentElement.dataset.policy = JSON.stringify(values);
         },
       }]));
     };`,
  );
  return plugin;
}

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    const sites = [{ match: '*/offered', policy: { feedback: { enable_bypass: true } } }];
    writeFileSync(policy, JSON.stringify({ tenants: { default: { sites } } }));
    await use(['--policy', policy, '--plugins', writePlugin(folder)]);
  },
});

// The menu goes on without no entry whose code comes late.
test.beforeEach(({ page }) => neverFires(page, [OFFER_MS]));

const LABEL = 'Open without isolation';

async function openMenu(page: Page): Promise<Locator> {
  await loaded(page, 'tab-menu');
  await page.keyboard.press('Control+Shift+F10');
  const menu = page.frameLocator('#vitrine-page-frame').getByRole('menu', { name: 'Tab menu' });
  await expect(menu.getByRole('menuitem', { name: 'What protects this tab' })).toBeVisible();
  return menu;
}

test('[M-027] [S-099] [S-112] the person opens a site without isolation where the policy offers it, for 20 minutes', async ({
  page,
  site,
  open,
  vitrine,
}) => {
  site.on('/offered', '<!doctype html><title>Offered</title><h1>Offered</h1><a href="/other">Other</a>');
  site.on('/other', '<!doctype html><title>Other</title><h1>Other</h1>');
  const frame = await open('/offered');
  const entry = (await openMenu(page)).getByRole('menuitem', { name: LABEL });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url());
    if (host === new URL(vitrine).host && pathname.startsWith('/r/')) asked.push(pathname);
  });
  const action = page.waitForRequest('**/r/policy/bypass?*');
  await entry.click();
  expect((await action).postDataJSON()).toMatchObject({ url: `${site.origin}/offered`, host: new URL(vitrine).host });
  await page.waitForURL(`${site.origin}/offered`); // the site itself
  await expect(page.getByRole('heading')).toHaveText('Offered');
  expect(asked).toContain('/r/repair');
  expect(asked).not.toContain('/r/pair');
  const [cookie] = (await page.context().cookies(vitrine)).filter(({ name }) => name === '_sc_bypass');
  expect(decodeURIComponent(cookie?.value ?? '')).toMatch(/^\d+\.[\w-]{43} 127\.0\.0\.1$/);
  expect(cookie).toMatchObject({ sameSite: 'Strict', path: '/' });
  const left = (cookie?.expires ?? 0) - Date.now() / 1000;
  expect(left).toBeLessThanOrEqual(1200);
  expect(left).toBeGreaterThan(1000);

  // Its address leads there again, and that of a page which the policy does not offer to a page in isolation.
  await page.goto(`${vitrine}/${site.origin}/offered`);
  await page.waitForURL(`${site.origin}/offered`);
  await page.goto(`${vitrine}/${site.origin}/other`);
  await shown(page);
  await expect(frame.getByRole('heading')).toHaveText('Other');
  await expect((await openMenu(page)).getByRole('menuitem', { name: LABEL })).toHaveCount(0);
});

test('[S-110] [S-111] a plugin asks for values of the policy on the page, and gets none where the host does not answer', async ({
  page,
  site,
  open,
}) => {
  for (const address of ['/offered', '/other']) site.on(address, '<!doctype html><title>Page</title>');
  const ask = async (): Promise<void> => (await openMenu(page)).getByRole('menuitem', { name: 'Ask' }).click();
  const values = page.locator('html');
  await open('/offered');
  const query = page.waitForRequest('**/r/policy/query');
  await ask();
  const body = { url: `${site.origin}/offered`, policy_keys: ['enable_bypass', 'tab_menu_button', 'no_such_key'] };
  expect((await query).postDataJSON()).toMatchObject({ ...body, transparent_mode: false });
  await expect(values).toHaveAttribute('data-policy', '{"enable_bypass":true,"tab_menu_button":false}');
  await open('/other');
  await ask();
  await expect(values).toHaveAttribute('data-policy', '{"enable_bypass":false,"tab_menu_button":false}');

  await page.route('**/r/policy/query', (route) => route.abort());
  const reported = page.waitForRequest((request) => (request.postData() ?? '').includes('tc-policy-query-failed'));
  await ask();
  await expect(values).toHaveAttribute('data-policy', '{}');
  await reported;
});
