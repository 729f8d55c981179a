import { writeFileSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const POLICY = `tenants:
  default:
    policy:
      client_capabilities: { applicationLinks: [tel, 'msteams:/l/'] }
      framebust: { enabled: true, domains: [127.0.0.1] }
`;
const written = (folder: string): string => {
  const policy = path.join(folder, 'p.yaml');
  writeFileSync(policy, POLICY);
  return policy;
};

test.use({ hostOptions: async ({ folder }, use) => use(['--policy', written(folder)]) });

/** Addresses to which the person's browser is asked to navigate from now on, frames of the view not counted. */
async function asked(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const urls: string[] = [];
  session.on('Page.frameRequestedNavigation', ({ url }) => void urls.push(url));
  await session.send('Page.enable');
  return urls;
}

const LINKS = `<!doctype html><title>Links</title><p id=did>nothing</p>
<a id=tel href="TEL:+43">call</a> <a id=teams href="msteams:/l/meeting">meet</a> <a id=other href="msteams:/x">other</a>
<a id=mail href="mailto:a@b.test">mail</a> <a id=js href="javascript:void(did.textContent='ran')">run</a>
<button onclick="tel.click(); location = 'tel:1'; did.textContent = 'clicked by script'">script</button>
<button id=late onclick="did.textContent = 'still here'">late</button>`;

test('[S-081] [R-070] links of applications open at the person where the policy allows them, by the click of the person alone', async ({
  page,
  site,
  open,
}) => {
  site.on('/links', LINKS);
  const frame = await open('/links');
  await expect(frame.locator('#tel')).toHaveAttribute('href', 'tel:+43');
  await expect(frame.locator('#teams')).toHaveAttribute('href', 'msteams:/l/meeting');
  for (const id of ['other', 'mail', 'js'])
    await expect(frame.locator(`#${id}`)).toHaveAttribute('href', 'about:blank#blocked');
  const urls = await asked(page);
  await loaded(page, 'popups.application-links');
  await frame.locator('button', { hasText: 'script' }).click();
  await expect(frame.locator('#did')).toHaveText('clicked by script');
  for (const id of ['mail', 'other']) await frame.locator(`#${id}`).click();
  await frame.locator('#late').click();
  await expect(frame.locator('#did')).toHaveText('still here');
  await frame.locator('#teams').click(); // the browser's own dialog follows
  await expect.poll(() => urls).toEqual(['msteams:/l/meeting']);
  await expect(page).toHaveTitle('Links');
});

test('[S-081] links of applications open by Enter on the link', async ({ page, site, open }) => {
  site.on('/links', LINKS);
  const frame = await open('/links');
  const urls = await asked(page);
  await loaded(page, 'popups.application-links');
  await frame.locator('#did').click();
  await page.keyboard.press('Tab');
  await expect(frame.locator('#tel')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => urls).toEqual(['tel:+43']);
});

test('[S-096] parameters of the service reach no site, whichever way the address comes', async ({
  page,
  site,
  vitrine,
  context,
}) => {
  site.on('/own', ({ url }, response) => {
    const html = `<!doctype html><title>Own</title><p>${url}</p><a id=next href="/next?_sv_p_id=8&b=2">next</a>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  site.on('/next', '<!doctype html><title>Next</title><h1>Next</h1>');
  const own = '_sv_p_id=7&_sv_force_isolate=1&a=1&_sv_other';
  await page.goto(`${vitrine}/${site.origin}/own?${own}`);
  await shown(page);
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/own?a=1`);
  await page.goto(`${vitrine}/${site.origin}/own?${own}&again`); // typed into a tab with a page
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/own?a=1&again`);
  await expect(view(page).locator('p')).toHaveText('/own?a=1&again'); // the page before is still shown for a moment
  await loaded(page, 'popups'); // it loads when the page is idle
  const opened = context.waitForEvent('page');
  await view(page).locator('#next').click({ button: 'middle' });
  const next = await opened;
  await shown(next);
  await expect(view(next).locator('h1')).toHaveText('Next');
  await expect(next).toHaveURL(`${vitrine}/${site.origin}/next?b=2`);
  await next.reload();
  await shown(next);
  expect(site.requests.filter((line) => line.includes('?')).slice(0, 3)).toEqual([
    'GET /own?a=1',
    'GET /own?a=1&again',
    'GET /next?b=2',
  ]);
  expect(site.requests.filter((line) => line.includes('_sv_'))).toEqual([]);
});

test('[M-011] a page that the site has made keeps its own address, and survives a reload', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  site.on(
    '/maker',
    `<!doctype html><title>Maker</title><button onclick="location = window.URL.createObjectURL(new Blob(['<title>Made</title><h1>Made here</h1>'], { type: 'text/html' }))">make</button>`,
  );
  const frame = await open('/maker');
  await frame.locator('button').click();
  await expect(frame.locator('h1')).toHaveText('Made here');
  const made = new RegExp(`^${vitrine}/__blob/http/127\\.0\\.0\\.1:${site.port}/[\\w-]+$`);
  await expect(page).toHaveURL(made);
  await page.reload();
  await shown(page);
  await expect(view(page).locator('h1')).toHaveText('Made here');
  await expect(page).toHaveURL(made);
});

test('[M-012] the pages of a multi-page app stay below its path', async ({ page, site, vitrine, context }) => {
  site.on('/app', '<!doctype html><title>App</title><a id=next href="/more?x=1#part">more</a>');
  site.on('/more', '<!doctype html><title>More</title><h1>More</h1>');
  const app = `${vitrine}/mpa/app-1/${site.origin}`;
  await page.goto(`${app}/app`);
  await shown(page);
  const link = view(page).locator('#next');
  await expect(link).toHaveAttribute('href', `/mpa/app-1/${site.origin}/more?x=1#part`);
  await loaded(page, 'popups'); // it loads when the page is idle
  const opened = context.waitForEvent('page');
  await link.click({ button: 'middle' });
  const next = await opened;
  await shown(next);
  await expect(view(next).locator('h1')).toHaveText('More');
  await expect(next).toHaveURL(`${app}/more?x=1#part`);
  await link.click();
  await expect(view(page).locator('h1')).toHaveText('More');
  await expect(page).toHaveURL(`${app}/more?x=1#part`);
});

test('[M-084] the address that a slow page loads is shown, apart from the one of the page that is still there', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  let answer = (): void => undefined;
  site.on(
    '/from',
    '<!doctype html><title>From</title><a href="/slow?a=1">slow</a><script>onkeydown = () => { location.href = "/slow?a=2"; }</script>',
  );
  const asked: unknown[] = [];
  site.on('/slow', ({ url }, response) => {
    asked.push(url);
    answer = () =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow</title><h1>Slow</h1>');
  });
  const frame = await open('/from');
  await frame.locator('a').click();
  const hint = page.locator('.loading-address');
  await expect(hint).toHaveText(`${site.origin}/slow?a=1`);
  await expect(hint).toBeVisible();
  expect(page.url()).toBe(`${vitrine}/${site.origin}/from`);
  await expect.poll(() => asked).toEqual(['/slow?a=1']); // or the other request would take its place
  await page.keyboard.press('n');
  await expect(hint).toHaveText(`${site.origin}/slow?a=2`);
  await expect.poll(() => asked).toEqual(['/slow?a=1', '/slow?a=2']);
  answer();
  await expect(frame.locator('h1')).toHaveText('Slow');
  await expect(hint).toHaveCount(0);
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/slow?a=2`);
});

test('[S-085] a window knows its opener only by the token that was stored for it', async ({
  page,
  site,
  open,
  context,
  vitrine,
}) => {
  site.on(
    '/opener',
    `<!doctype html><title>Opener</title><button onclick="window.open('/opened')">open</button><script>onmessage = ({ data }) => (document.title = data)</script>`,
  );
  site.on(
    '/opened',
    `<!doctype html><title>Opened</title><h1>-</h1><script>document.querySelector('h1').textContent = opener ? 'known' : 'unknown'</script>`,
  );
  const frame = await open('/opener');
  const openWindow = async (): Promise<Page> => {
    const opened = context.waitForEvent('page');
    await frame.locator('button').click();
    return opened;
  };
  const known = await openWindow();
  await shown(known);
  await expect(view(known).locator('h1')).toHaveText('known');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sv_pid')))).toEqual([]);

  // The record is for a page at another address.
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      setItem.call(this, key, key.startsWith('sv_pid:') ? value.replace('/opener', '/another') : value);
    };
  });
  const unknown = await openWindow();
  await shown(unknown);
  await expect(view(unknown).locator('h1')).toHaveText('unknown');
  await expect(unknown).toHaveURL(`${vitrine}/${site.origin}/opened`);
});

test('[S-083] a page of a listed domain in a frame without a size gets the whole window', async ({
  browser,
  site,
  folder,
}) => {
  site.on('/around', '<!doctype html><title>Around</title><h1>Around</h1>');
  site.on('/framed', '<!doctype html><title>Framed</title><h1>Framed</h1>');
  const port = await freePort();
  const own = `http://127.0.0.1:${port}`;
  const options = ['--policy', written(folder), '--frame-ancestors', own];
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`, `localhost:${site.port}`], options, port });
  const page = await browser.newPage();
  try {
    await page.goto(`${own}/${site.origin}/around`);
    await shown(page);
    const add = (src: string): Promise<void> =>
      page.evaluate((address) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        frame.style.cssText = 'width: 0; height: 0; border: 0';
        document.body.append(frame);
      }, src);
    const blocked = page.waitForRequest((request) => request.postData()?.includes('tc-blocked-tiny-iframe') === true);
    await add(`/http://localhost:${site.port}/framed`); // of no listed domain
    await blocked;
    expect(page.url()).toBe(`${own}/${site.origin}/around`);
    await add(`/${site.origin}/framed`);
    await expect(page).toHaveURL(`${own}/${site.origin}/framed`);
    await shown(page);
    await expect(view(page).locator('h1')).toHaveText('Framed');
  } finally {
    await page.close();
    await host.stop();
  }
});

/** A port of loopback that nothing listens on. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}
