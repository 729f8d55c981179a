import { expect, shown, test, view } from './support/vitrine.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a picture that a browser may keep is fetched once for all tabs of a person, any other by each', async ({
  page,
  open,
  site,
  vitrine,
}) => {
  const serve = (name: string, control: string): void =>
    site.on(`/${name}.png`, (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': control }).end(PNG),
    );
  serve('kept', 'max-age=600');
  serve('passing', 'no-store');
  site.on('/', '<!doctype html><img id=kept src=kept.png><img id=passing src=passing.png>');
  const first = await open('/');
  const other = await page.context().newPage();
  const loaded = (frame: typeof first, id: string): Promise<[address: string, bytes: number | undefined]> =>
    frame.locator(`#${id}`).evaluate(async (element) => {
      const image = element as HTMLImageElement;
      await image.decode();
      const [entry] = performance.getEntriesByName(image.src) as PerformanceResourceTiming[];
      return [image.src, entry?.transferSize];
    });
  const [kept, passing] = [await loaded(first, 'kept'), await loaded(first, 'passing')];
  expect(kept[1]).toBeGreaterThan(0);
  await other.goto(`${vitrine}/${site.origin}/`);
  await shown(other);
  expect(await loaded(view(other), 'kept')).toEqual([kept[0], 0]);
  const [address, bytes] = await loaded(view(other), 'passing');
  expect(address).not.toBe(passing[0]);
  expect(bytes).toBeGreaterThan(0);
  await other.close();
});
