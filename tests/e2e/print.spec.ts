import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import type { Locator, Page } from 'playwright/test';
import { answerable, expect, shown, test, view } from './support/vitrine.ts';
import { tagged } from '../../core/testing/tier.ts';
import { SHORT_PAUSE_MS } from '../../plugins/print/host/throttle.ts';
import { startHost } from '../fidelity/host.ts';

test.use({
  personBrowser: 'whole', // the headless shell shows no PDF
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(
      policy,
      'tenants: { default: { sites: [{ match: localhost, policy: { site_capabilities: { print_enabled: false } } }] } }',
    );
    await use(['--policy', policy, '--allow-network', 'localhost']);
  },
});

const PAGE = `<!doctype html><title>Invoice</title><style>.sheet{break-after:page;background:#00f;height:50px}</style>
<h1>Invoice 7</h1><input id="field" oninput="say(this.value)"><button id="print" onclick="say('call'); print(); say('return')">Print</button>
<button id="loop" onclick="for (let i = 0; i < 50; i++) setTimeout(print, i * 20); setTimeout(say, 1000, 'looped')">Loop</button>
<button id="command" onclick="document.execCommand('print')">Command</button><p id="said"></p><div class="sheet"></div><script>
  function say(what) { document.getElementById('said').textContent += what + ' '; }
  addEventListener('beforeprint', () => say('before'));
  addEventListener('afterprint', () => say('after'));
  matchMedia('print').addEventListener('change', ({ matches }) => { document.body.dataset.media = (document.body.dataset.media ?? '') + matches; });
  addEventListener('focusin', ({ target }) => { document.body.dataset.focused = target.id; });
  addEventListener('keydown', (event) => { if (event.target.id === 'field' && event.key === 'p') event.preventDefault(); });
</script>`;

const dialogOf = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('dialog');
const preview = (page: Page): Locator => dialogOf(page).getByRole('button', { name: 'Preview' });
/** Waits until the dialog has the keyboard. */
const opened = (page: Page): Promise<void> => expect(dialogOf(page).getByLabel('Layout')).toBeFocused();
/** Waits for as long as no dialog is opened after one that the host has closed: the page has heard of that. */
const pause = (page: Page): Promise<void> => page.waitForTimeout(SHORT_PAUSE_MS + 100);
/** Whether there is text in a picture: much that is dark. */
function hasText(picture: Buffer): boolean {
  const { data } = PNG.sync.read(picture);
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at]! + data[at + 1]! + data[at + 2]! < 150) dark += 1;
  return dark > 1000;
}
const isPreview = (address: string): boolean => new URL(address).pathname === '/r/print';

test('[R-005] [R-053] [R-079] [R-091] Ctrl+P opens the print dialog with a preview, and the page continues when it is closed', async ({
  page,
  site,
  open,
}) => {
  site.on('/invoice', PAGE);
  const frame = await open('/invoice');
  const said = frame.locator('#said');
  await frame.locator('h1').click();
  await page.keyboard.press('Control+p');
  const dialog = dialogOf(page);
  await opened(page);
  await dialog.getByLabel('Layout').selectOption('landscape');

  const asked = page.waitForRequest((request) => isPreview(request.url()));
  await answerable(page);
  await preview(page).press('Enter');
  const request = await asked;
  const query = Object.fromEntries(new URL(request.url()).searchParams);
  expect(query).toEqual({
    cid: expect.any(String),
    rid: expect.any(String),
    tab_id: expect.any(String),
    page_url: `${site.origin}/invoice`,
    cl: 'local',
    layout: 'landscape',
    paper_size: 'letter',
    scale: '100',
    header_footer: 'true',
    background: 'false',
  });
  expect(request.headers()['accept']).toBe('application/pdf');
  const shownPdf = dialog.locator('iframe');
  await expect(shownPdf).toHaveAttribute('src', /^blob:/);
  const address = (await dialog.getByRole('link').getAttribute('href')) ?? '';
  const isThere = (): Promise<boolean> => page.evaluate((url) => fetch(url).then(Boolean, () => false), address);

  await dialog.getByRole('button', { name: 'Change options' }).click();
  await preview(page).click();
  await expect(shownPdf).toHaveAttribute('src', /^blob:/);
  await expect(said).toHaveText('before');
  await expect(frame.locator('body')).toHaveAttribute('data-media', 'truefalsetruefalse');
  // Not pressed: a browser without a window may crash when its PDF viewer prints.
  await expect(dialog.getByRole('button', { name: 'Print', exact: true })).toBeFocused();

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(said).toHaveText('before after');
  await expect.poll(isThere).toBe(false);

  await frame.locator('#field').click();
  await expect(frame.locator('body')).toHaveAttribute('data-focused', 'field'); // in the page itself
  await page.keyboard.press('Control+p');
  await page.keyboard.type('x');
  await expect(said).toHaveText('before after x'); // the page has received both keys
  await expect(dialog).toBeHidden();
});

