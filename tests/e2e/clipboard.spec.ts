import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright/test';
import { alertTime, watchAlerts } from './support/alerts.ts';
import { isNative, menuOf } from './support/context-menus.ts';
import { opensMenu } from './support/opens-menu.ts';
import { clipboardText, copied, copiedText, hold } from './support/person-clipboard.ts';
import { answerable, expect, test } from './support/vitrine.ts';

/** Everything is allowed, except on pages whose path says otherwise. */
const SITES = [
  { match: '*/sealed', policy: { copy_paste: { disable_copy: true, disable_all_ctx_menu_for_copy: true } } },
  { match: '*/limited', policy: { copy_paste: { restrict_paste: true, char_len_limit_if_paste_restricted: 20 } } },
  { match: '*/no-paste', policy: { copy_paste: { restrict_paste: true } } },
  { match: '*/pictures', policy: { copy_paste: { disable_img_ctx_menu_for_copy: true } } },
];
test.use({
  hostOptions: async ({ folder }, use) => {
    const file = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(file, JSON.stringify({ tenants: { default: { sites: SITES } } }));
    await use(['--policy', file]);
  },
});

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

/** A page that reports pasted data, and whether the paste is trusted. */
const PAGE = `<!doctype html><textarea id="field"></textarea><div contenteditable id="rich" style="min-height:40px;border:1px solid"></div>
<input id="stubborn"><output></output>
<script>
  const say = (...words) => { document.querySelector('output').textContent += words.join(' ') + '|'; };
  document.addEventListener('paste', (event) => {
    const { types, files } = event.clipboardData;
    say(event.isTrusted, types.join(','), [...files].map(({ type }) => type).join());
    if (event.target.id !== 'stubborn') return;
    event.preventDefault();
    event.target.value = 'mine: ' + event.clipboardData.getData('text/plain');
  });
</script>`;

const said = (frame: FrameLocator) => frame.locator('output');

test('[S-129] pastes text and HTML as a trusted event, which the page may handle and undo', async ({
  page,
  site,
  open,
}) => {
  site.on('/paste', PAGE);
  const frame = await open('/paste');
  await hold(page, { 'text/plain': 'plain text', 'text/html': '<b>bold</b> text' });
  await frame.locator('#rich').click();
  await page.keyboard.press('Control+v');
  await expect(said(frame)).toHaveText('true text/plain,text/html |');
  await expect(frame.locator('#rich b')).toHaveText('bold');
  await page.keyboard.type('!');
  await expect(frame.locator('#rich')).toHaveText('bold text!');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(frame.locator('#rich')).toHaveText('');
  await page.keyboard.press('Control+Shift+v');
  await expect(frame.locator('#rich')).toHaveText('plain text');
  await expect(frame.locator('#rich b')).toHaveCount(0);
  await frame.locator('#stubborn').click();
  await page.keyboard.press('Control+v');
  await expect(frame.locator('#stubborn')).toHaveValue('mine: plain text');
  await frame.locator('#field').click();
  await page.keyboard.press('Shift+Insert');
  await expect(frame.locator('#field')).toHaveValue('plain text');
});

test('pastes Rich Text, which the page can read', async ({ page, site, open }) => {
  site.on(
    '/rtf',
    `<!doctype html><textarea></textarea><output></output><script>document.addEventListener('paste', ({ isTrusted, clipboardData }) => {
      document.querySelector('output').textContent = [isTrusted, clipboardData.types.includes('text/rtf'), clipboardData.getData('text/rtf')].join();
    });</script>`,
  );
  const frame = await open('/rtf');
  await frame.locator('textarea').click();
  await page.evaluate(() => {
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'rich');
    clipboardData.setData('text/rtf', '{\\rtf1 rich}');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    view?.contentDocument?.activeElement?.dispatchEvent(event);
  });
  await expect(frame.locator('output')).toHaveText('true,true,{\\rtf1 rich}');
  await expect(frame.locator('textarea')).toHaveValue('rich');
});

