import { expect, shown, test, view } from './support/vitrine.ts';

test('opens a page once where the answer to the pair request is lost', async ({ page, site, vitrine }) => {
  let visits = 0;
  site.on('/counted', (_request, response) => {
    visits += 1;
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
    response.end(`<!doctype html><title>Counted</title><p id="visits">${visits}</p>`);
  });
  const attempts: unknown[] = [];
  let lost = 0;
  await page.route('**/r/pair', async (route) => {
    attempts.push((route.request().postDataJSON() as { attempt?: unknown }).attempt); // as the client sends it
    if (lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.goto(`${vitrine}/${site.origin}/counted`);
  await shown(page);
  await expect(view(page).locator('#visits')).toHaveText('1');
  expect(attempts).toHaveLength(2);
  expect(attempts[0]).toMatch(/^[\w-]{22}$/);
  expect(attempts[1]).toBe(attempts[0]);
  expect(visits).toBe(1);
});
