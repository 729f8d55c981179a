import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './support/vitrine.ts';

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'vitrine.policy.yaml');
    writeFileSync(policy, 'tenants: { default: { policy: { pictures: { reencode: true } } } }\n');
    await use(['--policy', policy]);
  },
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('where the policy converts pictures, no original reaches the browser, not even inline', async ({
  page,
  open,
  site,
}) => {
  site.on('/a.png', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
  const inline = `data:image/png;base64,${PNG.toString('base64')}`;
  site.on(
    '/',
    `<!doctype html><link rel=icon href="data:,"><style>p { background: url(${inline}) }</style><img src=a.png><img src="${inline}"><p>x`,
  );
  const types: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/c/i/')) types.push(response.headers()['content-type']);
  });
  const mirrored = await open('/');
  const shown = (): Promise<unknown> =>
    mirrored
      .locator('body')
      .evaluate((body) => [...body.querySelectorAll('img')].map(({ naturalWidth }) => naturalWidth));
  await expect.poll(shown).toEqual([1, 1]);
  await expect(mirrored.locator('p')).toHaveCSS('background-image', /^url\("[^"]*\/c\/i\//);
  await expect.poll(() => types).toEqual(['image/webp', 'image/webp']);
  expect(await mirrored.locator('body').innerHTML()).not.toContain('data:image/png');
});
