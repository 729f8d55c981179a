import { expect, test } from './support/vitrine.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
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

test('objects and embeds load by the policy of the page, not by that of the product', async ({ site, open }) => {
  // A document that is written anew is mirrored anew, before the browser paints: the mirror is what needs its first layout, at whose end
  // objects are loaded.
  const frameOf = (policy: string): string => `${policy}<p>before</p><script>addEventListener('message', () => {
    document.open();
    document.write(\`<!doctype html><script>
      for (const type of ['load', 'error']) document.addEventListener(type, () => parent.postMessage(type, '*'), true);</\` + \`script>
      <object type=image/gif data=/icon.gif></object><embed type=image/svg+xml src=/icon.svg><object data=/inner></object>\`);
  });</script>`;
  const pageOf = (frame: string): string => `<!doctype html><title>Objects</title><p id=said></p><script>
    const outcomes = {};
    addEventListener('message', ({ data }) => {
      outcomes[data] = (outcomes[data] ?? 0) + 1;
      said.textContent = JSON.stringify(outcomes);
    });</script><button onclick="for (let at = 0; at < frames.length; at++) frames[at].postMessage('anew', '*')">anew</button>${`<iframe src=${frame}></iframe>`.repeat(5)}`;
  site.on('/objects', pageOf('/allowed-frame'));
  site.on('/forbidden', pageOf('/forbidden-frame'));
  site.on('/allowed-frame', frameOf(''));
  site.on('/forbidden-frame', frameOf('<meta http-equiv=Content-Security-Policy content="object-src \'none\'">'));
  site.on('/inner', '<!doctype html><p>inside</p>');
  site.on('/icon.svg', (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture(8)));
  site.on('/icon.gif', (_, response) => response.writeHead(200, { 'content-type': 'image/gif' }).end(GIF));
  const frame = await open('/objects');
  const writeAnew = async (): Promise<void> => {
    for (let at = 0; at < 5; at++) await expect(frame.frameLocator('iframe').nth(at).locator('p')).toHaveText('before');
    await frame.locator('button').click();
  };
  await writeAnew();
  await expect(frame.locator('#said')).toHaveText('{"load":15}');
  await open('/forbidden');
  await writeAnew();
  await expect(frame.locator('#said')).toHaveText(/^\{"error":\d+\}$/);
});
