import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ofPage, seen, test, UPPER, withText } from './support/far-page.ts';
import { expect } from './support/vitrine.ts';

/** Wrong echoes count for as long as a slow machine takes for a test. */
const POLICY = { tenants: { default: { policy: { local_echo: { tolerance_time: 3_600_000 } } } } };

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(policy, JSON.stringify(POLICY));
    await use(['--policy', policy]);
  },
});

const FIELDS = [
  ['an input', '<input>'],
  ['a text area', '<textarea></textarea>'],
  ['an editable element', '<div contenteditable>x</div>'],
] as const;

for (const [name, html] of FIELDS)
  test(`[M-026] shows what is typed into ${name} before the page can have answered`, async ({
    page,
    site,
    far,
    answered,
    link,
  }) => {
    site.on('/echo', withText(html));
    const frame = await far('/echo');
    await answered(() => page.keyboard.press('End'));
    const before = await seen(frame);
    link.stall('down', true); // nothing of the page arrives
    await page.keyboard.type('hello wolrd');
    for (let left = 0; left < 3; left += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('l');
    expect(await seen(frame)).toBe(`${before}hello world`);
    expect(await frame.locator('output').textContent()).toBe('');
    link.stall('down', false);
    await ofPage(frame, `${before}hello world`);
    await answered(() => page.keyboard.press('End')); // after all that the page has sent
    expect(await seen(frame)).toBe(`${before}hello world`);
  });

test('[M-046] takes back what the page answers otherwise, and guesses no more where it goes on to', async ({
  page,
  site,
  far,
  answered,
  link,
}) => {
  site.on('/upper', UPPER);
  const frame = await far('/upper');
  link.stall('down', true); // nothing of the page arrives
  await page.keyboard.type('ab');
  expect(await seen(frame)).toBe('ab');
  link.stall('down', false);
  await ofPage(frame, 'AB');
  await expect.poll(() => seen(frame)).toBe('AB');
  for (const text of ['ABC', 'ABCD', 'ABCDE', 'ABCDEF', 'ABCDEFG', 'ABCDEFGH']) {
    await answered(() => page.keyboard.type(text.slice(-1).toLowerCase()));
    await expect.poll(() => seen(frame)).toBe(text);
  }
  await ofPage(frame, 'ABCDEFGH');
  link.stall('down', true);
  await page.keyboard.type('xyz');
  expect(await seen(frame)).toBe('ABCDEFGH'); // too often wrong in this field
  link.stall('down', false);
  await ofPage(frame, 'ABCDEFGHXYZ');
  await expect.poll(() => seen(frame)).toBe('ABCDEFGHXYZ');
});

test('takes back a key that the page prevents, and keeps what was typed after it', async ({ page, site, far }) => {
  site.on(
    '/digits',
    withText('<input>', `field.onkeydown = (event) => { if (event.key === 'x') event.preventDefault(); };`),
  );
  const frame = await far('/digits');
  await page.keyboard.type('1x2');
  await ofPage(frame, '12');
  await expect.poll(() => seen(frame)).toBe('12');
});

test('echoes bullets in a password field, and stops at the length that a field has', async ({
  page,
  site,
  far,
  link,
}) => {
  site.on('/secret', withText('<input type="password" maxlength="6">'));
  const frame = await far('/secret');
  link.stall('down', true);
  await page.keyboard.type('hunter22');
  expect(await seen(frame)).toBe('••••••');
  link.stall('down', false);
  await ofPage(frame, 'hunter');
  await expect.poll(() => seen(frame)).toBe('••••••');
});

test('types what follows Tab into the next field, and nothing into the one before', async ({
  page,
  site,
  far,
  link,
}) => {
  site.on('/form', withText('<input><textarea></textarea>'));
  const frame = await far('/form');
  link.stall('down', true);
  await page.keyboard.type('one');
  await page.keyboard.press('Tab');
  await page.keyboard.type('two');
  expect(await frame.locator('input').inputValue()).toBe('one');
  link.stall('down', false);
  await expect(frame.locator('textarea')).toHaveValue('two');
  await expect(frame.locator('input')).toHaveValue('one');
});

test('loses no key where the line is cut while somebody types', async ({ page, site, far, answered, link }) => {
  site.on('/cut', withText('<textarea></textarea>'));
  const frame = await far('/cut');
  const text = 'the quick brown fox jumps over the lazy dog';
  for (const [index, key] of Array.from(text).entries()) {
    await page.keyboard.type(key);
    if (index === 20) link.reset();
    await delay(20); // a person's pace
  }
  await expect.poll(() => seen(frame)).toBe(text);
  await ofPage(frame, text);
  await answered(() => page.keyboard.press('End')); // after all that the page has sent
  expect(await seen(frame)).toBe(text);
});

for (const [name, rest] of [
  ['a style', '<style>b { color: red }</style>'],
  ['a script', '<script>let a = 1;</script>'],
  ['a part for browsers without scripts', '<noscript>none</noscript>'],
] as const)
  test(`finds the same text in the page and in the view of rich text that holds ${name}`, async ({
    page,
    site,
    far,
    answered,
  }) => {
    site.on('/rich', withText(`<div contenteditable>${rest}<b>x</b></div>`));
    const compared = { sent: 0, failed: 0 };
    page.on('websocket', (socket) => {
      const holds = (payload: string | Buffer): boolean => /"length":\d+,"hash":\d+/.test(payload.toString());
      socket.on('framesent', ({ payload }) => (compared.sent += Number(holds(payload))));
      socket.on('framereceived', ({ payload }) => (compared.failed += Number(holds(payload))));
    });
    const frame = await far('/rich');
    await answered(() => page.keyboard.press('End'));
    await answered(() => page.keyboard.type('a'));
    await expect(frame.locator('output')).toContainText('xa>');
    await expect.poll(() => compared.sent).toBeGreaterThan(0);
    await answered(() => page.keyboard.type('b')); // after the answer of the page to what was compared
    expect(compared.failed).toBe(0);
  });
