import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';

let policyFile: string;

/** A version of a plugin that shows its version in a panel. */
function plugin(folder: string, version: string, more: string): string {
  const own = path.join(folder, version);
  mkdirSync(path.join(own, 'client'), { recursive: true });
  writeFileSync(
    path.join(own, 'manifest.ts'),
    `export const manifest = { id: 'note', version: '${version}', api: 1, description: 'Tells its version', activation: 'boot',
      capability: 'note', slots: ['overlay.panel'], ${more} };`,
  );
  writeFileSync(
    path.join(own, 'client/index.ts'),
    `import { createElement } from 'react';
     import { SLOTS } from 'vitrine/core';
     export const activate = ({ plugin, slots }) => {
       const text = 'This is ' + plugin.version + ' as ' + plugin.variant;
       const Note = () => createElement('section', { 'aria-label': 'Note' }, text);
       slots.fill(SLOTS.panel, { load: async () => ({ default: Note }) }, {});
     };`,
  );
  return own;
}

/** Another, whose page half marks pressed elements. */
function marker(folder: string): string {
  const own = path.join(folder, 'marker');
  mkdirSync(path.join(own, 'page'), { recursive: true });
  writeFileSync(
    path.join(own, 'manifest.ts'),
    `export const manifest = { id: 'marker', version: '1.0.0', api: 1, description: 'Marks', activation: 'boot', capability: 'marker' };`,
  );
  writeFileSync(
    path.join(own, 'page/index.ts'),
    `export const activate = ({ kernel }) => {
       kernel.listen('click', ({ target }) => target.setAttribute('title', 'marked'));
     };`,
  );
  return own;
}

/** The default tenant's policy, and the value of the flag \`note\`. */
function decide(policy: object, variant: 'on' | 'next' | undefined): void {
  const flag = { state: 'ENABLED', variants: { on: true, next: 'next' }, defaultVariant: variant };
  writeFileSync(
    policyFile,
    JSON.stringify({ tenants: { default: { policy } }, ...(variant && { flags: { note: flag } }) }),
  );
}

test.use({
  hostOptions: async ({ folder }, use) => {
    policyFile = path.join(folder, 'vitrine.policy.yaml');
    decide({}, 'on');
    const plugins = [plugin(folder, '1.0.0', ''), plugin(folder, '2.0.0', "variants: ['next']"), marker(folder)];
    await use(['--policy', policyFile, ...plugins.flatMap((each) => ['--plugins', each])]);
  },
});
test.describe.configure({ mode: 'serial' });

/** A part of a policy by which a tab shows that it has been read; capabilities that are new wait for the next pairing. */
const SHOWS = { session: { tab_menu_button: true } };
const isRead = (page: Page): Promise<void> => expect(page.getByRole('button', { name: 'Tab menu' })).toBeVisible();

const note = (page: Page) => page.locator('#vitrine-overlay').getByRole('region', { name: 'Note' });
const PAGE = `<!doctype html><title>Page</title><button onclick="this.textContent = 'pressed'">press</button>`;
/** It removes the mark of the previous press. */
const MARKED = PAGE.replace(
  '<button',
  `<i onclick="this.textContent = (parseInt(this.textContent) + 1) + ' later'">0 later</i><button onmousedown="this.removeAttribute('title')"`,
);

test('a flag decides the version of a person’s plugin, and its use is reported as an exposure', async ({
  page,
  site,
  open,
}) => {
  decide({}, 'on');
  site.on('/page', PAGE);
  const events: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/clientevent')) events.push(request.postData() ?? '');
  });
  await open('/page');
  await expect(note(page)).toHaveText('This is 1.0.0 as default');
  await expect.poll(() => events.join('\n')).toContain('"tc-exposure"');
  const exposures = events
    .flatMap((body) => (JSON.parse(body) as { items: Record<string, unknown>[] }).items)
    .filter(({ event }) => event === 'tc-exposure');
  expect(exposures.map(({ data }) => data)).toEqual([
    { flag: 'note', plugin: 'note', version: '1.0.0', variant: 'default' },
  ]);
});

test('a capability granted by a hot reload waits for the next pairing', async ({
  page,
  site,
  open,
  vitrine,
  context,
}) => {
  site.on('/page', PAGE);
  decide({}, 'on');
  await open('/page');
  await expect(note(page)).toHaveText('This is 1.0.0 as default');
  decide(SHOWS, 'next');
  await isRead(page);
  const next = await context.newPage();
  await next.goto(`${vitrine}/${site.origin}/page`);
  await shown(next);
  await expect(note(next)).toHaveText('This is 2.0.0 as next');
  await next.close();
  await expect(note(page)).toHaveText('This is 1.0.0 as default');
});

test('[S-002] withdrawing a capability during a session removes its plugin without a reload', async ({
  page,
  site,
  open,
}) => {
  site.on('/page', PAGE);
  decide({}, undefined);
  const frame = await open('/page');
  await expect(note(page)).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  decide({ capabilities: { note: false } }, undefined);
  await expect(note(page)).toBeHidden();
  expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
  await frame.getByRole('button').click();
  await expect(view(page).getByRole('button')).toHaveText('pressed');
});

test('[S-002] the page half of a withdrawn plugin ends, and that of an absent one does not start', async ({
  page,
  site,
  open,
}) => {
  site.on('/page', MARKED);
  decide({ ...SHOWS, capabilities: { note: true } }, undefined);
  await open('/page');
  await isRead(page);
  await page.evaluate(() => sessionStorage.clear()); // for another pairing
  await open('/page');
  await expect(note(page)).toBeVisible();
  const button = view(page).getByRole('button');
  await button.click();
  await expect(button).toHaveAttribute('title', 'marked');
  decide({ capabilities: { note: false, marker: false } }, undefined);
  await expect(note(page)).toBeHidden();

  // Once the page has heard of something later, it has heard of that, too.
  await view(page).locator('i').click();
  await expect(view(page).locator('i')).toHaveText('1 later');
  await button.click(); // the press removes the mark; a running half would set it again, before the page hears of the next
  await view(page).locator('i').click();
  await expect(view(page).locator('i')).toHaveText('2 later');
  await expect(button).not.toHaveAttribute('title');
  // In the next document of the tab, and in a tab that has never had it.
  site.on('/other', MARKED);
  for (const leave of [() => page.reload(), () => open('/other')]) {
    await leave();
    await shown(page);
    const next = view(page).getByRole('button');
    await expect(next).toHaveText('press'); // it is the new one
    await next.click();
    await expect(next).toHaveText('pressed');
    await expect(next).not.toHaveAttribute('title');
  }
});
