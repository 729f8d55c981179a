import { look } from './support/painted.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const HEAD = '<link rel=icon href="data:,"><style>body { margin: 0 } h1 { margin: 0; height: 300px }</style>';
const COUNT = '<script>document.querySelector("h1").onclick = () => (document.title = "Clicked")</script>';

test.beforeEach(({ site }) => {
  for (const name of ['first', 'second'])
    site.on(`/${name}`, `<!doctype html><title>Title of ${name}</title>${HEAD}<h1>${name}</h1>${COUNT}`);
  site.on('/silent', () => undefined); // never answered
});

test('a site that does not answer is left by back: the page before it is there as it was', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  const paints = (name: string, title = `Title of ${name}`) =>
    expect
      .poll(() => page.evaluate(look).catch(() => undefined))
      .toMatchObject({ state: 'ready', page: name, title, address: `${site.origin}/${name}` });
  const toSilent = async (): Promise<void> => {
    const asked = site.requests.length;
    await page.goto(`${vitrine}/${site.origin}/silent`, { waitUntil: 'commit' });
    await expect.poll(() => site.requests.slice(asked)).toContain('GET /silent');
  };
  await open('/first');
  await page.goto(`${vitrine}/${site.origin}/second`);
  await paints('second');
  await view(page).locator('h1').click();
  await paints('second', 'Clicked');
  await toSilent();
  await page.goBack({ waitUntil: 'commit' });
  await paints('second', 'Clicked'); // it was not loaded again

  await toSilent();
  await page.goto(`${vitrine}/${site.origin}/second`, { waitUntil: 'commit' });
  await paints('second'); // the same address is loaded again

  await toSilent();
  await page.evaluate(() => history.go(-4));
  await paints('first');
});

test('a site that does not answer is left by back for the reason why the address before it cannot be shown', async ({
  page,
  site,
  vitrine,
}) => {
  await page.goto(`${vitrine}/http://127.0.0.1:1/`);
  await shown(page);
  await expect.poll(() => page.evaluate(look)).toMatchObject({ title: '127.0.0.1:1' });
  const failed = await page.evaluate(look);
  await page.goto(`${vitrine}/${site.origin}/silent`, { waitUntil: 'commit' });
  await expect.poll(() => site.requests).toContain('GET /silent');
  await page.goBack({ waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(look).catch(() => undefined)).toEqual(failed);
});