test('pastes a picture', async ({ page, site, open }) => {
  site.on('/paste', PAGE);
  const frame = await open('/paste');
  await hold(page, { 'image/png': '' });
  await frame.locator('#rich').click();
  await page.keyboard.press('Control+v');
  await expect(said(frame)).toHaveText('true Files image/png|');
  await expect(frame.locator('#rich img')).toHaveCount(1);
});

const COPY_PAGE = `<!doctype html><p id="text">copy <b>me</b></p><p id="odd">odd</p><textarea id="field">in a field</textarea>
<button id="old">old</button><button id="new">new</button><button id="late">late</button><canvas width="4" height="3"></canvas>
<script>
  const odd = document.querySelector('#odd');
  odd.addEventListener('copy', (event) => {
    event.preventDefault();
    event.clipboardData.setData('text/plain', 'the page\\'s own');
    event.clipboardData.setData('text/html', '<i>own</i>');
  });
  const on = (id, run) => { document.getElementById(id).onclick = run; };
  on('old', () => { document.querySelector('#field').select(); document.execCommand('copy'); });
  on('new', () => navigator.clipboard.writeText('by the api'));
  on('late', () => setTimeout(() => navigator.clipboard.writeText('too late'), 2600));
  navigator.clipboard.addEventListener('clipboardchange', () => { document.title = 'changed'; });
  document.querySelector('canvas').onclick = ({ target }) => target.toBlob((blob) => navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]));
</script>`;

test('copies the page’s clipboard data, by keys and by its own buttons, within a user gesture', async ({
  page,
  site,
  open,
}) => {
  site.on('/copy', COPY_PAGE);
  const frame = await open('/copy');
  const html = (): Promise<string> =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return item?.types.includes('text/html') ? (await item.getType('text/html')).text() : '';
    });
  const copy = async (selector: string): Promise<void> => {
    await frame.locator(selector).click({ clickCount: 3 });
    await page.keyboard.press('Control+c');
  };
  await copied(() => copy('#text'), html, expect.stringContaining('<b'));
  expect((await clipboardText(page)).trim()).toBe('copy me');
  await copiedText(page, () => copy('#odd'), "the page's own");
  expect(await html()).toContain('<i');
  await copiedText(page, () => frame.locator('#old').click(), 'in a field');
  await copiedText(page, () => frame.locator('#new').click(), 'by the api');
  const types = (): Promise<string> =>
    page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => [...item.types]).join());
  await copied(() => frame.locator('canvas').click(), types, 'image/png');
});

test('[R-127] drops data that the page copies two seconds after a gesture', async ({ page, site, open }) => {
  site.on('/copy', COPY_PAGE);
  const frame = await open('/copy');
  await hold(page, { 'text/plain': 'the person’s' });
  const written = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const { clipboard } = navigator;
    const write = clipboard.write.bind(clipboard);
    clipboard.write = async (items) => {
      texts.push(await (await items[0]!.getType('text/plain')).text());
      return write(items);
    };
    return texts;
  });
  await frame.locator('#late').click();
  await expect(page).toHaveTitle('changed');
  expect(await clipboardText(page)).toBe('the person’s');
  await copiedText(page, () => frame.locator('#new').click(), 'by the api');
  expect(await written.jsonValue()).toEqual(['by the api']); // the other would have come before
});

test('copies, cuts and pastes by the browser’s own menus, without key events', async ({ page, site, open }) => {
  site.on(
    '/menus',
    `<!doctype html><textarea id="from">cut me</textarea><textarea id="to"></textarea><output></output><script>
    document.onselectionchange = () => { document.querySelector('output').textContent = document.querySelector('#from').selectionEnd - document.querySelector('#from').selectionStart; };
    </script>`,
  );
  const frame = await open('/menus');
  const command = (name: string): Promise<boolean> =>
    page.evaluate((each) => {
      const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
      return view?.contentDocument?.execCommand(each) ?? false;
    }, name);
  await frame.locator('#from').click();
  await page.keyboard.press('Control+a');
  await expect(said(frame)).toHaveText('6'); // the page has it, and the view
  await command('cut');
  await expect(frame.locator('#from')).toHaveValue('');
  await expect.poll(() => clipboardText(page)).toBe('cut me');
  await frame.locator('#to').click();
  await page.evaluate(() => {
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'by a menu');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    view?.contentDocument?.activeElement?.dispatchEvent(event);
  });
  await expect(frame.locator('#to')).toHaveValue('by a menu');
});

