import { expect, test } from './support/vitrine.ts';

/** A picture of a width. */
const picture = (width: number): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="1"/>`;

test('a changed picture changes in the view when the surrogate shows it, and not before', async ({ open, site }) => {
  let width = 10;
  const asked = { fresh: 0, kept: 0 };
  const answer =
    (control: string, key: keyof typeof asked) => (_: unknown, response: import('node:http').ServerResponse) => {
      asked[key]++;
      response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': control }).end(picture(width));
    };
  site.on('/fresh.svg', answer('no-cache', 'fresh'));
  site.on('/kept.svg', answer('max-age=600', 'kept'));
  site.on(
    '/',
    '<!doctype html><link rel=icon href="data:,"><img src=fresh.svg><img src=kept.svg><a href="/next">on</a>',
  );
  site.on('/next', '<!doctype html><link rel=icon href="data:,"><p>Next<img src=fresh.svg><img src=kept.svg>');
  const mirrored = await open('/');
  const widths = (): Promise<number[]> =>
    mirrored
      .locator('body')
      .evaluate((body) => [...body.querySelectorAll('img')].map(({ naturalWidth }) => naturalWidth));
  await expect.poll(widths).toEqual([10, 10]);
  width = 20;
  await mirrored.locator('a').click();
  await expect(mirrored.locator('p')).toHaveText('Next');
  await expect.poll(widths).toEqual([20, 10]);
  expect(asked).toEqual({ fresh: 2, kept: 1 });
});
