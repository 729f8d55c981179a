import { GESTURE_MS } from '../../plugins/mirror/client/gestures.ts';
import { expect, test, view } from './support/vitrine.ts';

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] });
  },
});

/** Resolves after some ms. Runs in the shell. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const TALL = '<div style="height:3000px">top</div>';
/** Shows how often its button was pressed. */
const COUNTER = '<!doctype html><button onclick="this.textContent = ++this.value">0</button>';

for (const [name, host] of [
  ['of its site', '127.0.0.1'],
  ['of another site', 'localhost'],
] as const)
  test(`presses what is in a frame ${name} that was out of view, and that no gesture has brought there`, async ({
    site,
    open,
  }) => {
    site.on('/inner', COUNTER);
    site.on('/outer', `<!doctype html>${TALL}<iframe src="http://${host}:${site.port}/inner"></iframe>`);
    const frame = await open('/outer');
    const button = frame.frameLocator('iframe').getByRole('button');
    await button.click(); // scrolls the view as assistive technology does, without an event of a device
    await expect(button).toHaveText('1');
    await button.click();
    await expect(button).toHaveText('2');
  });

test('follows a scroll bar that is held for a while before it moves on', async ({ page, site, open }) => {
  site.on(
    '/tall',
    `<!doctype html><body style="margin:0">${TALL}<output style="position:fixed;top:0"></output><script>
    addEventListener('scroll', () => { document.querySelector('output').textContent = String(Math.round(scrollY)); })</script>`,
  );
  await open('/tall');
  const frame = view(page);
  const { width } = page.viewportSize()!;
  await page.mouse.move(width - 5, 30);
  await page.mouse.down();
  await page.mouse.move(width - 5, 80, { steps: 4 });
  await expect(frame.locator('output')).not.toBeEmpty();
  const first = Number(await frame.locator('output').textContent());
  await page.evaluate(pause, 3 * GESTURE_MS);
  await page.mouse.move(width - 5, 200, { steps: 4 });
  await expect.poll(async () => Number(await frame.locator('output').textContent())).toBeGreaterThan(first + 300);
  await page.mouse.up();
  const shown = await frame.locator('html').evaluate((root) => root.scrollTop);
  expect(Math.abs(shown - Number(await frame.locator('output').textContent()))).toBeLessThan(5);
});