test('pastes large text completely and in order with keys', async ({ page, site, open }) => {
  site.on('/large', '<!doctype html><textarea></textarea>');
  const frame = await open('/large');
  const large = `${'äöü€ "quoted" \\ 😀 '.repeat(100)}\n`.repeat(100);
  await hold(page, { 'text/plain': large });
  await frame.locator('textarea').click();
  await page.keyboard.type('a');
  await page.keyboard.press('Control+v');
  await page.keyboard.type('z');
  await expect.poll(() => frame.locator('textarea').inputValue()).toBe(`a${large}z`);
});

test('supports the shortcuts of a Mac, which the surrogate’s browser does not', async ({ page, site, open }) => {
  site.on('/mac', '<!doctype html><textarea>old</textarea>');
  const frame = await open('/mac');
  await frame.locator('textarea').click();
  await page.keyboard.press('Meta+a');
  await page.keyboard.type('new');
  await expect(frame.locator('textarea')).toHaveValue('new');
});

test('[M-009] shows the keys for copy and paste when the page has copied nothing', async ({ page, site, open }) => {
  site.on('/nothing', '<!doctype html><textarea></textarea>');
  const frame = await open('/nothing');
  await hold(page, { 'text/plain': '' });
  await frame.locator('textarea').click();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  const dialog = page
    .frameLocator('#vitrine-page-frame')
    .getByRole('dialog', { name: 'Copy and paste with the keyboard' });
  await expect(dialog).toContainText('Ctrl+V');
  await answerable(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  // The browser's own menu on a Mac.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'platform', { value: 'MacIntel' });
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentWindow;
    view?.focus();
    view?.document.activeElement?.dispatchEvent(new ClipboardEvent('copy', { bubbles: true, cancelable: true }));
    view?.document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }));
  });
  await expect(dialog).toContainText('⌘V');
});

test('notifies the person, and the operator, when the browser refuses to copy', async ({ page, site, open }) => {
  site.on('/copy', COPY_PAGE);
  const events: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/clientevent')) events.push(request.postData() ?? '');
  });
  const frame = await open('/copy');
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new Error('not now'));
  });
  await copied(
    () => frame.locator('#new').click(),
    () => snackbar(page).allTextContents(),
    ['This could not be copied.'],
  );
  await expect.poll(() => events.join()).toContain('"tc-clipboard-copy-failure"');
});

const snackbar = (page: Page) => page.locator('#vitrine-overlay').getByRole('alert');
const FIELD =
  '<!doctype html><p>words</p><textarea>text</textarea><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="40" height="40">';

test('[S-092] [R-062] copies and cuts nothing where copying is disabled, with a notice', async ({
  page,
  site,
  open,
}) => {
  site.on('/sealed', FIELD);
  const frame = await open('/sealed');
  await hold(page, { 'text/plain': 'before' });
  await frame.locator('textarea').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+x');
  await expect(snackbar(page)).toHaveText('Your organisation does not let you copy from this page.');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await expect(frame.locator('textarea')).toHaveValue('textbefore');
  await frame.locator('p').click({ clickCount: 3 });
  await page.keyboard.press('Control+c');
  await frame.locator('textarea').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+v');
  await expect(frame.locator('textarea')).toHaveValue('textbeforebefore'); // what a copy leads to was before that
  expect(await clipboardText(page)).toBe('before');
});

