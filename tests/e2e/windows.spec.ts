import type { Page } from 'playwright/test';
import { answerable, expect, shown, test, view } from './support/vitrine.ts';

/** Windows of pages in the person's browser: how they reach each other, and what the person is asked. */

const BUTTON = (id: string, script: string): string => `<button id=${id} onclick="${script}">${id}</button>`;
const OPENER = `<!doctype html><title>Opener</title><link rel=icon href="data:,">
  ${BUTTON('open', `w = window.open('/child', 'kept', 'width=420,height=310,left=30,top=40,unknown=1')`)}
  ${BUTTON('again', `w = window.open('/child?again', 'kept')`)}
  ${BUTTON('tell', `w.postMessage('hello', '*')`)}
  ${BUTTON('lead', `w.location = '/other'`)}
  ${BUTTON('close', `w.close()`)}
  ${BUTTON('short', `window.open('/short')`)}
  ${BUTTON('many', `n = 0; for (let i = 0; i < 100; i++) n += window.open('/child?' + i) ? 1 : 0; said.textContent = 'opened ' + n`)}
  ${BUTTON('own', `window.open('/child', '_blank', 'noopener')`)}
  <p id=said></p><p id=state></p><script>
    let w; addEventListener('message', ({ data }) => (said.textContent = data));
    setInterval(() => (state.textContent = !w ? 'none' : w.closed ? 'closed' : 'open'), 50);
  </script>`;
const CHILD = `<!doctype html><title>Child</title><link rel=icon href="data:,"><h1></h1>
  ${BUTTON('self', 'window.close()')}<script>
    document.querySelector('h1').textContent = location.search + ' ' + (opener ? 'has an opener' : 'is alone');
    addEventListener('message', ({ data, source }) => source.postMessage('heard ' + data, '*'));
  </script>`;

const opened = async (page: Page, act: () => Promise<unknown>): Promise<Page> => {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), act()]);
  await shown(tab);
  return tab;
};

test.beforeEach(({ site }) => {
  site.on('/opener', OPENER);
  site.on('/child', CHILD);
  site.on('/other', '<!doctype html><title>Other</title><h1>other page</h1>');
  site.on('/short', '<!doctype html><title>Short</title><script>close()</script>');
});

test('[M-083] [M-082] [M-050] [M-024] windows of a page reach each other', async ({ page, site, open }) => {
  const frame = await open('/opener');
  const child = await opened(page, () => frame.locator('#open').click());
  await expect(view(child).locator('h1')).toHaveText('has an opener');
  await expect(frame.locator('#state')).toHaveText('open');
  await expect.poll(() => child.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([420, 310]);
  await expect(child.evaluate(() => window.menubar.visible)).resolves.toBe(false);

  await frame.locator('#tell').click();
  await expect(frame.locator('#said')).toHaveText('heard hello');
  await frame.locator('#again').click(); // its name finds it again
  await expect(view(child).locator('h1')).toHaveText('?again has an opener');
  await frame.locator('#lead').click();
  await expect(view(child).locator('h1')).toHaveText('other page');
  expect(page.context().pages()).toHaveLength(2);
  const pages = site.requests.filter((line) => !line.endsWith('/favicon.ico'));
  expect(pages).toEqual(['GET /opener', 'GET /child', 'GET /child?again', 'GET /other']);

  // The person closes it: the page sees that.
  await child.close();
  await expect(frame.locator('#state')).toHaveText('closed');
});

test('[M-083] [M-082] [M-065] the ends of windows reach the person and the page', async ({ page, open }) => {
  const frame = await open('/opener');
  // The page closes it: the person's tab is closed.
  const second = await opened(page, () => frame.locator('#open').click());
  await Promise.all([second.waitForEvent('close'), frame.locator('#close').click()]);
  await expect(frame.locator('#state')).toHaveText('closed');
  // It closes itself.
  const third = await opened(page, () => frame.locator('#open').click());
  await Promise.all([third.waitForEvent('close'), view(third).locator('#self').click()]);
  await expect(frame.locator('#state')).toHaveText('closed');
  // One that is gone at once, or on its own.
  const [short] = await Promise.all([page.context().waitForEvent('page'), frame.locator('#short').click()]);
  if (!short.isClosed()) await short.waitForEvent('close');
  const own = await opened(page, () => frame.locator('#own').click());
  await expect(view(own).locator('h1')).toHaveText('is alone');
  expect(await own.evaluate(() => window.opener)).toBeNull();
  await Promise.all([own.waitForEvent('close'), view(own).locator('#self').click()]);

  // A flood opens what one click may.
  const one = await opened(page, () => frame.locator('#many').click());
  await expect(frame.locator('#said')).toHaveText('opened 1');
  await one.close();
});

const ASKS = `<!doctype html><title>Asks</title><link rel=icon href="data:,"><p id=said>-</p><p id=null></p><script>
  addEventListener('message', ({ data }) => (said.textContent = data));
  const ask = (to) => (document.getElementById('null').textContent += String(window.open(to, '_blank', 'width=400,height=300')));
  addEventListener('hashchange', () => ask('/asked?' + location.hash.slice(1)));
  onload = () => { ask('/asked?1'); ask('/wanted?1'); ask('/asked?2'); ask('javascript:alert(1)'); };
</script>`;
const WANTED = `<!doctype html><title>Wanted</title><link rel=icon href="data:,"><h1>wanted</h1><script>opener?.postMessage('from the window', '*')</script>`;

test('[R-006] [M-048] [M-049] [M-023] [M-083] without an act of the person, windows are asked for one at a time, and denied paths are not asked for again', async ({
  page,
  site,
  open,
}) => {
  site.on('/asks', ASKS);
  site.on('/asked', WANTED);
  site.on('/wanted', WANTED);
  const frame = await open('/asks');
  await expect(frame.locator('#null')).toHaveText('nullnullnullnull'); // as a browser's own blocker
  const dialog = page.frameLocator('#vitrine-page-frame').locator('.vitrine-dialog');
  await expect(dialog.locator('h2')).toHaveText(`127.0.0.1:${site.port} wants to open a window`);
  await expect(dialog).toHaveCount(1);
  await answerable(page);
  await dialog.getByRole('button', { name: 'Block' }).click();
  // The next one; the denied path with another query is not among them.
  await answerable(page);
  await expect(dialog).toHaveCount(1);
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('button', { name: 'Allow' }).click(),
  ]);
  await shown(tab);
  await expect(view(tab).locator('h1')).toHaveText('wanted');
  await expect(frame.locator('#said')).toHaveText('from the window');
  await expect.poll(() => tab.evaluate(() => window.innerWidth)).toBe(400);
  await tab.close();
  await expect(dialog).toHaveCount(0);
  expect(site.requests.filter((line) => line.includes('asked'))).toEqual([]);
  expect(site.requests.filter((line) => line.includes('wanted'))).toEqual(['GET /wanted?1']);
});

