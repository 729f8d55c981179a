import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BrowserContext, CDPSession, FrameLocator, Page } from 'playwright/test';
import { keepLogin, openProfile } from './support/kept-profile.ts';
import { expect, shown, test as base, view } from './support/vitrine.ts';
import { TEST_LIMIT_MS } from '../../core/testing/patience.ts';
import { browserPath } from '../../core/testing/script-page.ts';
import { tagged } from '../../core/testing/tier.ts';

const USER = 'anna-of-the-service';
const PASSWORD = 'S3cret-of-the-person';
/** Chromium counts the logins whose password it offers to keep, or to change. */
const OFFERS = 'PasswordManager.AbleToSavePasswordsOnSuccessfulLogin';
const LOGIN =
  '<form action="/in" method="post"><input name="u"><input name="p" type="password"><button>in</button></form>';
const SIGN_IN = `<!doctype html>${LOGIN}`;

/** A browser with a login that it keeps for the service's own origin, and a page of a site in it. */
const test = base.extend<
  { readonly visit: (path: string) => Promise<FrameLocator> },
  { readonly kept: BrowserContext }
>({
  kept: [
    async ({ vitrine }, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-kept-'));
      const executable = browserPath('whole');
      const fresh = await openProfile(folder, executable); // creates the databases
      await expect.poll(() => existsSync(path.join(folder, 'Default', 'Login Data'))).toBe(true);
      await fresh.close();
      keepLogin(folder, { origin: vitrine, user: USER, password: PASSWORD, fields: ['u', 'p'] });
      const context = await openProfile(folder, executable);
      await use(context);
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: 'worker', timeout: TEST_LIMIT_MS },
  ],
  page: async ({ kept }, use) => {
    const page = await kept.newPage();
    await use(page);
    await page.close();
  },
  visit: async ({ page, site, vitrine }, use) => {
    await use(async (at) => {
      await page.goto(`${vitrine}/${site.origin}${at}`);
      await shown(page);
      return view(page);
    });
  },
});

/** A page that shows, and tells its site, whatever its fields have held since it was loaded. */
const withReport = (body: string, script = ''): string => `<!doctype html><meta charset="utf-8">
<style>body{margin:20px;font:16px sans-serif}output{display:block}</style>${body}<output></output><script>
  const held = new Set();
  const fields = (root) => [...root.querySelectorAll('*')].flatMap((each) =>
    [...('value' in each && each.localName !== 'output' && each.localName !== 'option' && each.localName !== 'button' ? [each] : []),
     ...(each.shadowRoot ? fields(each.shadowRoot) : [])]);
  setInterval(() => {
    const before = held.size;
    for (const { value } of fields(document)) if (value) held.add(value);
    if (held.size === before) return;
    document.querySelector('output').textContent = [...held].join(' ');
    fetch('/held?' + [...held].map(encodeURIComponent).join('&'));
  }, 20);
  ${script}</script>`;

/** Pages with fields that the person's browser may take for a login, by how they look to it. */
const FORMS: Readonly<Record<string, string>> = {
  named: withReport('<form><input name="u"><input name="p" type="password"></form>'),
  unnamed: withReport('<form><input><input type="password"></form>'),
  'without a form': withReport('<input name="username"><input name="password" type="password">'),
  'of a password alone': withReport('<form><input name="p" type="PASSWORD"></form>'),
  'with autocomplete': withReport(
    '<form autocomplete="on"><input name="u" autocomplete="username"><input name="p" type="password" autocomplete="current-password"></form>',
  ),
  'with autocomplete off': withReport(
    '<form autocomplete="off"><input name="u" autocomplete="off"><input name="p" type="password" autocomplete="off"></form>',
  ),
  'with other autocomplete': withReport(
    '<form><input name="u" autocomplete="section-a email webauthn"><input name="p" type="password" autocomplete="new-password"><input name="c" autocomplete="one-time-code"></form>',
  ),
  late: withReport(
    '<main></main>',
    `setTimeout(() => { document.querySelector('main').innerHTML = '<form><input name="u"><input name="p" type="password"></form>'; }, 300);`,
  ),
  'turned into one': withReport(
    '<form><input name="u"><input name="p"></form>',
    `setTimeout(() => { document.querySelector('[name=p]').type = 'password'; }, 300);`,
  ),
  'in a shadow tree': withReport(
    '<x-login></x-login>',
    `document.querySelector('x-login').attachShadow({ mode: 'open' }).innerHTML = '<form><input name="u"><input name="p" type="password"></form>';`,
  ),
};

