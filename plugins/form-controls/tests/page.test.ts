import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundlePage } from '../../../core/testing/page-bundle.ts';
import { openBrowser } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';

/** Keeps what the page half sends; the test reaches it in the page's own world. */
const BINDING = `globalThis.sent = []; globalThis.vitrineSend = (json) => {
  const [name, params] = JSON.parse(json);
  if (name === 'form-controls.page-report') sent.push([params.problem, params.limit, params.words]);
  if (name === 'form-controls.page-over') sent.push('over');
};`;

let browser: TestBrowser;
let bundle: string;

beforeAll(async () => {
  [browser, bundle] = await Promise.all([openBrowser(), bundlePage('form-controls')]);
});
afterAll(() => browser.close());

async function open(html: string): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(`if (window === window.top) {${BINDING}${bundle}}`);
  await page.route('**/*', (route) => route.fulfill({ body: `<!doctype html>${html}`, contentType: 'text/html' }));
  await page.goto('http://page.test/');
  return page;
}

/** Waits until the page half has had its turn, and returns what it has sent so far. */
const sent = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve));
    return (globalThis as unknown as { sent: unknown }).sent;
  });

it.each([
  ['<input required>', ['missing', '', '']],
  ['<textarea required></textarea>', ['missing', '', '']],
  ['<input type=checkbox required>', ['missing-check', '', '']],
  ['<input type=radio name=a required>', ['missing-choice', '', '']],
  ['<select required><option value="">none</select>', ['missing-option', '', '']],
  ['<select multiple required><option>one</select>', ['missing-option', '', '']],
  ['<input type=file required>', ['missing-file', '', '']],
  ['<input type=email value=a>', ['email', '', '']],
  ['<input type=url value=a>', ['url', '', '']],
  ['<input pattern=b value=a title="One b">', ['pattern', '', 'One b']],
  [`<input pattern=b value=a title="${'x'.repeat(600)}">`, ['pattern', '', 'x'.repeat(500)]],
  ['<input type=number min=3 value=2>', ['low', '3', '']],
  ['<input type=date max=2020-01-01 value=2020-01-02>', ['high', '2020-01-01', '']],
  ['<input type=number min=0 step=2 value=3>', ['step', '', '']],
])('[M-064] a refused form with %s is reported as %j', async (control, report) => {
  const page = await open(`<form>${control}<button>send</button></form>`);
  await page.click('button');
  expect(await sent(page)).toEqual([report]);
  await page.close();
});

it('[M-064] says how long a typed text must be, and that a text is no number', async () => {
  const page = await open('<form><input id=a minlength=5><input id=b type=number><button>send</button></form>');
  await page.locator('#a').pressSequentially('abc');
  await page.click('button');
  expect(await sent(page)).toEqual([['short', '5', '']]); // Chromium lets timers wait for a frame after a press
  await page.locator('#a').pressSequentially('de');
  await page.locator('#b').pressSequentially('-');
  await page.click('button');
  expect(await sent(page)).toEqual([['short', '5', ''], 'over', ['bad', '', '']]);
  await page.close();
});

it.each([
  ['<input id=a type=number required>', '-'],
  ['<input id=a type=date required>', '01'],
])('[M-064] a needed %s in which something is typed that is no value is not called empty', async (control, typed) => {
  const page = await open(`<form>${control}<button>send</button></form>`);
  await page.locator('#a').pressSequentially(typed);
  await page.click('button');
  expect(await sent(page)).toEqual([['bad', '', '']]);
  await page.close();
});

it("[M-064] reports the page's own message, of the first control whose event the page has not prevented", async () => {
  const page =
    await open(`<form><input id=a required><input id=b><input id=c required><button>send</button></form><script>
    a.oninvalid = (event) => event.preventDefault();
    b.setCustomValidity('Not yours');
  </script>`);
  await page.click('button');
  expect(await sent(page)).toEqual([['custom', '', 'Not yours']]);
  await page.close();
});

it('[M-064] reports nothing of an event that the page has made up', async () => {
  const page = await open('<form><input id=a required></form>');
  await page.locator('#a').focus();
  await page.evaluate("a.dispatchEvent(new Event('invalid', { cancelable: true }))");
  expect(await sent(page)).toEqual([]);
  await page.close();
});

it('reports what the browser shows by script, and nothing of what the page checks itself or takes upon itself', async () => {
  const page = await open(`<form><input id=a required><button id=b>send</button></form><script>
    window.ask = (method) => { a.focus(); return document.forms[0][method](); };
  </script>`);
  const ask = (method: string): Promise<unknown> => page.evaluate(`ask('${method}')`);
  await ask('checkValidity');
  expect(await sent(page)).toEqual([['missing', '', '']]); // there is no main half in this world that tells of the call
  await page.evaluate('a.blur(), sent.length = 0');
  await ask('reportValidity');
  expect(await sent(page)).toEqual([['missing', '', '']]);
  await page.evaluate("sent.length = 0, a.addEventListener('invalid', (event) => event.preventDefault())");
  await ask('reportValidity');
  expect(await sent(page)).toEqual([]);
  await page.close();
});

it('[M-064] ends with a change of the control, or when it is left', async () => {
  const page = await open('<form><input id=a required><button id=b>send</button></form><input id=c>');
  await page.click('button');
  expect(await sent(page)).toEqual([['missing', '', '']]);
  await page.locator('#a').press('x');
  await page.locator('#a').press('y');
  expect(await sent(page)).toEqual([['missing', '', ''], 'over']);
  await page.fill('#a', '');
  await page.click('button');
  expect(await sent(page)).toEqual([['missing', '', ''], 'over', ['missing', '', '']]);
  await page.locator('#c').focus();
  await page.locator('#a').focus();
  expect(await sent(page)).toEqual([['missing', '', ''], 'over', ['missing', '', ''], 'over']);
  await page.close();
});