test('[R-062] hides clipboard writes of a page where copying is disabled from the person’s other pages', async ({
  page,
  site,
  open,
}) => {
  site.on('/sealed', COPY_PAGE);
  site.on('/copy', COPY_PAGE);
  let frame = await open('/sealed');
  const alerts = await watchAlerts(page);
  await hold(page, { 'text/plain': 'before' });
  await frame.locator('#field').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await expect(frame.locator('#field')).toHaveValue('in a fieldbefore');
  const refusal = ['Your organisation does not let you copy from this page.'];
  await copied(
    () => frame.locator('#new').click(),
    () => snackbar(page).allTextContents(),
    refusal,
  );
  expect(await alerts()).toHaveLength(1); // a paste is no copy
  frame = await open('/copy');
  await frame.locator('#field').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await expect(frame.locator('#field')).toHaveValue('in a fieldbefore');
  expect(await clipboardText(page)).toBe('before');
});

test('leaves the person’s clipboard unchanged when nothing is copied, and pastes it', async ({ page, site, open }) => {
  site.on('/copy', COPY_PAGE);
  const frame = await open('/copy');
  await copiedText(page, () => frame.locator('#new').click(), 'by the api');
  await hold(page, { 'text/plain': 'from elsewhere' });
  await frame.locator('#field').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await expect(frame.locator('#field')).toHaveValue('in a fieldfrom elsewhere');
  expect(await clipboardText(page)).toBe('from elsewhere');
  // A second copy after the first is known to be done.
  await copiedText(page, () => frame.locator('#new').click(), 'by the api');
});

test('[R-060] [S-091] pastes plain text up to the limit where pasting is restricted, and nothing else', async ({
  page,
  site,
  open,
}) => {
  site.on('/limited', PAGE);
  const frame = await open('/limited');
  await frame.locator('#rich').click();
  await hold(page, { 'text/plain': 'x'.repeat(21) });
  await page.keyboard.press('Control+v');
  await expect(snackbar(page)).toHaveText('Your organisation lets you paste plain text of up to 20 characters here.');
  await hold(page, { 'text/plain': 'x'.repeat(20) });
  await page.keyboard.press('Control+v');
  await expect(said(frame)).toHaveText('true text/plain |');
  await expect(frame.locator('#rich')).toHaveText('x'.repeat(20));
});

test('[R-061] pastes nothing at all with a limit of 0', async ({ page, site, open }) => {
  site.on('/no-paste', PAGE);
  const frame = await open('/no-paste');
  await frame.locator('#field').click();
  await hold(page, { 'text/plain': 'x' });
  await page.keyboard.press('Control+v');
  await expect(snackbar(page)).toHaveText('Your organisation does not let you paste this here.');
  await page.keyboard.type('typed');
  await expect(frame.locator('#field')).toHaveValue('typed');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await page.keyboard.type('!');
  await expect(frame.locator('#field')).toHaveValue('typed!');
});

test('[R-065] [R-007] blocks the context menu, and shows a notice for five seconds', async ({ page, site, open }) => {
  site.on('/pictures', FIELD);
  site.on('/sealed', FIELD);
  const menu = page.frameLocator('#vitrine-page-frame').getByRole('menu');
  let frame = await open('/pictures');
  const opens = (): Promise<unknown> => menuOf(page, frame.locator('p')); // ours
  expect(await isNative(page, opens)).toBe(false);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  const time = alertTime(page);
  await Promise.all([
    expect(snackbar(page)).toHaveText('Your organisation has turned off this menu.'),
    opensMenu(page, frame, 'img').then((isOpen) => expect(isOpen).toBe(false)),
  ]);
  expect(await time).toBeGreaterThan(4500);
  frame = await open('/sealed');
  expect(await opensMenu(page, frame, 'p')).toBe(false);
  await expect(snackbar(page)).toBeVisible();
  await expect(menu).toBeHidden();
});

test('shows the text of a snackbar whose sheet does not load', async ({ page, site, open }) => {
  site.on('/sealed', FIELD);
  const events: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/clientevent')) events.push(request.postData() ?? '');
  });
  await page.route('**/safeview-static/css/snackbar.css', (route) => route.abort());
  const frame = await open('/sealed');
  await opensMenu(page, frame, 'p');
  await expect(snackbar(page)).toHaveText('Your organisation has turned off this menu.');
  await expect.poll(() => events.join()).toContain('"tc-snackbar-load-failed"');
});
