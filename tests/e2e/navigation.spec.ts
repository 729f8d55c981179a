import { loaded } from './support/loaded.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const PAGE_A = '<!doctype html><title>First</title><h1>First page</h1><a id="next" href="/b?x=1#part">Next</a>';
const PAGE_B = '<!doctype html><title>Second</title><h1>Second page</h1><a id="back" href="/a">Back</a>';

test.beforeEach(({ site }) => {
  site.on('/a', PAGE_A);
  site.on('/b', PAGE_B);
});

test('opens an address typed into the portal, with the keyboard alone', async ({ page, site, vitrine }) => {
  await page.goto(vitrine);
  await expect(page.getByLabel('Web address')).toBeFocused();
  await page.keyboard.type(`127.0.0.1:${site.port}/a`);
  await page.keyboard.press('Enter');
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('First page');
  expect(page.url()).toBe(`${vitrine}/${site.origin}/a`);
});

test('explains an invalid address, and keeps it for correction', async ({ page, vitrine }) => {
  await page.goto(vitrine);
  await page.getByLabel('Web address').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('alert')).toContainText('is not a web address');
  await expect(page.getByLabel('Web address')).toHaveValue('javascript:alert(1)');
});

test('[S-006] [M-084] [M-089] [M-095] follows links; address, title and history follow the page', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  const frame = await open('/a');
  await expect(page).toHaveTitle('First');
  await frame.locator('#next').click();
  await expect(frame.locator('h1')).toHaveText('Second page');
  await expect(page).toHaveTitle('Second');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/b?x=1#part`);

  await page.goBack();
  await expect(frame.locator('h1')).toHaveText('First page');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/a`);
  await page.goForward();
  await expect(frame.locator('h1')).toHaveText('Second page');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/b?x=1#part`);
});

test('follows pushState, replaceState and history calls of the page', async ({ page, site, vitrine, open }) => {
  site.on(
    '/app',
    `<!doctype html><title>App</title><output id=at></output>
    <button id=push onclick="history.pushState({n:1},'','/app/one');show()">push</button>
    <button id=replace onclick="history.replaceState({n:2},'','/app/two');show()">replace</button>
    <button id=back onclick="history.back()">back</button>
    <script>function show(){at.textContent=location.pathname} onpopstate=show; show()</script>`,
  );
  const frame = await open('/app');
  await frame.locator('#push').click();
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/app/one`);
  await frame.locator('#replace').click();
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/app/two`);
  await page.goBack();
  await expect(frame.locator('#at')).toHaveText('/app');
  await page.goForward();
  await expect(frame.locator('#at')).toHaveText('/app/two');
  await frame.locator('#back').click();
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/app`);
  await expect(frame.locator('#at')).toHaveText('/app');
});

test('submits forms, by button and by Enter', async ({ page, site, vitrine, open }) => {
  site.on('/form', '<!doctype html><form action="/found"><input name="q" autofocus><button>Go</button></form>');
  site.on('/found', (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><p id=q></p><script>q.textContent=location.search</script>`);
  });
  const frame = await open('/form');
  await frame.locator('input').click();
  await page.keyboard.type('two words');
  await expect(frame.locator('input')).toHaveValue('two words');
  await page.keyboard.press('Enter');
  await expect(frame.locator('#q')).toHaveText('?q=two+words');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/found?q=two+words`);
});

test('follows redirects to their end', async ({ page, site, vitrine, open }) => {
  site.on('/old', (_request, response) => response.writeHead(302, { location: '/b' }).end());
  const frame = await open('/old');
  await expect(frame.locator('h1')).toHaveText('Second page');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/b`);
});

test('[S-004] keeps surrogate and session when the shell is reloaded', async ({ page, site, open }) => {
  site.on(
    '/loads',
    '<!doctype html><p></p><script>document.querySelector("p").textContent = sessionStorage.n = 1 + +(sessionStorage.n ?? 0)</script>',
  );
  const frame = await open('/loads');
  await expect(frame.locator('p')).toHaveText('1');
  await page.reload();
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('2');
});

test('[M-084] opens an address typed into the address bar of a tab with a page', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  await open('/a');
  await page.goto(`${vitrine}/${site.origin}/b`);
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Second page');
});

test('[M-084] reloads the page with the browser’s own reload', async ({ page, site, open }) => {
  let served = 0;
  site.on('/served', (_request, response) => {
    served += 1;
    response
      .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
      .end(`<!doctype html><p>${served}</p>`);
  });
  const frame = await open('/served');
  await expect(frame.locator('p')).toHaveText('1');
  await page.reload();
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('2');
});

test('requests the page once when a reload cannot keep the session', async ({ page, site, open }) => {
  let served = 0;
  site.on('/once', (_request, response) => {
    served += 1;
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(`<p>${served}</p>`);
  });
  await open('/once');
  const other = await page.context().newPage();
  await other.goto(new URL('/', page.url()).href);
  const lock = await page.evaluate(() => window.name.replace('sv_tab_id:', 'sv_tab:'));
  const stolen = other.evaluate(
    (name) =>
      new Promise<void>((done) => {
        void navigator.locks.request(name, { steal: true }, () => {
          done();
          return new Promise(() => undefined);
        });
      }),
    lock,
  );
  await stolen;
  await page.reload();
  await shown(page);
  await expect(view(page).locator('p')).toHaveText('2');
  // A second request would be sent at once, and so before those for another page.
  await expect((await open('/a')).locator('h1')).toHaveText('First page');
  expect(served).toBe(2);
});

test('opens a link in an isolated tab of its own with the middle button', async ({ page, site, vitrine, open }) => {
  const frame = await open('/a');
  await loaded(page, 'popups'); // it loads when the page is idle
  const [tab] = await Promise.all([page.waitForEvent('popup'), frame.locator('#next').click({ button: 'middle' })]);
  await shown(tab);
  await expect(view(tab).locator('h1')).toHaveText('Second page');
  await expect(tab).toHaveURL(`${vitrine}/${site.origin}/b?x=1#part`);
  await expect(frame.locator('h1')).toHaveText('First page');
  expect(await tab.evaluate(() => window.opener)).toBeNull();
});
