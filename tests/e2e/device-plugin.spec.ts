import path from 'node:path';
import type { FrameLocator } from 'playwright/test';
import { expect, test } from './support/vitrine.ts';

test.use({ hostOptions: ['--plugins', path.resolve(import.meta.dirname, '../fixtures/dial')] });

/** A page that says in its `<output>` which trusted input it has heard. */
const PAGE = `<!doctype html><style>body{margin:0;font:16px/20px sans-serif}</style><input autofocus aria-label="text"><output></output><script>
  const heard = [];
  const say = (...what) => { heard.push(what.join(' ')); document.querySelector('output').textContent = heard.join('|'); };
  addEventListener('keydown', ({ key, isTrusted }) => { if (isTrusted) say(key); }, true);
  addEventListener('wheel', (event) => { event.preventDefault(); if (event.isTrusted) say('wheel', event.deltaY); }, { passive: false });
  const fill = () => document.documentElement.requestFullscreen().then(() => say('full'), () => say('refused'));
</script>`;

/** Turns the dial over the view, as its driver in the person's browser would: again until the plugin hears it. A turn by 0 is a press. */
const turn = (frame: FrameLocator, degrees: number): Promise<void> =>
  expect
    .poll(() =>
      frame.locator('body').evaluate((body, by) => {
        const detail = { x: 40, y: 100, degrees: by };
        return body.ownerDocument.dispatchEvent(new CustomEvent('dial', { detail, cancelable: true }));
      }, degrees),
    )
    .toBe(false);

test('a plugin from outside adds a device, whose events reach the page in order with all others', async ({
  page,
  site,
  open,
}) => {
  site.on('/dial', PAGE);
  const frame = await open('/dial');
  await frame.getByLabel('text').click();
  const said = frame.locator('output');
  await page.keyboard.press('a');
  await turn(frame, 30);
  await expect(said).toHaveText('a|wheel 30');
  await page.keyboard.press('b');
  await turn(frame, -15);
  await page.keyboard.press('c');
  await expect(said).toHaveText('a|wheel 30|b|wheel -15|c');
});
