import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright/test';
import { loaded } from './support/loaded.ts';
import { expect, test } from './support/vitrine.ts';

const POLICY = { tenants: { default: { policy: { site_capabilities: { key_ctrl_wait: true } } } } };
test.use({
  hostOptions: [
    async ({ folder }, use) => {
      const file = path.join(folder, 'vitrine.policy.yaml');
      writeFileSync(file, JSON.stringify(POLICY));
      await use(['--policy', file, '--allow-network', 'localhost']);
    },
    { scope: 'worker' },
  ],
});

/** A page that shows in its `<output>` what its script puts into `heard`: the surrogate's own events. */
const withLog = (body: string, script: string): string =>
  `<!doctype html><style>body{margin:8px;font:16px sans-serif}</style>${body}<output></output><script>
    const heard = []; const say = (...what) => { heard.push(what.join(' ')); document.querySelector('output').textContent = heard.join('|'); };
    ${script}</script>`;
const output = (frame: FrameLocator) => frame.locator('output');

test('brings mouse, keyboard, wheel, composition and clipboard to the page, one event of each kind', async ({
  page,
  site,
  open,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  site.on(
    '/kinds',
    withLog(
      '<input>',
      `for (const type of ['mousedown', 'keydown', 'wheel', 'paste', 'copy'])
        addEventListener(type, (event) => { if (!heard.includes(type) && event.isTrusted) say(type); });
      addEventListener('input', ({ target }) => { if (target.value.includes('日本') && !heard.includes('composition')) say('composition'); });`,
    ),
  );
  const frame = await open('/kinds');
  await frame.locator('input').click();
  await expect(output(frame)).toHaveText('mousedown');
  await page.keyboard.press('a');
  await expect(output(frame)).toHaveText('mousedown|keydown');
  await page.mouse.wheel(0, 120);
  await expect(output(frame)).toHaveText('mousedown|keydown|wheel');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await session.send('Input.insertText', { text: '日本' });
  await expect(output(frame)).toHaveText('mousedown|keydown|wheel|composition');
  await page.evaluate(() => navigator.clipboard.writeText('pasted'));
  await page.keyboard.press('Control+v');
  await expect(output(frame)).toHaveText('mousedown|keydown|wheel|composition|paste');
});

test('lets keys and buttons come up where the focus leaves the view, and clicks nothing', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/held',
    withLog(
      '<button style="width:200px;height:60px">press</button>',
      `for (const type of ['keydown', 'keyup', 'mousedown', 'mouseup', 'click'])
        addEventListener(type, ({ key, button, target }) => say(type, key ?? button, target.localName ?? 'document'));`,
    ),
  );
  const frame = await open('/held');
  await loaded(page, 'late-input');
  await frame.locator('button').hover();
  await page.mouse.down();
  await expect(output(frame)).toHaveText('mousedown 0 button');
  await page.keyboard.down('Shift');
  await expect(output(frame)).toHaveText('mousedown 0 button|keydown Shift button');
  await page.evaluate(() => {
    const other = document.createElement('button');
    document.body.append(other);
    other.focus();
  });
  await expect(output(frame)).toContainText('keyup Shift');
  await expect(output(frame)).toContainText('mouseup 0');
  await expect(output(frame)).not.toContainText('click 0 button');
});

test('holds a button for as long as the person does, also where the press moves the focus into another frame', async ({
  page,
  site,
  open,
}) => {
  const spy = (name: string): string =>
    `<script>for (const type of ['mousedown', 'mouseup', 'click']) addEventListener(type, ({ target }) =>
      parent.postMessage('${name} ' + type + ' ' + target.localName, '*'));
      new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });</script>`;
  site.on('/inner', `<!doctype html><title>in</title><button>press</button>${spy('inner')}`);
  site.on(
    '/frames',
    withLog(
      `<input><iframe src="http://localhost:${site.port}/inner"></iframe>`,
      `addEventListener('message', ({ data }) => say(data));`,
    ),
  );
  const frame = await open('/frames');
  await frame.locator('input').click();
  // Chromium finds no frame of another site under a press before it has painted it.
  await expect(frame.frameLocator('iframe').locator('body')).toHaveAttribute('data-painted');
  const button = frame.frameLocator('iframe').getByRole('button');
  await button.hover();
  await page.mouse.down();
  await expect(output(frame)).toHaveText('inner mousedown button');
  // Two turns: the focus has moved, and what it leads to has reached the page.
  await page.keyboard.press('Shift');
  await page.keyboard.press('Shift');
  await page.mouse.up();
  await expect(output(frame)).toHaveText('inner mousedown button|inner mouseup button|inner click button');
});

