import { expect, shown, test, view } from './support/vitrine.ts';

const LIVE = `<!doctype html><title>Live</title><output></output><script>
  let frames = 0;
  const draw = () => {
    frames++;
    document.querySelector('output').textContent = document.visibilityState + ' ' + (frames > 20 ? 'drawn' : 'waiting');
    requestAnimationFrame(draw);
  };
  draw();
</script>`;

test('[S-067] [S-068] a page is visible and drawn after a reload, and at a second address in the same tab', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  site.on('/live', LIVE);
  site.on('/other', LIVE);
  const frame = await open('/live');
  await expect(frame.locator('output')).toHaveText('visible drawn');
  await page.reload();
  await shown(page);
  await expect(frame.locator('output')).toHaveText('visible drawn');
  await page.goto(`${vitrine}/${site.origin}/other`);
  await shown(page);
  await expect(view(page).locator('output')).toHaveText('visible drawn');
});

test('requests a page once, in a new tab and at a second address in the same one', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  const visits: string[] = [];
  for (const path of ['/a', '/b', '/c'])
    site.on(path, (_request, response) => {
      visits.push(path);
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><h1>${path}</h1>`);
    });
  await open('/a');
  await page.goto(`${vitrine}/${site.origin}/b`);
  await expect(view(page).locator('h1')).toHaveText('/b');
  const other = await page.context().newPage();
  await other.goto(`${vitrine}/${site.origin}/c`);
  await expect(view(other).locator('h1')).toHaveText('/c');
  expect(visits).toEqual(['/a', '/b', '/c']);
  await other.reload();
  await expect.poll(() => visits).toEqual(['/a', '/b', '/c', '/c']);
  await shown(other);
  await expect(view(other).locator('h1')).toHaveText('/c');
  expect(visits).toHaveLength(4);
});

test('says with the request for the next page that this one is being left, and not after it', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  for (const path of ['/a', '/b']) site.on(path, `<!doctype html><h1>${path}</h1>`);
  const marked = async (): Promise<boolean> =>
    (await page.context().cookies()).some(({ name }) => name === 'vitrine_leaving');
  await open('/a');
  const address = `${vitrine}/${site.origin}/b`;
  const asked = page.waitForRequest(address);
  await page.goto(address);
  expect((await (await asked).allHeaders())['cookie']).toContain('vitrine_leaving=1');
  await expect(view(page).locator('h1')).toHaveText('/b');
  expect(await marked()).toBe(false);
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  await expect.poll(marked).toBe(false);
});

test('leaves a page with an open dialog immediately', async ({ page, site, vitrine }) => {
  site.on('/asks', '<!doctype html><title>Asks</title><script>setTimeout(() => { for (;;) alert("Stay!"); })</script>');
  site.on('/next', '<!doctype html><h1>Next</h1>');
  await page.goto(`${vitrine}/${site.origin}/asks`); // it may never be ready
  await expect(page.frameLocator('#vitrine-page-frame').getByRole('alertdialog')).toBeVisible();
  await page.goto(`${vitrine}/${site.origin}/next`);
  await expect(view(page).locator('h1')).toHaveText('Next');
});

test('shows the pictures of a page behind its dialog', async ({ page, site, open }) => {
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const isShown = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  site.on('/late.png', (_request, response) => {
    void isAsked.promise.then(() => response.writeHead(200, { 'content-type': 'image/png' }).end(picture));
  });
  site.on('/shown', (_request, response) => void isShown.promise.then(() => response.end()));
  site.on(
    '/pictures',
    `<!doctype html><h1>Pictures</h1><img src="/late.png" width="20" height="20">
    <script>fetch('/shown').then(() => alert('Read me'))</script>`,
  );
  const frame = await open('/pictures');
  isShown.resolve();
  await expect(page.frameLocator('#vitrine-page-frame').getByRole('alertdialog')).toBeVisible();
  isAsked.resolve();
  await expect.poll(() => frame.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
});

for (const typed of ['file:///etc/passwd', 'javascript:alert(1)', 'not a url at all'])
  test(`answers ${typed} behind the host's name with the portal`, async ({ page, vitrine }) => {
    await page.goto(`${vitrine}/${typed}`);
    await expect(page.getByRole('alert')).toContainText('is not a web address');
    await expect(page.getByLabel('Web address')).toHaveValue(typed);
  });

test('opens a site without a scheme behind the host’s name', async ({ page, site, vitrine }) => {
  site.on('/short', '<!doctype html><h1>Short</h1>');
  await page.goto(`${vitrine}/127.0.0.1:${site.port}/short`);
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Short');
});

test('never shows the proxy’s text in place of the failure page', async ({ page, vitrine }) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    setInterval(() => {
      const text = document.querySelector('iframe')?.contentDocument?.body.innerText ?? '';
      if (text !== '') seen.push(text);
    }, 5);
  });
  await page.goto(`${vitrine}/http://no-such-name.invalid/`);
  await expect(page.getByRole('alert')).toContainText('This site cannot be found');
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
});
