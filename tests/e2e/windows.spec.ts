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

test('[M-083] [M-082] [M-050] [M-065] [M-024] windows of a page reach each other, and their ends reach the person and the page', async ({
  page,
  site,
  open,
}) => {
  test.setTimeout(120_000);
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
const WANTED = `<!doctype html><title>Wanted</title><h1>wanted</h1><script>opener?.postMessage('from the window', '*')</script>`;

test('[R-006] [M-048] [M-049] [M-023] [M-083] without an act of the person, windows are asked for one at a time, and denied paths are not asked for again', async ({
  page,
  site,
  open,
}) => {
  test.setTimeout(90_000);
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
  expect(await tab.evaluate(() => window.innerWidth)).toBe(400);
  await tab.close();
  await expect(dialog).toHaveCount(0);
  expect(site.requests.filter((line) => line.includes('asked'))).toEqual([]);
  expect(site.requests.filter((line) => line.includes('wanted'))).toEqual(['GET /wanted?1']);
});

test('[S-052] a tab that is duplicated has a session of its own, and the first one keeps its own', async ({
  page,
  site,
  open,
}) => {
  let served = 0;
  site.on('/counted', (_request, response) => {
    served += 1;
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(`<h1>${served}</h1>`);
  });
  const frame = await open('/counted');
  await expect(frame.locator('h1')).toHaveText('1');
  // As in a browser: a window with the name and the session storage of the other.
  const [double] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => {
      const { name, location } = window;
      window.name = '';
      const twin = window.open(location.href, name, 'popup');
      window.name = name;
      if (twin) twin.opener = null;
    }),
  ]);
  await shown(double);
  const own = await view(double).locator('h1').innerText();
  expect(own).not.toBe('1');
  const names = await Promise.all([page, double].map((tab) => tab.evaluate(() => window.name)));
  expect(new Set(names).size).toBe(2);
  await page.reload();
  await shown(page);
  await expect(frame.locator('h1')).toHaveText('1');
  await double.reload();
  await shown(double);
  await expect(view(double).locator('h1')).toHaveText(own);
});