test('types accents, AltGraph and keys of several characters, and edits as on a Mac', async ({ page, site, open }) => {
  site.on(
    '/typed',
    withLog('<input>', `addEventListener('input', ({ target }) => { heard.length = 0; say(target.value); });`),
  );
  const frame = await open('/typed');
  await frame.locator('input').click();
  const press = (init: Readonly<Record<string, string | boolean | number>>): Promise<unknown> =>
    frame.locator('input').evaluate((element, given) => {
      for (const type of ['keydown', 'keyup'])
        element.dispatchEvent(new KeyboardEvent(type, { ...given, bubbles: true, cancelable: true }));
    }, init);
  await press({ key: 'لا', code: 'KeyB', keyCode: 66 });
  await press({ key: '@', code: 'KeyQ', keyCode: 81, ctrlKey: true, altKey: true, modifierAltGraph: true });
  await press({ key: 'é', code: 'KeyE', keyCode: 69 });
  await expect(output(frame)).toHaveText('لا@é');
  await page.evaluate(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel', configurable: true }));
  await page.keyboard.type(' one two');
  await press({ key: 'Backspace', code: 'Backspace', keyCode: 8, altKey: true });
  await expect(output(frame)).toHaveText('لا@é one');
});

test('types the accents of dead keys, whose letters browsers may say without them, and lets all keys come up', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/accents',
    withLog(
      '<input>',
      `addEventListener('keydown', ({ code }) => say('down', code)); addEventListener('keyup', ({ code }) => say('up', code));
      addEventListener('input', ({ target }) => say(target.value));`,
    ),
  );
  const frame = await open('/accents');
  await frame.locator('input').click();
  for (const chunk of ['composition.follow', 'keyboard.rare-keys', 'local-echo.start']) await loaded(page, chunk);
  const session = await page.context().newCDPSession(page);
  const dead = { key: 'Dead', code: 'Equal', windowsVirtualKeyCode: 187 };
  const letter = { key: 'e', code: 'KeyE', windowsVirtualKeyCode: 69 };
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...dead });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...dead });
  await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...letter, text: 'é', unmodifiedText: 'e' });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...letter });
  await page.keyboard.press('x');
  await expect(output(frame)).toHaveText('down Equal|up Equal|down KeyE|é|up KeyE|down KeyX|éx|up KeyX');
  await expect(frame.locator('input')).toHaveValue('éx');
});

test('[M-093] holds the browser’s shortcuts back for a page, until it leaves one to the browser', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/shortcuts',
    withLog(
      '<input>',
      `addEventListener('keydown', (event) => {
        if (!event.ctrlKey || event.key === 'Control') return;
        say(event.key);
        if (event.key === 'l') event.preventDefault();
      });`,
    ),
  );
  const frame = await open('/shortcuts');
  await frame.locator('input').click();
  await loaded(page, 'keyboard.rare-keys');
  /** Presses Ctrl with a key; answers with whether that is left to the browser. */
  const isLeft = (key: string): Promise<boolean> =>
    frame.locator('input').evaluate((element, given) => {
      const init = { key: given, code: `Key${given.toUpperCase()}`, ctrlKey: true, bubbles: true, cancelable: true };
      const left = element.dispatchEvent(new KeyboardEvent('keydown', init));
      element.dispatchEvent(new KeyboardEvent('keyup', init));
      return left;
    }, key);
  expect(await isLeft('l')).toBe(false);
  await expect(output(frame)).toHaveText('l');
  expect(await isLeft('j')).toBe(false);
  await expect(output(frame)).toHaveText('l|j');
  await expect.poll(() => isLeft('j')).toBe(true); // once the client has heard that the page has left it
  expect(await isLeft('l')).toBe(false);
});

test('shows the ring of focus with the first key after a press by which a script has moved the focus', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/ring',
    `<!doctype html><button id="first">first</button><button id="second">second</button><output></output><script>
      document.querySelector('#first').onclick = () => document.querySelector('#second').focus();
      addEventListener('keyup', () => { document.querySelector('output').textContent += document.querySelectorAll(':focus-visible').length; });
    </script>`,
  );
  const frame = await open('/ring');
  const ringed = frame.locator('#second:focus-visible');
  await frame.locator('#first').click();
  await expect(frame.locator('#second')).toBeFocused();
  await expect(ringed).toHaveCount(0);
  await page.keyboard.press('Shift');
  await expect(frame.locator('output')).toHaveText('1'); // as in the page
  await expect(ringed).toHaveCount(1);
});
