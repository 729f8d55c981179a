import { neverFires } from './support/never-fires.ts';
import { expect, test, view } from './support/vitrine.ts';

/** A field, and what the surrogate's own page has in it. */
const FIELD = `<!doctype html><textarea></textarea><output></output><script>
  addEventListener('input', ({ target }) => { document.querySelector('output').textContent = target.value; });</script>`;
const TEXT = 'typed at once';
/** Times in ms after which the shell goes on without a chunk (S-055), and counts a page that is shown as ready. */
const GIVES_UP_MS = [7000, 5000];

for (const late of ['clipboard', 'wheel']) {
  test(`takes keys as soon as the page is shown, though the chunk of ${late} is late`, async ({
    page,
    site,
    vitrine,
  }) => {
    site.on('/field', FIELD);
    const held = Promise.withResolvers<void>();
    let isAsked = false;
    await page.route(new RegExp(`/${late}-[^/]*\\.js`), async (route) => {
      isAsked = true;
      await held.promise;
      await route.continue();
    });
    await neverFires(page, GIVES_UP_MS); // it gives up no chunk here
    await page.goto(`${vitrine}/${site.origin}/field`);
    await view(page).locator('textarea').click();
    await page.keyboard.type(TEXT);
    await expect(view(page).locator('output')).toHaveText(TEXT);
    const shell = page.locator('html');
    await expect.poll(() => isAsked).toBe(true);
    await expect(shell).toHaveAttribute('data-vitrine-state', 'loading'); // a plugin is missing
    held.resolve();
    await expect(shell).toHaveAttribute('data-vitrine-state', 'ready');
  });
}
