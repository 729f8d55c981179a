import { look } from './support/painted.ts';
import { expect, test } from './support/vitrine.ts';

const CASES = [
  { name: 'a private address', path: 'http://10.0.0.1/', says: 'This address is not available' },
  { name: 'a loopback address by name', path: 'http://localhost:3999/', says: 'This address is not available' },
  {
    name: 'a loopback address in disguise',
    path: 'http://[::ffff:127.0.0.1]:3999/',
    says: 'This address is not available',
  },
  { name: 'the metadata address', path: 'http://169.254.169.254/latest/', says: 'This address is not available' },
  { name: 'a name that does not resolve', path: 'http://no-such-name.invalid/', says: 'This site cannot be found' },
] as const;

for (const { name, path, says } of CASES) {
  test(`explains ${name}, and offers a way on`, async ({ page, vitrine }) => {
    await page.goto(`${vitrine}/${path}`);
    const failure = page.getByRole('alert');
    await expect(failure).toContainText(says);
    await expect(failure.getByRole('link', { name: 'Open another page' })).toBeVisible();
    await expect
      .poll(() => page.evaluate(look))
      .toMatchObject({ state: 'ready', error: expect.stringContaining(says) });
  });
}

for (const { locale, dir, says, more } of [
  { locale: 'de-AT', dir: 'ltr', says: 'Diese Website wurde nicht gefunden', more: 'Eine andere Seite öffnen' },
  { locale: 'ar', dir: 'rtl', says: 'تعذر العثور على هذا الموقع', more: 'فتح صفحة أخرى' },
])
  test.describe(locale, () => {
    test.use({ locale });

    test(`explains a failure in the language of the person, ${locale}`, async ({ page, vitrine }) => {
      await page.goto(`${vitrine}/http://no-such-name.invalid/`);
      const failure = page.getByRole('alert');
      await expect(failure.getByRole('heading')).toHaveText(says);
      await expect(failure.getByRole('link', { name: more })).toBeVisible();
      await expect(failure.locator('b')).toHaveText('no-such-name.invalid');
      expect(await failure.evaluate((element) => getComputedStyle(element).direction)).toBe(dir);
      const language = await failure.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'));
      expect(language).toBe(locale.slice(0, 2));
    });
  });

test('[L6] does not open the service in itself, and says so', async ({ page, vitrine }) => {
  await page.goto(`${vitrine}/${vitrine}/`);
  await expect(page.getByRole('alert')).toContainText('This is the isolation service itself');
});

test('explains a server that closes the connection, and retries on request', async ({ page, site, vitrine }) => {
  let isBroken = true;
  site.on('/shaky', (request, response) => {
    if (isBroken) request.socket.destroy();
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><h1 style="height: 300px">Here after all</h1>');
  });
  await page.goto(`${vitrine}/${site.origin}/shaky`);
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('127.0.0.1');
  isBroken = false;
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.frameLocator('iframe[data-vitrine-frame="main"]').locator('h1')).toHaveText('Here after all');
  await expect(failure).toBeHidden();
  await expect.poll(() => page.evaluate(look)).toMatchObject({ state: 'ready', page: 'Here after all' });
});

test('refuses a redirect to a private address', async ({ page, site, vitrine }) => {
  site.on('/leak', (_request, response) => response.writeHead(302, { location: 'http://192.168.0.1/router' }).end());
  await page.goto(`${vitrine}/${site.origin}/leak`);
  await expect(page.getByRole('alert')).toContainText('This address is not available');
});

test('answers an invalid address with the portal and a reason', async ({ page, vitrine }) => {
  const answer = await page.goto(`${vitrine}/http://[::/`);
  expect(answer?.status()).toBe(400);
  await expect(page.getByRole('alert')).toContainText('is not a web address');
});

test('shows the loaded part of a page that never finishes', async ({ page, site, vitrine }) => {
  site.on('/endless', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<!doctype html><h1>So far</h1>' + ' '.repeat(2000));
  });
  await page.goto(`${vitrine}/${site.origin}/endless`);
  await expect(page.frameLocator('iframe[data-vitrine-frame="main"]').locator('h1')).toHaveText('So far');
});

test('a frame that fails to load shows Chromium’s error page, until another page is loaded', async ({ site, open }) => {
  site.on('/inner', '<!doctype html><p>inner</p>');
  site.on(
    '/outer',
    `<!doctype html><iframe src="https://127.0.0.1:1/"></iframe><iframe sandbox src="https://nobody.invalid/"></iframe>
    <button onclick="document.querySelector('iframe').src = '/inner'">next</button>
    <button onclick="document.querySelector('iframe').src = 'https://127.0.0.1:1/again'">back</button>`,
  );
  const frame = await open('/outer');
  const error = frame.locator('iframe').first().contentFrame().locator('#sub-frame-error');
  await expect(error).toBeVisible();
  await expect(frame.locator('iframe').last().contentFrame().locator('#sub-frame-error')).toBeVisible();
  for (const round of ['first', 'second']) {
    await frame.locator('button').first().click();
    await expect(frame.locator('iframe').first().contentFrame().locator('p'), round).toHaveText('inner');
    await frame.locator('button').last().click();
    await expect(error, round).toBeVisible();
  }
});