test('a document past the bound of --print-max-document is refused, and says so; others are counted', async ({
  page,
  site,
}) => {
  // Noise does not compress: a picture of more than 1 MiB.
  site.on(
    '/noise',
    `<!doctype html><h1>Noise</h1><canvas id="c" width="900" height="900"></canvas><script>
    const [context, picture] = [c.getContext('2d'), new ImageData(900, 900)];
    for (let at = 0; at < picture.data.length; at += 65536) crypto.getRandomValues(picture.data.subarray(at, at + 65536));
    context.putImageData(picture, 0, 0);
    onafterprint = () => { document.querySelector('h1').textContent = 'Over'; };
    </script>`,
  );
  site.on('/invoice', PAGE);
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`], options: ['--print-max-document', '1'] });
  try {
    /** Documents, and their bytes. */
    const made = async (): Promise<number[]> => {
      const text = await (await page.request.get(`${host.origin}/metrics`)).text();
      return ['documents', 'bytes'].map((of) =>
        Number(new RegExp(`^vitrine_plugin_print_${of}_total (\\d+)$`, 'm').exec(text)?.[1]),
      );
    };
    const dialog = dialogOf(page);
    const heading = view(page).locator('h1');
    await page.goto(`${host.origin}/${site.origin}/noise`);
    await shown(page);
    await heading.click();
    await page.keyboard.press('Control+p');
    await preview(page).click();
    await expect(dialog).toContainText('The document is larger than your organisation allows.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(heading).toHaveText('Over');
    await pause(page);
    await page.goto(`${host.origin}/${site.origin}/invoice`);
    await shown(page);
    await expect(heading).toHaveText('Invoice 7'); // the page before is still shown for a moment
    await heading.click();
    await page.keyboard.press('Control+p');
    const answer = page.waitForResponse((response) => isPreview(response.url()) && response.status() === 200);
    await preview(page).click();
    await expect(dialog.locator('iframe')).toHaveAttribute('src', /^blob:/);
    // The refused one does not count.
    await expect.poll(made).toEqual([1, (await (await answer).body()).length]);
  } finally {
    await host.stop();
  }
});

test('[R-053] [R-091] the dialog opens by Ctrl+P each time, and nothing of a preview is left when it is closed', async ({
  page,
  site,
  open,
}) => {
  site.on('/invoice', PAGE);
  await page.addInitScript(() => {
    const kept = new Set<string>();
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      const address = createObjectURL.call(URL, blob);
      if (blob instanceof Blob && blob.type === 'application/pdf') kept.add(address);
      return address;
    };
    URL.revokeObjectURL = (address) => {
      kept.delete(address);
      revokeObjectURL.call(URL, address);
    };
    Object.assign(window, { kept });
  });
  const kept = (): Promise<number> => page.evaluate(() => (window as unknown as { kept: Set<string> }).kept.size); // as above
  const frame = await open('/invoice');
  const dialog = dialogOf(page);
  const ask = async (): Promise<void> => {
    await frame.locator('h1').press('Control+p');
    await opened(page);
  };
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await pause(page);
  };
  await ask();
  await close();
  await ask();
  await answerable(page);
  await preview(page).click();
  await expect.poll(kept).toBe(1);
  await close();
  await expect.poll(kept).toBe(0);

  await page.route('**/r/print?*', () => undefined); // it is being made
  await ask();
  await answerable(page);
  const stopped = page.waitForEvent('requestfailed', (request) => isPreview(request.url()));
  await preview(page).click();
  await expect(dialog.getByRole('status')).toHaveText('The preview is being made …');
  await page.keyboard.press('Escape');
  await stopped;
});

test('[R-053] print() of the page opens the dialog each time, and a page that loops gets one', async ({
  page,
  site,
  open,
}) => {
  site.on('/invoice', PAGE);
  const frame = await open('/invoice');
  const [dialog, said] = [dialogOf(page), frame.locator('#said')];
  for (const round of [1, 2]) {
    await frame.locator('#print').click();
    await opened(page);
    await expect(said).toHaveText('call before return after '.repeat(round).slice(0, -7));
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(said).toHaveText('call before return after '.repeat(round).trimEnd());
    await pause(page);
  }
  await frame.locator('#command').click();
  await opened(page);
  await page.keyboard.press('Escape');
  await expect(said).toHaveText(/return after before after\s*$/);
  await expect(dialog).toBeHidden();
  await pause(page);
  await frame.locator('#loop').click();
  await opened(page);
  await expect(said).toHaveText(/looped\s*$/); // it has called for all of them
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(said).toHaveText(/looped after\s*$/);
  // A dialog would come before what the page does next, and take the keys.
  await frame.locator('#field').click();
  await page.keyboard.type('x');
  await expect(said).toHaveText(/looped after x\s*$/);
  await expect(dialog).toBeHidden();
});

test('[R-081] the PDF is of the page, with its options, and no other person gets it', async ({
  page,
  browser,
  site,
  open,
  vitrine,
}) => {
  site.on('/invoice', PAGE);
  const frame = await open('/invoice');
  await frame.locator('h1').click();
  await page.keyboard.press('Control+p');
  const asked = page.waitForRequest((request) => isPreview(request.url()));
  await preview(page).click();
  const address = (await asked).url();
  await expect(dialogOf(page).getByRole('link')).toBeVisible();
  const read = async (changes: Record<string, string> = {}) => {
    const url = new URL(address);
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
    const answer = await page.request.get(url.href);
    const text = (await answer.body()).toString('latin1');
    return {
      status: answer.status(),
      type: answer.headers()['content-type'],
      text,
      pages: text.match(/\/Type \/Page\b/g)?.length,
    };
  };
  const pdf = await read();
  expect(pdf).toMatchObject({ status: 200, type: 'application/pdf', pages: 1 });
  expect(pdf.text).toMatch(/^%PDF-1\./);
  expect(pdf.text).toContain('/Title (Invoice)');
  expect(pdf.text).toContain('/MediaBox [0 0 612 792]');
  expect((await read({ layout: 'landscape', paper_size: 'a4' })).text).toMatch(/\/MediaBox \[0 0 84[12][\d.]* 59[45]/);
  expect((await read({ scale: '200' })).text).not.toBe(pdf.text);
  expect((await read({ scale: '900' })).status).toBe(400);
  expect((await read({ footer: '<script>' })).status).toBe(400);
  expect((await read({ rid: 'another' })).status).toBe(404);

  const stranger = await browser.newContext();
  expect((await stranger.request.get(`${vitrine}/`)).status()).toBe(200);
  expect((await stranger.request.get(address)).status()).toBe(404);
  await stranger.close();
});

test('neither the preview nor the PDF has working links', async ({ page, site, open, vitrine }) => {
  const link = `${site.origin}/elsewhere`;
  site.on(
    '/links',
    `<!doctype html><title>Links</title><style>a{display:block;font:40px/2 monospace}</style>
<a href="${link}">go</a><a href="javascript:alert(1)">run</a><p style="font-size:30px">${`${link} `.repeat(80)}</p>
<script>onafterprint = () => { document.title = 'Over'; };</script>`,
  );
  const frame = await open('/links');
  await frame.locator('p').click();
  await page.keyboard.press('Control+p');
  const asked = page.waitForRequest((request) => isPreview(request.url()));
  await preview(page).click();
  const sheets = dialogOf(page).getByRole('region');
  await expect(sheets.locator('iframe')).toHaveAttribute('inert', '');
  const answer = await page.request.get((await asked).url());
  const pdf = (await answer.body()).toString('latin1');
  expect(pdf).toMatch(/\/Type \/Page\b.*\/_nnots/s); // there were links
  expect(pdf).not.toMatch(/\/(URI|Annots|JS|JavaScript|OpenAction)\b/);
  expect(answer.headers()['content-disposition']).toMatch(/^attachment/);

  const box = await sheets.boundingBox();
  if (!box) throw new Error('the preview is not there');
  await expect.poll(async () => hasText(await page.screenshot({ clip: box }))).toBe(true);
  for (let y = 20; y < box.height - 20; y += 40) {
    await page.mouse.click(box.x + box.width / 3, box.y + y);
    await page.mouse.click(box.x + box.width / 2, box.y + y, { button: 'middle' });
  }
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveTitle('Over');
  expect(page.url()).toBe(`${vitrine}/${site.origin}/links`);
  expect(page.context().pages()).toHaveLength(1);
});

test('[R-069] [R-114] a file that is not a PDF of a surrogate is not shown', async ({ page, site, open }) => {
  site.on('/invoice', PAGE);
  const answers = [
    ...[500, 201, 403].map((status) => ({ status, body: '%PDF-1.4 /Producer (Skia/PDF m156)' })),
    { status: 200, body: '<script>/Producer (Skia/PDF m156)' },
    { status: 200, body: '<script></script>%PDF-1.4 /Producer (Skia/PDF m156)' },
    { status: 200, body: '%PDF-1.4 /Producer (Another)' },
    { status: 200, body: '' },
  ];
  const frame = await open('/invoice');
  await frame.locator('h1').click();
  await page.keyboard.press('Control+p');
  const dialog = dialogOf(page);
  for (const answer of answers) {
    const { promise: held, resolve } = Promise.withResolvers<void>();
    await page.route(
      ({ pathname }) => pathname === '/r/print',
      async (route) => {
        await held;
        await route.fulfill(answer);
      },
    );
    await preview(page).click();
    await expect(dialog.getByRole('status')).toHaveText('The preview is being made …');
    resolve();
    await expect(dialog.getByRole('alert')).toHaveText(answer.status === 403 ? /does not allow/ : /could not be made/);
    await expect(dialog.locator('iframe')).toHaveCount(0);
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Change options' }).click();
  }
  await preview(page).click();
  await expect(dialog.locator('iframe')).toHaveCount(1);
});

test('[R-005] [R-114] a page that policy does not let people print is not printed, with a notice', async ({
  page,
  site,
  vitrine,
}) => {
  site.on('/invoice', PAGE);
  const paired = page.waitForResponse((response) => new URL(response.url()).pathname === '/r/pair');
  await page.goto(`${vitrine}/${site.origin.replace('127.0.0.1', 'localhost')}/invoice`);
  await shown(page);
  await view(page).locator('h1').click();
  await page.keyboard.press('Control+p');
  const dialog = dialogOf(page);
  await expect(dialog).toContainText('Your organisation does not allow this page to be printed.');
  await expect(preview(page)).toHaveCount(0);
  const { cid, rid, tab_id } = (await (await paired).json()) as Record<'cid' | 'rid' | 'tab_id', string>;
  const query = new URLSearchParams({ cid, rid, tab_id, page_url: 'x' });
  expect((await page.request.get(`${vitrine}/r/print?${query}`)).status()).toBe(403);
  await answerable(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
});

for (const [locale, direction, title] of [
  ['de-DE', 'ltr', 'Drucken'],
  ['ar', 'rtl', 'طباعة'],
] as const)
  test(
    `supports ${locale}, with its paper size, in dark mode too`,
    tagged(locale !== 'ar'),
    async ({ browser, site, vitrine }) => {
      site.on('/invoice', PAGE);
      const context = await browser.newContext({ locale, colorScheme: 'dark' });
      const page = await context.newPage();
      await page.goto(`${vitrine}/${site.origin}/invoice`);
      await shown(page);
      await view(page).locator('h1').click();
      await page.keyboard.press('Control+p');
      const dialog = dialogOf(page);
      await expect(dialog.getByRole('heading')).toHaveText(title);
      await expect(dialog.locator('.print-dialog')).toHaveAttribute('dir', direction);
      await expect(dialog.locator('select').nth(1)).toHaveValue('a4');
      await context.close();
    },
  );
