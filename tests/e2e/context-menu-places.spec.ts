import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startHost } from '../fidelity/host.ts';
import { close, DEFAULT, IMAGE, isNative, item, LINK, menuOf, serveMenus, SITES } from './support/context-menus.ts';
import { clipboardText } from './support/person-clipboard.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** The menu of ours in image maps, sandboxes and frames that go, and without a host. */

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test.beforeEach(({ site }) => serveMenus(site));

const MAP = `<!doctype html><title>Map</title><img src="/picture.png" usemap="#map" style="width:200px;height:100px;display:block">
  <map name=map><area id=area shape=rect coords="0,0,200,100" href="/next"></map>`;

test('[S-021] offers the picture of an image map with the links of its areas', async ({ page, site, open }) => {
  site.on('/map', MAP);
  const frame = await open('/map');
  expect(await menuOf(page, frame.locator('img'))).toEqual([...IMAGE, ...LINK]);
  await item(page, 'Copy picture address').click();
  await expect.poll(() => clipboardText(page)).toBe(`${site.origin}/picture.png`);
});

test('[S-021] opens and saves for the person what a sandbox keeps from the page', async ({ page, site, open }) => {
  const headers: (string | undefined)[] = [];
  site.on('/strict', (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'strict=1; SameSite=Strict' })
      .end('<!doctype html><iframe sandbox="allow-scripts" src="/menus" width=600 height=500></iframe>'),
  );
  site.on('/next', ({ headers: { cookie } }, response) => {
    headers.push(cookie);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Next</title><h1>next page</h1>');
  });
  await open('/strict');
  const inner = view(page).frameLocator('iframe');
  await expect(inner.locator('body')).toHaveAttribute('data-painted'); // a sandbox is a frame of another site
  for (const name of ['Open link in new tab', 'Open link in new window']) {
    await menuOf(page, inner.locator('#both'));
    const [tab] = await Promise.all([page.context().waitForEvent('page'), item(page, name).click()]);
    await shown(tab);
    await expect(view(tab).locator('h1')).toHaveText('next page');
    await tab.close();
  }
  expect(headers).toEqual([undefined, undefined]); // as from a link of another site
  await menuOf(page, inner.locator('#picture'));
  const [download] = await Promise.all([page.waitForEvent('download'), item(page, 'Save picture').click()]);
  expect(download.suggestedFilename()).toBe('picture.png');
  await open('/next');
  expect(headers.at(-1)).toBe('strict=1');
});

test('[S-021] opens and saves what was in a frame that has gone meanwhile', async ({ page, site, open }) => {
  let isTime = false;
  site.on('/time', (_request, response) => response.writeHead(isTime ? 200 : 404).end());
  site.on(
    '/going',
    `<!doctype html><iframe src="http://localhost:${site.port}/menus" width=600 height=500></iframe><script>
      const look = async () => (await fetch('/time')).ok ? document.querySelector('iframe').remove() : setTimeout(look, 100);
      look();
    </script>`,
  );
  const gone = async (element: string): Promise<void> => {
    isTime = false;
    await open('/going');
    const iframe = view(page).locator('iframe');
    // Chromium finds no frame of another site under a click before it has painted it.
    await expect(iframe.contentFrame().locator('body')).toHaveAttribute('data-painted');
    await menuOf(page, iframe.contentFrame().locator(element));
    isTime = true;
    await expect(iframe).toHaveCount(0);
  };
  await gone('#link');
  const [tab] = await Promise.all([page.context().waitForEvent('page'), item(page, 'Open link in new tab').click()]);
  await shown(tab);
  await expect(view(tab).locator('h1')).toHaveText('next page');
  await tab.close();
  await gone('#picture');
  const [download] = await Promise.all([page.waitForEvent('download'), item(page, 'Save picture').click()]);
  expect(download.suggestedFilename()).toBe('picture.png');
});

test("without the host there is the browser's menu, and ours with what it can do where nothing may be copied", async ({
  page,
  site,
  folder,
}) => {
  const file = path.join(folder, 'alone.policy.yaml');
  writeFileSync(file, JSON.stringify({ tenants: { default: { sites: SITES } } }));
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--policy', file] });
  try {
    const other = await page.context().newPage();
    for (const [tab, address] of [
      [page, '/no-copy'],
      [other, '/menus'],
    ] as const) {
      await tab.goto(`${host.origin}/${site.origin}${address}`);
      await shown(tab);
      await menuOf(tab, view(tab).locator('#link')); // its code is there
      await close(tab);
    }
    await host.kill();
    for (const tab of [page, other]) await expect(tab.locator('#vitrine-notice')).toContainText('network problem');
    expect(await isNative(other, () => view(other).locator('#link').click({ button: 'right' }))).toBe(true);
    await page.bringToFront();
    expect(await menuOf(page, view(page).locator('#link'))).toEqual(DEFAULT.slice(0, 3));
  } finally {
    await host.stop();
  }
});
