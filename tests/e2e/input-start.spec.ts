import { expect, test, view } from './support/vitrine.ts';

/** A field, and what the surrogate's own page has in it. */
const FIELD = `<!doctype html><textarea></textarea><output></output><script>
  addEventListener('input', ({ target }) => { document.querySelector('output').textContent = target.value; });</script>`;
const TEXT = 'typed at once';
/** Delay of a chunk that input does not need, in ms. */
const CHUNK_DELAY_MS = 4000;

for (const late of ['clipboard', 'wheel']) {
  test(`takes keys as soon as the page is shown, though the chunk of ${late} is late`, async ({
    page,
    site,
    vitrine,
  }) => {
    site.on('/field', FIELD);
    let isThere = false;
    await page.route(new RegExp(`/${late}-[^/]*\\.js`), async (route) => {
      await new Promise((resolve) => setTimeout(resolve, CHUNK_DELAY_MS));
      isThere = true;
      await route.continue();
    });
    await page.goto(`${vitrine}/${site.origin}/field`);
    await view(page).locator('textarea').click();
    await page.keyboard.type(TEXT);
    await expect(view(page).locator('output')).toHaveText(TEXT);
    expect(isThere).toBe(false);
    const shell = page.locator('html');
    await expect(shell).toHaveAttribute('data-vitrine-state', 'loading'); // a plugin is missing
    await expect(shell).toHaveAttribute('data-vitrine-state', 'ready');
    expect(isThere).toBe(true);
  });
}
