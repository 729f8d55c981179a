import { squareFont } from './support/font.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

test('[R-003] fonts that a script has created from fetched bytes are used in the view', async ({
  page,
  open,
  site,
}) => {
  const serve = (path: string, body: Buffer | string): void =>
    site.on(path, (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body),
    );
  serve('/one', squareFont('Square One'));
  serve('/two', squareFont('Square Two'));
  serve('/none', 'no font at all');
  site.on(
    '/',
    `<!doctype html><style>span { font-size: 50px }</style>
    <span id=first style="font-family: first, monospace">AAAA</span><span id=second style="font-family: second, monospace">AAAA</span>
    <script>
    onload = async () => {
      const [none, two, one] = await Promise.all(['/none', '/two', '/one'].map(async (path) => (await fetch(path)).arrayBuffer()));
      await new FontFace('none', none).load().catch(() => 0);
      for (const [name, bytes] of [['first', one], ['second', two]]) document.fonts.add(await new FontFace(name, bytes).load());
      document.title = 'done ' + document.querySelector('#first').offsetWidth;
    };
    </script>`,
  );
  const mirrored = await open('/');
  await expect(page).toHaveTitle('done 200');
  for (const id of ['first', 'second'])
    await expect
      .poll(() => mirrored.locator(`#${id}`).evaluate((element) => (element as HTMLElement).offsetWidth))
      .toBe(200);
});

test('text in cut fonts is drawn without hinting on high-density screens, like text in system fonts', async ({
  browser,
  site,
  vitrine,
}) => {
  site.on('/text', '<!doctype html><p>text<input><p id=own style="text-rendering:optimizeSpeed">own');
  for (const [deviceScaleFactor, drawn] of [
    [1, 'auto'],
    [1.25, 'geometricprecision'],
    [2, 'geometricprecision'],
  ] as const) {
    const context = await browser.newContext({ deviceScaleFactor });
    const page = await context.newPage();
    await page.goto(`${vitrine}/${site.origin}/text`);
    await shown(page);
    for (const [selector, expected] of [
      ['p', drawn],
      ['input', drawn],
      ['#own', 'optimizespeed'],
    ] as const)
      await expect(view(page).locator(selector).first()).toHaveCSS('text-rendering', expected);
    await context.close();
  }
});
