import { expect, test } from './support/vitrine.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('lazy images are loaded near the viewport, and take the same space before as on the site', async ({
  page,
  open,
  site,
}) => {
  for (const name of ['near', 'far', 'late', 'after'])
    site.on(`/${name}.png`, (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
  site.on(
    '/',
    `<!doctype html><link rel=icon href="data:,"><body style="margin:0"><img id=near loading=lazy src=near.png><img id=after>
    <div style="height:20000px"></div>
    <img id=far loading=lazy src=far.png style="border:1px solid"><img id=late loading=lazy width=300 height=200 style="width:600px;height:auto">
    <script>onload = () => { document.querySelector('#late').src = 'late.png'; document.querySelector('#after').src = 'after.png'; document.title = 'done'; }</script>`,
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const pictures = (): number => new Set(asked.filter((path) => path.startsWith('/c/i/'))).size;
  const mirrored = await open('/');
  const shown = (id: string): Promise<unknown> =>
    mirrored.locator(`#${id}`).evaluate((element) => {
      const { naturalWidth, offsetWidth, offsetHeight } = element as HTMLImageElement;
      return [naturalWidth, offsetWidth, offsetHeight];
    });
  await expect(page).toHaveTitle('done');
  await expect.poll(() => shown('near')).toEqual([1, 1, 1]);
  await expect.poll(() => shown('after')).toEqual([1, 1, 1]); // asked for after the others would have been
  expect(await shown('far')).toEqual([0, 2, 2]);
  expect(await shown('late')).toEqual([0, 600, 400]);
  expect(pictures()).toBe(2);
  expect(site.requests.filter((line) => /far|late/.test(line))).toEqual([]);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 30_000);
  await expect.poll(() => shown('far')).toEqual([1, 3, 3]);
  await expect.poll(() => shown('late')).toEqual([1, 600, 600]);
  expect(site.requests.filter((line) => /far|late/.test(line)).length).toBe(2);
});
