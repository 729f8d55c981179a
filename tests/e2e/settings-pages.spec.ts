import { crc32, deflateSync } from 'node:zlib';
import { pictureSize } from '../../host/resources/picture-size.ts';
import { noise } from './support/noise.ts';
import { PolicyFile } from './support/policy-file.ts';
import { expect, test } from './support/vitrine.ts';

/** Settings by the first part of a page's path. */
const SETTINGS = {
  none: {},
  canvas: { site_capabilities: { allow_client_canvas_src: false } },
  device: { resources: { request_for_device: true } },
  webp: { pictures: { reencode: true, quality: 90 } },
  poor: { pictures: { reencode: true, quality: 5 } },
  png: { pictures: { reencode: true, format: 'png' } },
  small: { pictures: { max_side: 32 } },
};

test.use({
  hostOptions: async ({ folder, shared }, use) => {
    const sites = Object.entries(SETTINGS).map(([name, settings]) => ({
      match: `${shared.origin}/${name}/*`,
      policy: settings,
    }));
    await use(['--policy', new PolicyFile(folder, sites).path]);
  },
});

const SIDE = 200;

/** A PNG of grey noise. */
function picture(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  head[8] = 8; // bits of a sample; the colour type 0 is grey
  const rows = Array.from({ length: SIDE }, (_, row) =>
    Buffer.concat([Buffer.of(0), noise(SIDE * (row + 1)).subarray(-SIDE)]),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('pictures.format, quality and max_side: what reaches the browser of a picture', async ({ page, site, open }) => {
  const original = picture();
  const shown = async (name: string): Promise<{ type: string | undefined; body: Buffer }> => {
    site.on(`/${name}/a.png`, (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(original),
    );
    site.on(`/${name}/page`, '<!doctype html><link rel=icon href="data:,"><img src="a.png">');
    const image = (await open(`/${name}/page`)).locator('img');
    const width = (): Promise<number> => image.evaluate((img: HTMLImageElement) => img.naturalWidth);
    await expect.poll(width).toBe(SIDE);
    const address = await image.evaluate((img: HTMLImageElement) => img.currentSrc);
    const response = await page.context().request.get(address);
    return { type: response.headers()['content-type'], body: await response.body() };
  };
  expect(await shown('none')).toEqual({ type: 'image/png', body: original });
  const good = await shown('webp');
  const poor = await shown('poor');
  expect([good.type, poor.type]).toEqual(['image/webp', 'image/webp']);
  expect(poor.body.length).toBeLessThan(good.body.length / 2);
  const png = await shown('png');
  expect(png.type).toBe('image/png');
  expect(png.body.equals(original)).toBe(false);
  expect(pictureSize('image/png', png.body)).toEqual({ width: SIDE, height: SIDE });
  // It is scaled down within a frame of its size.
  const small = await shown('small');
  const [, base64 = ''] = /^<svg[^>]* width="200" height="200"><image [^>]*href="data:image\/webp;base64,([^"]+)"/.exec(
    small.body.toString(),
  ) ?? [undefined, ''];
  expect(pictureSize('image/webp', Buffer.from(base64, 'base64'))).toEqual({ width: 32, height: 32 });
});

test('resources.request_for_device: a picture that only the person’s browser asks for is requested from its site', async ({
  page,
  site,
  open,
}) => {
  const asks = async (name: string): Promise<number> => {
    site.on(
      `/${name}/page`,
      `<!doctype html><link rel=icon href="data:,"><style>p { height: 50px }
      @media print { p { background: url(print.png) } }</style><p>text`,
    );
    site.on(`/${name}/print.png`, (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture()),
    );
    await open(`/${name}/page`);
    const answered = page.waitForResponse((response) => response.url().includes('/c/i/'));
    await page.emulateMedia({ media: 'print' });
    const status = (await answered).status();
    await page.emulateMedia({ media: 'screen' });
    return status;
  };
  expect(await asks('none')).toBe(404);
  expect(await asks('device')).toBe(200);
  expect(site.requests.filter((request) => request.endsWith('print.png'))).toEqual(['GET /device/print.png']);
});

test('[M-022] site_capabilities.allow_client_canvas_src: a canvas is painted, or stays empty', async ({
  page,
  site,
  open,
}) => {
  const painted = async (name: string): Promise<number[]> => {
    site.on(
      `/${name}/page`,
      `<!doctype html><canvas width="100" height="100"></canvas><p>0</p><script>
        const draw = (colour) => {
          const context = document.querySelector('canvas').getContext('2d');
          context.fillStyle = colour;
          context.fillRect(0, 0, 100, 100);
        };
        draw('rgb(255, 0, 0)');
        onclick = () => { draw('rgb(0, 0, 255)'); document.querySelector('p').textContent++; };
      </script>`,
    );
    const frame = await open(`/${name}/page`);
    /** Colour in the middle, as it is painted. */
    const pixel = async (): Promise<number[]> => {
      const shot = await frame.locator('canvas').screenshot();
      return page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        context?.drawImage(await createImageBitmap(new Blob([bytes])), -50, -50);
        return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
      }, shot.toString('base64'));
    };
    if (name === 'none') await expect.poll(pixel).toEqual([255, 0, 0, 255]);
    for (const count of ['1', '2']) {
      await frame.locator('p').click();
      await expect(frame.locator('p')).toHaveText(count);
      if (name === 'none') await expect.poll(pixel).toEqual([0, 0, 255, 255]);
    }
    return pixel();
  };
  expect(await painted('none')).toEqual([0, 0, 255, 255]);
  expect(await painted('canvas')).toEqual([255, 255, 255, 255]);
});