test('[S-052] a tab that is duplicated has a session of its own and requests its page once; the first one keeps its own', async ({
  page,
  site,
  open,
}) => {
  let served = 0;
  // Each tab of the surrogate keeps which request it began with.
  site.on('/counted', (_request, response) => {
    served += 1;
    const script = `h1.textContent = (sessionStorage.first ??= '${served}') + ' ${served}'`;
    response
      .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
      .end(`<!doctype html><link rel=icon href="data:,"><h1 id=h1></h1><script>${script}</script>`);
  });
  const frame = await open('/counted');
  await expect(frame.locator('h1')).toHaveText('1 1');
  // As a browser does it: a window with the name and the session storage of the other.
  const double = await opened(page, () =>
    page.evaluate(() => {
      const { name, location } = window;
      window.name = '';
      const twin = window.open(location.href, name, 'popup');
      window.name = name;
      if (twin) twin.opener = null;
    }),
  );
  await expect(view(double).locator('h1')).toHaveText('2 2');
  const names = await Promise.all([page, double].map((tab) => tab.evaluate(() => window.name)));
  expect(new Set(names).size).toBe(2);
  // A reload is the page's own, in the same tab of the surrogate.
  await page.reload();
  await expect(frame.locator('h1')).toHaveText('1 3');
  await double.reload();
  await expect(view(double).locator('h1')).toHaveText('2 4');
  expect(site.requests).toEqual(Array.from({ length: 4 }, () => 'GET /counted'));
});

const TYPES = (title: string): string => `<!doctype html><title>${title}</title><link rel=icon href="data:,">
  <textarea></textarea><output></output>${BUTTON('open', `window.open('/types-too', '_blank', 'width=500,height=300')`)}<script>
    const field = document.querySelector('textarea');
    const say = (text) => (document.querySelector('output').textContent += text + ' ');
    addEventListener('keydown', ({ key, isTrusted }) => key.startsWith('F') && say(key + isTrusted));
    addEventListener('paste', ({ isTrusted }) => say('paste' + isTrusted));
  </script>`;

test('[M-083] keys and the clipboard work in a window of a page, and in the page that has opened it', async ({
  page,
  site,
  open,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  site.on('/types', TYPES('First'));
  site.on('/types-too', TYPES('Second'));
  const frame = await open('/types');
  await frame.locator('textarea').click();
  await page.keyboard.type('before');
  await expect(frame.locator('textarea')).toHaveValue('before');
  const child = await opened(page, () => frame.locator('#open').click());
  const inner = view(child);
  // In the window: keys, and a copy of what was typed.
  await inner.locator('textarea').click();
  await child.keyboard.type('in the window');
  await expect(inner.locator('textarea')).toHaveValue('in the window');
  await child.keyboard.press('F2');
  await expect(inner.locator('output')).toHaveText('F2true ');
  await child.keyboard.press('Control+a');
  await child.keyboard.press('Control+c');
  await expect.poll(() => child.evaluate(() => navigator.clipboard.readText())).toBe('in the window');
  // In its opener, while it is open: keys, a paste of that, and a copy for the window.
  await page.bringToFront();
  await frame.locator('textarea').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' and ');
  await page.keyboard.press('Control+v');
  await expect(frame.locator('textarea')).toHaveValue('before and in the window');
  await page.keyboard.press('F4');
  await expect(frame.locator('output')).toHaveText('pastetrue F4true ');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+x');
  await expect(frame.locator('textarea')).toHaveValue('');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('before and in the window');
  await child.bringToFront();
  await inner.locator('textarea').click();
  await child.keyboard.press('Control+a');
  await child.keyboard.press('Control+v');
  await expect(inner.locator('textarea')).toHaveValue('before and in the window');
  // And once it is gone.
  await child.close();
  await page.bringToFront();
  await frame.locator('textarea').click();
  await page.keyboard.press('Control+v');
  await page.keyboard.type('!');
  await expect(frame.locator('textarea')).toHaveValue('before and in the window!');
});
