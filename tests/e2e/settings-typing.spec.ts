import type { FrameLocator, Page } from 'playwright/test';
import { ofPage, seen, test, UPPER, withText } from './support/far-page.ts';
import { PolicyFile } from './support/policy-file.ts';
import { expect } from './support/vitrine.ts';

/** Settings by the first part of a page's path. */
const SETTINGS = {
  none: {},
  silent: { site_capabilities: { disable_local_echo: true } },
  plain: { site_capabilities: { disable_local_echo_ext: true } },
  short: { local_echo: { max_typeahead: 3 } },
  strict: { local_echo: { tolerance: 0 } },
  brief: { local_echo: { tolerance: 1, tolerance_time: 100 } },
  patient: { local_echo: { tolerance: 1, tolerance_time: 3_600_000 } },
};

let policy: PolicyFile;
test.use({
  hostOptions: async ({ folder, shared }, use) => {
    const sites = Object.entries(SETTINGS).map(([name, settings]) => ({
      match: `${shared.origin}/${name}/*`,
      policy: settings,
    }));
    policy = new PolicyFile(folder, sites);
    await use(['--policy', policy.path]);
  },
});

const LINE = withText('<input>');
const RICH = withText('<div contenteditable>x</div>');

/** Parts of a test that types over a slow line. */
interface Typing {
  readonly page: Page;
  readonly link: { stall(way: 'down', is: boolean): void };
  readonly answered: (act: () => Promise<unknown>) => Promise<void>;
}

/** Types while nothing of the page arrives, and returns what is shown then. The page has answered all keys in the end. */
async function ahead(
  { page, link, answered }: Typing,
  frame: FrameLocator,
  text: string,
  after: string,
): Promise<string> {
  let shown = '';
  await answered(async () => {
    link.stall('down', true);
    await page.keyboard.type(text);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    shown = await seen(frame);
    link.stall('down', false);
  });
  await ofPage(frame, after);
  await expect.poll(() => seen(frame)).toBe(after);
  return shown;
}

for (const [name, field, shown, after] of [
  ['none', LINE, 'abc', 'abc'],
  ['none', RICH, 'xabc', 'xabc'],
  ['silent', LINE, '', 'abc'],
  ['silent', RICH, 'x', 'xabc'],
  ['plain', LINE, 'abc', 'abc'],
  ['plain', RICH, 'x', 'xabc'],
] as const)
  test(`${name === 'none' ? '' : '[M-022] '}with ${JSON.stringify(SETTINGS[name])}, typing in ${field === RICH ? 'rich text' : 'a line'} is ${
    shown === after ? '' : 'not '
  }shown before the page has it`, async ({ page, site, far, answered, link }) => {
    site.on(`/${name}/field`, field);
    const frame = await far(`/${name}/field`);
    await answered(() => page.keyboard.press('End'));
    expect(await ahead({ page, link, answered }, frame, 'abc', after)).toBe(shown);
  });

test('local_echo.max_typeahead: so many keys are shown ahead of the page, by the settings of the page that a link has led to', async ({
  page,
  site,
  far,
  answered,
  link,
}) => {
  site.on('/none/line', `${LINE}<a href="/short/line">next</a>`);
  site.on('/short/line', `${LINE}<a href="/none/line">next</a>`);
  const frame = await far('/none/line');
  expect(await ahead({ page, link, answered }, frame, 'abcdef', 'abcdef')).toBe('abcdef');
  link.delayMs = 0;
  for (const [name, shown] of [
    ['short', 'abc'],
    ['none', 'abcdef'],
  ] as const) {
    await frame.getByRole('link').click();
    await expect(page).toHaveURL(`${link.origin}/${site.origin}/${name}/line`);
    await expect(frame.locator('output')).toHaveText('');
    await answered(() => frame.locator('input').click());
    expect(await ahead({ page, link, answered }, frame, 'abcdef', 'abcdef'), name).toBe(shown);
  }
});

for (const [name, shown] of [
  ['none', 'Ab'],
  ['strict', 'A'],
] as const)
  test(`with ${JSON.stringify(SETTINGS[name])}, a field that has answered otherwise once is ${
    name === 'strict' ? 'left to the page' : 'shown ahead again'
  }`, async ({ page, site, far, answered, link }) => {
    site.on(`/${name}/upper`, UPPER);
    const frame = await far(`/${name}/upper`);
    expect(await ahead({ page, link, answered }, frame, 'a', 'A')).toBe('a');
    expect(await ahead({ page, link, answered }, frame, 'b', 'AB')).toBe(shown);
  });

for (const [name, shown] of [
  ['brief', 'ABc'],
  ['patient', 'AB'],
] as const)
  test(`with ${JSON.stringify(SETTINGS[name])}, a field that has answered otherwise twice is ${
    name === 'patient' ? 'left to the page' : 'shown ahead again'
  }`, async ({ page, site, far, answered, link }) => {
    site.on(`/${name}/upper`, UPPER);
    const frame = await far(`/${name}/upper`);
    expect(await ahead({ page, link, answered }, frame, 'a', 'A')).toBe('a');
    expect(await ahead({ page, link, answered }, frame, 'b', 'AB')).toBe('Ab');
    expect(await ahead({ page, link, answered }, frame, 'c', 'ABC')).toBe(shown);
  });

test('client_capabilities.local_echo.extended: rich text is not shown ahead in tabs that are opened from then on', async ({
  page,
  site,
  far,
  answered,
  link,
}) => {
  site.on('/none/field', RICH);
  await far('/none/field');
  link.delayMs = 0;
  await policy.decide(page, { client_capabilities: { local_echo: { extended: false } } });
  await page.evaluate(() => sessionStorage.clear()); // for another pairing
  const frame = await far('/none/field');
  await answered(() => page.keyboard.press('End'));
  expect(await ahead({ page, link, answered }, frame, 'abc', 'xabc')).toBe('x');
  link.delayMs = 0;
  await policy.decide(page, {});
});
