import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type { Answers } from './shell-entry.ts';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(
    browser,
    script,
    '<!doctype html><title>Test</title><a id="link" href="/nowhere">A <b>link</b></a>',
  );
  return () => page.close();
});

const KNOWN = { success: true, reauth: false, redirects: [] };
const TOKEN = { host: 'inspect.test', itok: 'token', tok_s: 'salt' };
const CHECK = ['auth', { operation: 'check', body: { sb: 'blob' } }];

const start = (answers: Answers, checks?: unknown, pairing: object = {}, prefix = '/'): Promise<void> =>
  page.evaluate(
    ([given, counted, facts, at]) =>
      window.startLogin(
        { prefix: at, url: 'https://portal.test/home', pairing: { sb: 'blob', use_integrity_token: true, ...facts } },
        given,
        counted,
      ),
    [answers, checks, pairing, prefix] as const,
  );
const helped = (): Promise<unknown> => page.evaluate(() => window.login.helped);
/** Calls of the helper by a half that has been started, once another that was started after it has had its check. */
async function helpedBeforeNext(): Promise<unknown> {
  const before = await page.evaluateHandle(() => window.login);
  await start({ check: KNOWN });
  await expect.poll(helped).toEqual([CHECK]);
  return before.evaluate((login) => login.helped);
}
const counted = (): Promise<unknown> => page.evaluate(() => window.login.client.storage.get('checks'));
const text = (): Promise<string[]> => page.locator('.vitrine-banner').allTextContents();
const reloads = (): Promise<readonly string[]> => page.evaluate(() => window.login.reloads);

describe('the auth check', () => {
  it('[S-122] shows the blob of the pairing, and ends when the person is authenticated', async () => {
    await start({ check: KNOWN }, { failures: 1, at: 0 });
    await expect.poll(helped).toEqual([CHECK]);
    await expect.poll(counted).toBeUndefined();
    expect(await text()).toEqual([]);
  });

  it('[S-122] takes each token to its host, and uses the host in the response', async () => {
    await start({ check: { ...KNOWN, redirects: [TOKEN] }, do_itok_auth: { use_inspect_host: false } });
    await expect
      .poll(helped)
      .toEqual([CHECK, ['auth', { operation: 'do_itok_auth', body: TOKEN }], ['useInspectHost', { use: false }]]);
  });

  it('[S-122] lets the person sign in again when the response requires it', async () => {
    await start({ check: { success: false, reauth: true, redirects: [] } });
    await expect.poll(text).toEqual(['login.reauthlogin.sign-in']);
    expect(await reloads()).toEqual([]); // never automatically: the state of the page would be lost
    await page.getByRole('button').click();
    await expect.poll(reloads).toEqual(['sign-in']);
  });

  it('[S-031] shows a retry button after a failure', async () => {
    await start({ check: { ...KNOWN, redirects: [TOKEN] }, do_itok_auth: 'status 403' });
    await expect.poll(text).toEqual(['login.failedlogin.again']);
    await page.evaluate((known) => {
      window.answers = { check: known };
    }, KNOWN);
    await page.getByRole('button', { name: 'login.again' }).click();
    await expect.poll(async () => ((await helped()) as unknown[]).length).toBe(3);
    await expect.poll(text).toEqual([]);
  });

  const bad: [string, Answers][] = [
    ['an invalid answer', { check: { success: 'yes' } }],
    ['a refusal', { check: { success: false, reauth: false, redirects: [] } }],
    ['no answer', { check: 'away' }],
  ];
  it.each(bad)('[S-144] counts %s as a failure', async (_what, answers) => {
    await start(answers, { failures: 1, at: 0 });
    await expect.poll(counted).toMatchObject({ failures: 2 });
    const events = (): Promise<string[]> => page.evaluate(() => window.login.events.map(({ name }) => name));
    await expect.poll(events).toEqual(['tc-auth-check-failed']);
  });

  it('[S-144] is skipped after 3 failures within 5 minutes of the last', async () => {
    await start({ check: KNOWN }, { failures: 3, at: Date.now() - 280_000 });
    expect(await helpedBeforeNext()).toEqual([]);
  });

  it.each([
    ['after fewer failures', { failures: 2, at: Date.now() }],
    ['later', { failures: 3, at: Date.now() - 300_000 }],
    ['where the stored value is invalid', { failures: 'x' }],
  ])('[S-144] is not skipped %s', async (_when, checks) => {
    await start({ check: KNOWN }, checks);
    await expect.poll(helped).toEqual([CHECK]);
  });

  it('is skipped where the pairing does not ask for it', async () => {
    await start({ check: KNOWN }, undefined, { use_integrity_token: false });
    expect(await helpedBeforeNext()).toEqual([]);
  });
});

describe('the portal of a multi-page app', () => {
  const press = async (
    href: string,
    { mpa = true, act = (link) => link.click() }: { mpa?: boolean; act?: (link: Locator) => Promise<void> } = {},
  ): Promise<void> => {
    await start({ check: KNOWN }, undefined, mpa ? { mpa_id: 'app' } : {}, mpa ? '/mpa/app/' : '/');
    await page.evaluate((address) => {
      document.getElementById('link')?.setAttribute('href', address);
      document.addEventListener('click', (event) => event.preventDefault()); // prevents navigation away from the test
      window.heard = [];
      for (const type of ['mousedown', 'keydown', 'click', 'auxclick'])
        document.addEventListener(
          type,
          (event) => {
            if (!('key' in event && event.key === 'Control')) window.heard.push(type);
          },
          true,
        );
    }, href);
    await act(page.locator('#link'));
  };
  const MARKED = '/mpa/app/https://portal.test/login?_sv_sign_in=1';
  const heard = (): Promise<readonly string[]> => page.evaluate(() => window.heard);

  it.each<[string, (link: Locator) => Promise<void>]>([
    ['a click', (link) => link.click()],
    ['a click on what is in it', (link) => link.locator('b').click()],
    ['Enter', (link) => link.press('Enter')],
    ['a click with Ctrl', (link) => link.click({ modifiers: ['Control'] })],
    ['the middle button', (link) => link.click({ button: 'middle' })],
  ])(
    '[S-009] lets the person sign in at the top by its marked link, by %s, and the page does not hear of it',
    async (_how, act) => {
      await press(MARKED, { act });
      await expect.poll(reloads).toEqual(['sign-in']);
      expect(await heard()).toEqual([]);
    },
  );

  it('[S-009] leaves other keys and buttons to the page, and all once the plugin is over', async () => {
    await press(MARKED, {
      act: async (link) => {
        await link.press('a');
        await link.click({ button: 'right' });
        await page.evaluate(() => window.login.disposeClient());
        await link.click();
      },
    });
    expect(await reloads()).toEqual([]);
    expect(await heard()).toEqual(['keydown', 'mousedown', 'auxclick', 'mousedown', 'click']);
  });

  it.each([
    ['an ordinary link', '/mpa/app/https://portal.test/login', true],
    ['a link of another site', '/mpa/app/https://evil.test/?_sv_sign_in=1', true],
    ['a link outside the app', '/https://portal.test/?_sv_sign_in=1', true],
    ['a session of no app', '/https://portal.test/?_sv_sign_in=1', false],
  ])('[S-009] is not taken for it: %s', async (_what, href, mpa) => {
    await press(href, { mpa });
    expect(await reloads()).toEqual([]);
    expect(await heard()).toEqual(['mousedown', 'click']);
  });
});
