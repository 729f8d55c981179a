import { readlinkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pictureSize } from '../../host/resources/picture-size.ts';
import { descendants } from './support/processes.ts';
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

test('[R-003] where the policy converts pictures, no original reaches the browser, not even inline', async ({
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

/** Takes the page's means to convert pictures away, and answers with forged ones. */
const HOSTILE = `<script>
  const forged = new Blob(['RIFFxxxxWEBPforged'], { type: 'image/webp' });
  window.createImageBitmap = async () => ({ width: 1, height: 1 });
  window.OffscreenCanvas = class { getContext() { return { drawImage() {} }; } async convertToBlob() { return forged; } };
  HTMLCanvasElement.prototype.toBlob = (take) => take(forged);
  window.onclick = () => {
    const request = new XMLHttpRequest();
    request.open('GET', '/hung', false);
    request.send();
    for (;;);
  };
</script>`;

test('pictures are converted outside of every process of the site: a page that forges or hangs changes nothing', async ({
  page,
  open,
  site,
  vitrine,
}) => {
  const inside = Buffer.from('tEXtComment\0the person who took it');
  const file = Buffer.concat([PNG, inside]);
  site.on('/hostile.png', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(file));
  site.on('/hung', 'hung');
  site.on(
    '/hostile',
    `<!doctype html><link rel=icon href="data:,">${HOSTILE}<img src=hostile.png><button>hang</button>`,
  );
  const mirrored = await open('/hostile');
  const picture = mirrored.locator('img');
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  const address = await picture.evaluate((img: HTMLImageElement) => img.src);
  const expectConverted = async (): Promise<void> => {
    const response = await page.context().request.get(address);
    expect(response.headers()['content-type']).toBe('image/webp');
    const body = await response.body();
    expect([body.includes('forged'), body.includes('took it')]).toEqual([false, false]);
    expect(pictureSize('image/webp', body)).toEqual({ width: 1, height: 1 });
  };
  await expectConverted();
  await mirrored.locator('button').click();
  await expect.poll(() => site.requests).toContain('GET /hung');
  await expectConverted();

  const metrics = await (await page.context().request.get(`${vitrine}/metrics`)).text();
  expect(metrics).toMatch(/^vitrine_decoders 1$/m);
  const namespaceOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/net`);
  const userOf = (pid: number): number => statSync(`/proc/${pid}`).uid;
  const nodes = descendants(process.pid).filter(({ command }) => command.includes(' --max-old-space-size='));
  const decoders = nodes.filter(({ command }) => command.includes('--max-old-space-size=128 '));
  expect(decoders).toHaveLength(1);
  const others = nodes.filter((each) => !decoders.includes(each));
  const [pid = 0] = decoders.map((each) => each.pid);
  const isWalled = /^vitrine_limit_decoder_network 1$/m.test(metrics);
  expect(namespaceOf(pid) === namespaceOf(process.pid)).toBe(!isWalled);
  if (process.getuid?.() === 0) for (const other of others) expect(userOf(pid)).not.toBe(userOf(other.pid));
});
