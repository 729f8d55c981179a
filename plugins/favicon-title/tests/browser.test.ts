import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './browser-entry.ts';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'browser-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
afterEach(() => page.close());

describe('the local tab', () => {
  const icons = (): Promise<(string | null)[]> =>
    page.evaluate(() => [...document.querySelectorAll('link[rel~=icon]')].map((link) => link.getAttribute('href')));

  it('[M-063] [M-095] takes title and icon of the page, the latest replacing earlier ones', async () => {
    page = await openScript(browser, script, '<!doctype html><title>Vitrine</title><link rel="icon" href="data:,">');
    const client = await page.evaluateHandle(() => window.entry.startClient());
    const show = (title: string, icon: string) => client.evaluate((send, [a, b]) => send(a, b), [title, icon] as const);
    await show('Hello <b>', '/c/i/tab.token-1');
    expect(await page.title()).toBe('Hello <b>');
    expect(await icons()).toEqual(['/c/i/tab.token-1']);
    await show('Again', 'data:image/png;base64,AA');
    expect(await page.title()).toBe('Again');
    expect(await icons()).toEqual(['data:image/png;base64,AA']);
    for (const refused of [
      'https://site.test/icon.png',
      'https://site.test/?data:image/png;base64,AA',
      'https://site.test/c/i/token',
      '//site.test/icon.png',
      'data:text/html,<script>',
      'javascript:alert(1)',
      '/c/s/token',
      '/c/i/../../metrics',
      '/c/i/x?y',
      'about:invalid',
    ]) {
      await show('Again', refused);
      expect(await icons(), refused).toEqual(['data:image/png;base64,AA']);
    }
    expect(await show('Last', '')).toEqual({ faults: 0, recent: [{ url: 'https://site.test/', title: 'Last' }] });
    expect(await icons()).toEqual(['data:,']);
  });
});

describe('the page', () => {
  const open = async (body: string): Promise<void> => {
    page = await openScript(browser, script, body);
    await page.evaluate(() => window.entry.startPage());
  };
  const said = async (): Promise<unknown[]> => {
    // A poll ends with a flush, which sends what has changed: nothing is left to be sent at the one after.
    const before = await page.evaluate(() => window.entry.polls);
    await page.waitForFunction((polls) => window.entry.polls > polls + 1, before);
    const sent = await page.evaluate(() => window.entry.sent);
    expect(sent.filter(([name]) => name === 'page.log')).toEqual([]);
    return sent.filter(([name]) => name === 'favicon-title.identity').map(([, params]) => params);
  };

  it('sends its title and its last icon, and again when they change', async () => {
    await open(
      '<!doctype html><title>One</title><link rel="icon" href="/a.png"><link rel="shortcut ICON" href="b.png">',
    );
    const icon = 'http://shell.test/https://site.test/b.png';
    expect(await said()).toEqual([{ title: 'One', icon }]);
    await page.evaluate(() => {
      document.title = 'Two';
    });
    expect((await said()).slice(1)).toEqual([{ title: 'Two', icon }]);
    await page.evaluate(() => document.querySelectorAll('link').forEach((link) => link.remove()));
    expect((await said()).slice(2)).toEqual([{ title: 'Two', icon: 'http://shell.test/favicon.ico' }]);
  });

  it('sends them with markup that hides properties of the document', async () => {
    const names = ['title', 'readyState', 'querySelectorAll', 'body', 'head', 'location'];
    await open(
      `<!doctype html><title>Hidden</title>${names.map((name) => `<img name="${name}"><form name="${name}"></form>`).join('')}`,
    );
    expect(await said()).toEqual([{ title: 'Hidden', icon: 'http://shell.test/favicon.ico' }]);
  });

  it('cuts a long title, and ignores a long icon address', async () => {
    const long = 'x'.repeat(101_000);
    await open(`<!doctype html><title>${long}</title><link rel="icon" href="/${long}">`);
    expect(await said()).toEqual([{ title: 'x'.repeat(1000), icon: '' }]);
  });

  it('sends nothing in a frame', async () => {
    page = await openScript(browser, script, '<!doctype html><iframe srcdoc="<title>Inner</title>"></iframe>');
    const frame = page.frames()[1]!;
    await frame.evaluate(script);
    const sent = await frame.evaluate(() => {
      window.entry.startPage();
      return window.entry.sent.map(([name]) => name);
    });
    expect(sent).toEqual(['page.hello']);
  });
});