const SHOP = `<form><input name="ccname" placeholder="Name on card"><input name="cardnumber" placeholder="Card number">
<select name="expmonth"><option value="">Month<option>11<option>12</select>
<select name="expyear"><option value="">Year<option>2030<option>2031</select><input name="cvc" placeholder="CVC"></form>
<form><input name="firstname" placeholder="First name"><input name="lastname" placeholder="Last name"><input name="address" placeholder="Street address">
<input name="city" placeholder="City"><input name="zip" placeholder="Zip code">
<select name="country"><option value="">Country<option value="DE">Germany<option value="US">United States</select></form>`;
const CARD = { number: '4111111111111111', name: 'Anna Berg', expiryMonth: '12', expiryYear: '2030', cvc: '123' };
const ADDRESS = Object.entries({
  NAME_FIRST: 'Anna',
  NAME_LAST: 'Berg',
  ADDRESS_HOME_STREET_ADDRESS: 'Main Street 5',
  ADDRESS_HOME_CITY: 'Berlin',
  ADDRESS_HOME_ZIP: '10115',
  ADDRESS_HOME_COUNTRY: 'DE',
}).map(([name, value]) => ({ name, value }));

const histogram = async (session: CDPSession, name: string): Promise<number> => {
  const { histograms } = await session.send('Browser.getHistograms', { query: name });
  return histograms.find((each) => each.name === name)?.count ?? 0;
};

