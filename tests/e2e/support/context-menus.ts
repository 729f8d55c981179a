import type { Locator, Page } from 'playwright/test';
import { loaded } from './loaded.ts';
import type { Site } from './site.ts';
import { expect } from './vitrine.ts';

/** The pages of the tests of context menus, and what they do with menus. */

/** Policies of the addresses of the pages. */
export const SITES = [
  { match: '*/backend', policy: { session: { input_context_menu: 'backend' } } },
  { match: '*/off', policy: { session: { disable_all_context_menus: true } } },
  {
    match: '*/no-copy',
    policy: { session: { input_context_menu: 'backend' }, copy_paste: { disable_copy: true, restrict_paste: true } },
  },
];

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const DATA = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP8AACwAAAAAAQABAAACAkQBADs=';
const PICTURE = 'style="width:60px;height:40px;display:block"';
export const PAGE = `<!doctype html><title>Menus</title><link rel=icon href="data:,">
  <p id=text>Some words to select</p>
  <p><a id=link href="/next?a=1">A link</a> <a id=script href="javascript:void 0">Script</a> <a id=mail href="mailto:anna@example.com">Mail</a></p>
  <img id=picture src="/picture.png" ${PICTURE}>
  <img id=inline src="${DATA}" ${PICTURE}>
  <a href="/next"><img id=both src="/picture.png" ${PICTURE}></a>
  <textarea id=field>words</textarea> <input id=secret type=password value=hidden> <input id=fixed readonly value=fixed> <span id=rich contenteditable>rich</span>
  <div id=plain style="width:60px;height:40px"></div><div id=own style="width:60px;height:40px;background:#ccc"></div>
  <div id=host></div>
  <button id=press onclick="said.textContent += 'pressed '">Press</button><output id=said></output>
  <script>
    own.addEventListener('contextmenu', (event) => { event.preventDefault(); said.textContent += 'own '; });
    host.attachShadow({ mode: 'closed' }).innerHTML = '<a href="/inner" id=inner>Inner</a>';
    new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });
  </script>`;

export const FIELD = ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select all'];
export const LINK = ['Open link in new tab', 'Open link in new window', 'Copy link address'];
export const IMAGE = ['Open picture in new window', 'Copy picture address', 'Save picture'];
export const DEFAULT = ['Back', 'Forward', 'Reload', 'Select all'];

export const menu = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('menu');
export const item = (page: Page, name: string): Locator => menu(page).getByRole('menuitem', { name, exact: true });

/** Opens the menu of an element, by one press; the labels of its items. */
export async function menuOf(page: Page, element: Locator): Promise<string[]> {
  await loaded(page, 'context-menu');
  await element.click({ button: 'right' });
  await expect(menu(page)).toBeVisible();
  return menu(page).locator('.vitrine-menu-label').allInnerTexts();
}

export async function disabledOf(page: Page): Promise<string[]> {
  return menu(page).locator('[aria-disabled="true"] .vitrine-menu-label').allInnerTexts();
}

export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
}

/** Whether the browser would show its own menu for the next press. */
export async function isNative(page: Page, act: () => Promise<unknown>): Promise<boolean> {
  await loaded(page, 'context-menu');
  const heard = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentWindow;
        shown?.addEventListener('contextmenu', (event) => resolve(!event.defaultPrevented), { once: true });
      }),
  );
  await act();
  return heard;
}

/** Serves the pages. */
export function serveMenus(site: Site): void {
  for (const address of ['/menus', '/backend', '/off', '/no-copy']) site.on(address, PAGE);
  for (const address of ['/next', '/inner']) site.on(address, '<!doctype html><title>Next</title><h1>next page</h1>');
  site.on('/picture.png', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
}
