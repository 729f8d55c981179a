import type { FrameLocator, Page } from 'playwright/test';
import { look } from './support/painted.ts';
import type { Seen } from './support/painted.ts';
import type { Site } from './support/site.ts';
import { answerable, expect, test, view } from './support/vitrine.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16"/></svg>';
/** The blank page, as browsers show it. */
const BLANK = { state: 'ready', address: '__blank', title: 'about:blank', icon: 'data:,', page: '' };
/** Name and heading of a page of the site. */
const NAMED = { state: 'ready', title: 'Titled', icon: expect.stringMatching(/^\/c\/i\//), page: 'Titled' };

const paints = (page: Page, seen: Readonly<Partial<Record<keyof Seen, unknown>>>) =>
  expect.poll(() => page.evaluate(look).catch(() => undefined)).toMatchObject(seen);

/** A page with a title and an icon, one that asks before it is left, and one that makes another and names it. */
function serve(site: Site): void {
  const html = (content: string): string =>
    `<!doctype html><title>Titled</title><link rel=icon href="/icon.svg"><h1 style="margin:0;height:300px">Titled</h1>${content}`;
  site.on('/icon.svg', (_request, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(SVG));
  site.on('/titled', html(''));
  site.on(
    '/asks',
    html(`<script>
      onbeforeunload = (event) => event.preventDefault();
      onclick = () => (document.querySelector('h1').textContent = 'Used');
    </script>`),
  );
  site.on(
    '/maker',
    html(`<p id=made></p><button onclick="window.URL.revokeObjectURL(made.textContent); made.textContent = 'revoked'">revoke</button>
    <script>made.textContent = window.URL.createObjectURL(new Blob(['<title>Made</title><h1 style="margin:0;height:300px">Made here</h1>'], { type: 'text/html' }))</script>`),
  );
}

/** Path of the page that `/maker` has made, once its script has run. */
async function pathOfMade(frame: FrameLocator): Promise<string> {
  const made = frame.locator('#made');
  await expect(made).toHaveText(/^blob:/);
  return new URL((await made.textContent())?.replace('blob:', '') ?? '').pathname;
}

test('[M-011] the blank page is shown where it is typed, in a new tab and over another page', async ({
  page,
  context,
  site,
  vitrine,
}) => {
  serve(site);
  await page.goto(`${vitrine}/__blank`);
  await paints(page, BLANK);
  await page.reload();
  await paints(page, BLANK);
  await page.goto(`${vitrine}/${site.origin}/titled`);
  await paints(page, { ...NAMED, address: `${site.origin}/titled` });
  await page.goBack();
  await paints(page, BLANK);
  await page.goForward();
  await paints(page, { ...NAMED, address: `${site.origin}/titled` });

  const used = await context.newPage();
  await used.goto(`${vitrine}/${site.origin}/titled`);
  await paints(used, NAMED);
  await used.goto(`${vitrine}/__blank`);
  await paints(used, BLANK);
  await used.goto(`${vitrine}/__blank`);
  await paints(used, BLANK);
  await used.goto(`${vitrine}/${site.origin}/titled`); // where it was first
  await paints(used, { ...NAMED, address: `${site.origin}/titled` });
  await used.goBack();
  await paints(used, BLANK);
  await used.reload();
  await paints(used, BLANK);
  await used.goBack();
  await paints(used, { ...NAMED, address: `${site.origin}/titled` });
  await used.goForward();
  await paints(used, BLANK);
});

test('[M-011] nothing is left in the blank page of a page that has asked before it was left', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  serve(site);
  const frame = await open('/asks');
  await frame.locator('h1').click();
  await expect(frame.locator('h1')).toHaveText('Used'); // browsers do not ask for a page in which nobody has acted
  page.on('dialog', (dialog) => void dialog.accept()); // of the person's browser, where it asks
  await page.goto(`${vitrine}/__blank`);
  await answerable(page);
  await page.frameLocator('#vitrine-page-frame').getByRole('button', { name: 'Leave' }).click();
  await paints(page, BLANK);
});

test('[M-011] a link of another site opens the blank page, and no page that a site has made', async ({
  page,
  site,
  vitrine,
}) => {
  serve(site);
  await page.goto(`${vitrine}/${site.origin}/maker`);
  const pathname = await pathOfMade(view(page));
  const made = `/__blob/http/127.0.0.1:${site.port}${pathname}`;
  site.on('/out', `<a id=blank href="${vitrine}/__blank">1</a><a id=made href="${vitrine}${made}">2</a>`);
  const other = await page.context().newPage();
  await other.goto(`${site.origin}/out`);
  await other.locator('#blank').click();
  await paints(other, BLANK);
  await other.goto(`${site.origin}/out`);
  await other.locator('#made').click();
  await paints(other, { state: 'ready', error: expect.stringContaining('This page is gone') });
});

test('[M-011] [S-081] a page that a site has made is shown where it is typed, and said to be gone once it is', async ({
  page,
  context,
  site,
  vitrine,
}) => {
  serve(site);
  await page.goto(`${vitrine}/${site.origin}/maker`);
  await paints(page, NAMED);
  const frame = view(page);
  const pathname = await pathOfMade(frame);
  const address = `__blob/http/127.0.0.1:${site.port}${pathname}`;
  const made = { state: 'ready', address, title: 'Made', icon: 'data:,', page: 'Made here' };
  const gone = {
    state: 'ready',
    address,
    title: `127.0.0.1:${site.port}`,
    icon: 'data:,',
    error: expect.stringMatching(
      new RegExp(`^This page is gone.*127\\.0\\.0\\.1:${site.port} has made.*deleted.*ERR_FILE_NOT_FOUND`, 's'),
    ),
  };
  const fresh = await context.newPage();
  await fresh.goto(`${vitrine}/${address}`);
  await paints(fresh, made);
  const used = await context.newPage();
  await used.goto(`${vitrine}/${site.origin}/titled`);
  await paints(used, NAMED);
  await used.goto(`${vitrine}/${address}`);
  await paints(used, made);

  await frame.getByRole('button').click();
  await expect(frame.locator('#made')).toHaveText('revoked');
  await used.goto(`${vitrine}/${site.origin}/titled`);
  await paints(used, NAMED);
  await used.goto(`${vitrine}/${address}`);
  await paints(used, gone);
  await used.goBack();
  await paints(used, { ...NAMED, address: `${site.origin}/titled` });
  await used.goForward();
  await paints(used, gone);
  await used.goto(`${vitrine}/${address}`);
  await paints(used, gone);
  const last = await context.newPage();
  await last.goto(`${vitrine}/${address}`);
  await paints(last, gone);
  await last.getByRole('button', { name: 'Try again' }).click();
  await paints(last, gone);
});