/** Serves a plain page at the service's own origin, which no isolated page can be. */
async function ownPage(page: Page, vitrine: string, html: string): Promise<void> {
  await page.route(`${vitrine}/control*`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html>${html}` }),
  );
  await page.goto(`${vitrine}/control`);
}

/**
 * Adds a form of passwords to the view's document, as no page can, and waits until the browser has filled it: by then it has looked at all
 * other forms there, too. Returns a reading of all that it has filled in.
 */
async function addDecoy(page: Page, frame: FrameLocator): Promise<() => Promise<string[]>> {
  const filled = await watchFills(page);
  await frame.locator('body').evaluate((body) => {
    const make = (name: string, type: string): HTMLInputElement =>
      Object.assign(body.ownerDocument.createElement('input'), { name, type });
    const form = body.ownerDocument.createElement('form');
    form.id = 'decoy';
    form.append(make('u', 'text'), make('p', 'password'));
    body.append(form);
  });
  await press(page);
  await expect.poll(filled).toEqual([USER, PASSWORD]);
  return filled;
}

/** Returns a reading of the values that the browser has put into controls of the view, before the client hears of them. */
async function watchFills(page: Page): Promise<() => Promise<string[]>> {
  const values = await page.evaluateHandle(() => {
    const found: string[] = [];
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentWindow;
    view?.addEventListener('input', ({ target }) => found.push((target as HTMLInputElement).value), true);
    return found;
  });
  return () => values.jsonValue();
}

const press = (page: Page): Promise<void> => page.mouse.click(900, 700);

test('[C1] a browser fills a kept login in at its origin, and offers to keep another that is sent there: the other tests count on both', async ({
  page,
  site,
  vitrine,
}) => {
  await ownPage(page, vitrine, LOGIN);
  await press(page);
  await expect(page.locator('[name=p]')).toHaveValue(PASSWORD);
  await expect(page.locator('[name=u]')).toHaveValue(USER);
  site.on('/login', SIGN_IN);
  site.on('/in', '<!doctype html><h1>Welcome</h1>');
  await page.goto(`${site.origin}/login`); // not through the product
  const session = await page.context().newCDPSession(page);
  const before = await histogram(session, OFFERS);
  await page.locator('[name=u]').click();
  await page.keyboard.type('berta');
  await page.locator('[name=p]').click();
  await page.keyboard.type('a new secret');
  await page.keyboard.press('Enter');
  await expect(page.locator('h1')).toHaveText('Welcome');
  await expect.poll(() => histogram(session, OFFERS)).toBe(before + 1);
});

/** Cases of the short run. */
const IN_SHORT = ['named', 'without a form', 'late', 'in a shadow tree'];

for (const [name, html] of Object.entries(FORMS))
  test(
    `[C1] a browser fills nothing into a form ${name}, before and after clicks and typing`,
    tagged(!IN_SHORT.includes(name)),
    async ({ page, site, visit }) => {
      site.on('/form', html);
      const frame = await visit('/form');
      const fields = frame.locator('input');
      await expect(frame.locator('[v-type=password]')).toHaveCount(1);
      await expect(frame.locator('input[type=password]')).toHaveCount(0);
      const filled = await addDecoy(page, frame);
      await frame.locator('[v-type=password]').click();
      await page.keyboard.type('typed');
      await expect(frame.locator('output')).toHaveText(/typed$/);
      await expect(frame.locator('[v-type=password]')).toHaveValue('•••••');
      const others = fields.and(frame.locator(':not([v-type]):not(#decoy *)'));
      for (const field of await others.all()) {
        await field.click();
        await page.keyboard.type('x');
      }
      await expect(frame.locator('output')).toHaveText((await others.count()) > 0 ? /\bx$/ : /typed$/);
      expect(await filled()).toHaveLength(2);
      const told = (): string => site.requests.filter((request) => request.includes('/held?')).join(' ');
      await expect.poll(told).toContain('typed');
      expect(told()).not.toMatch(new RegExp(`${PASSWORD}|${USER}`));
    },
  );

test('[C1] a browser fills fields that it takes for a login nevertheless, and the page gets nothing of it', async ({
  page,
  site,
  visit,
}) => {
  site.on('/form', FORMS['named']!);
  const frame = await visit('/form');
  await expect(frame.locator('[v-type=password]')).toBeVisible();
  const filled = await watchFills(page);
  // As if neither host nor client had kept the type away.
  await frame.locator('[v-type=password]').evaluate((field: HTMLInputElement) => {
    field.type = 'password';
    if (field.form) field.ownerDocument.body.append(field.form); // browsers look at new forms
  });
  await press(page);
  await expect.poll(filled).toEqual(expect.arrayContaining([USER, PASSWORD]));
  await expect(frame.locator('form :autofill')).toHaveCount(0);
  for (const field of await frame.locator('form input').all()) await expect(field).toHaveValue('');
  await frame.locator('[name=p]').click();
  await page.keyboard.type('typed');
  await expect(frame.locator('output')).toHaveText(/typed$/);
  expect(site.requests.join(' ')).not.toMatch(new RegExp(`${PASSWORD}|${USER}`));
});

test('[C1] a browser fills cards and addresses where the person has it fill them, and the page gets nothing of them', async ({
  page,
  site,
  visit,
}) => {
  site.on('/shop', withReport(SHOP));
  const frame = await visit('/shop');
  await expect(frame.locator('[name=country]')).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('Autofill.enable');
  const field = async (name: string): Promise<number> => {
    const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1, pierce: true });
    const node = nodes.find(({ attributes = [] }) => attributes.join(' ').includes(`name ${name}`));
    return node?.backendNodeId ?? 0;
  };
  const fill = async (name: string, what: object, last: string): Promise<void> => {
    // The browser fills nothing into a form that it has not looked at yet, and does not say so.
    await expect(async () => {
      const filled = await watchFills(page);
      const [main] = (await session.send('Page.getFrameTree')).frameTree.childFrames ?? [];
      const asked = { fieldId: await field(name), frameId: main?.frame.id, ...what };
      await session.send('Autofill.trigger', asked as never); // newer than the types
      await expect.poll(filled, { timeout: 2_000 }).toContain(last);
    }).toPass();
    await expect(frame.locator('form :autofill')).toHaveCount(0);
  };
  await fill('cardnumber', { card: CARD }, CARD.cvc);
  await fill('firstname', { address: { fields: ADDRESS } }, 'DE');
  for (const each of await frame.locator('input,select').all()) await expect(each).toHaveValue('');
  // A choice and keys of the person's do reach it, and come after all that was filled.
  await frame.locator('[name=country]').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(frame.locator('output')).toHaveText('DE');
  await frame.locator('[name=cardnumber]').click();
  await page.keyboard.type('4');
  await expect(frame.locator('output')).toHaveText('DE 4');
});

test('[C1] a browser never offers to keep a password that is typed into an isolated page', async ({
  page,
  site,
  visit,
}) => {
  site.on('/login', SIGN_IN);
  site.on('/in', '<!doctype html><h1>Welcome</h1>');
  const frame = await visit('/login');
  const session = await page.context().newCDPSession(page);
  const before = await histogram(session, OFFERS);
  await frame.locator('[name=u]').click();
  await page.keyboard.type('berta');
  await frame.locator('[name=p]').click();
  await page.keyboard.type('a new secret');
  await expect(frame.locator('[name=p]')).toHaveValue('•'.repeat(12));
  await page.keyboard.press('Enter');
  await expect(frame.locator('h1')).toHaveText('Welcome');
  // Leaving the service's page is the last time at which a browser could offer it.
  await page.goto('about:blank');
  expect(await histogram(session, OFFERS)).toBe(before);
});
