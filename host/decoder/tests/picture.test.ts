import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sharp } from 'sharp';
import type { PictureForm } from '../../contracts/pictures.ts';
import { pictureSize } from '../../resources/picture-size.ts';
import { MAX_ANIMATED_PIXELS } from '../picture.ts';
import { convertHere, sharpHere } from './in-process.ts';

const sharp = sharpHere();
const WEBP: PictureForm = { format: 'webp', quality: 90, maxSide: 16_383 };
const PNG: PictureForm = { ...WEBP, format: 'png' };
const RED = { r: 200, g: 30, b: 90 };

/** A picture whose left half is red, the rest blue. */
function halves(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++)
    pixels.set(at % width < width / 2 ? [RED.r, RED.g, RED.b] : [20, 40, 220], at * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

async function movie(frames: number, side: number): Promise<Buffer> {
  const files = await Promise.all(
    Array.from({ length: frames }, (_, n) =>
      sharp({ create: { width: side, height: side, channels: 3, background: { ...RED, g: n * 40 } } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(files, { join: { animated: true } })
    .gif({ delay: Array<number>(frames).fill(70) })
    .toBuffer();
}

/** The first pixels of a row, three numbers each. */
async function row(file: Uint8Array, ...at: readonly number[]): Promise<number[][]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return at.map((x) => [...data.subarray(x * info.channels, x * info.channels + 3)]);
}

const isNear = (pixel: readonly number[] = [], { r, g, b }: typeof RED): boolean =>
  [r, g, b].every((value, n) => Math.abs(value - (pixel[n] ?? -99)) <= 12);

const refused = { code: 'resource-type', retryable: false };

describe('pictures', () => {
  it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('of type %s are converted to both formats', async (type) => {
    const file = await halves(40, 20)[type]().toBuffer();
    for (const form of [WEBP, PNG]) {
      const { bytes, natural } = await convertHere(file, form);
      expect(natural).toEqual({ width: 40, height: 20 });
      expect(pictureSize(`image/${form.format}`, bytes)).toEqual(natural);
      expect(isNear((await row(bytes, 3))[0], RED)).toBe(true);
    }
  });

  it('are shown upright, by their orientation, and scaled to the longest side that is allowed', async () => {
    const file = await halves(200, 100).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    const { bytes, natural } = await convertHere(file, { ...PNG, maxSide: 50 });
    expect(natural).toEqual({ width: 100, height: 200 });
    expect(pictureSize('image/png', bytes)).toEqual({ width: 25, height: 50 });
    // Turned to the left, what was on the left is at the bottom.
    const [top, bottom] = await row(bytes, 3, 25 * 45);
    expect([isNear(top, RED), isNear(bottom, RED)]).toEqual([false, true]);
  });

  it('keep their colours, in sRGB, and none of their metadata', async () => {
    const file = await halves(8, 8)
      .withIccProfile('p3')
      .withExifMerge({ IFD0: { Copyright: 'the person who took it' } })
      .png()
      .toBuffer();
    const stored = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
    expect(isNear([...stored.subarray(0, 3)], RED)).toBe(false);
    for (const form of [WEBP, PNG]) {
      const { bytes } = await convertHere(file, form);
      expect(isNear((await row(bytes, 0))[0], RED)).toBe(true);
      const { icc, exif, xmp } = await sharp(bytes).metadata();
      expect([icc, exif, xmp]).toEqual([undefined, undefined, undefined]);
      expect(Buffer.from(bytes).includes('took it')).toBe(false);
    }
  });

  it('of four colours become those of screens', async () => {
    const file = await halves(8, 8).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(file).metadata()).space).toBe('cmyk');
    expect((await sharp((await convertHere(file, PNG)).bytes).metadata()).space).toBe('srgb');
  });

  it('stay animated where they are short, and show their first frame otherwise', async () => {
    const short = await movie(3, 16);
    const { bytes, natural } = await convertHere(short, { ...WEBP, maxSide: 8 });
    expect(natural).toEqual({ width: 16, height: 16 });
    expect(pictureSize('image/webp', bytes)).toEqual({ width: 8, height: 8 });
    expect(await sharp(bytes).metadata()).toMatchObject({ pages: 3, delay: [70, 70, 70], loop: 0 });
    const first = await convertHere(short, PNG);
    expect(pictureSize('image/png', first.bytes)).toEqual(natural);
    expect(isNear((await row(first.bytes, 0))[0], { ...RED, g: 0 })).toBe(true);
    const side = Math.ceil(Math.sqrt(MAX_ANIMATED_PIXELS / 3)) + 1;
    const long = await convertHere(await movie(3, side), WEBP);
    expect(pictureSize('image/webp', long.bytes)).toEqual({ width: side, height: side });
    expect((await sharp(long.bytes).metadata()).pages).toBeUndefined();
  });
});

/**
 * A bitmap of Windows with 24 bits a pixel, or with 32 of which the last eight are zero; in an icon, with the mask of its
 * transparent pixels.
 */
function bmp(width: number, height: number, isIcon: boolean, bits: 24 | 32 = 24): Buffer {
  const stride = (width * (bits / 8) + 3) & ~3;
  const mask = isIcon ? Buffer.alloc(((width + 31) >> 5) * 4 * height) : Buffer.alloc(0);
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set([RED.b, RED.g, RED.r], y * stride + x * (bits / 8));
  const info = Buffer.alloc(40);
  info.writeUInt32LE(40, 0);
  info.writeInt32LE(width, 4);
  info.writeInt32LE(isIcon ? height * 2 : height, 8);
  info.writeUInt16LE(1, 12);
  info.writeUInt16LE(bits, 14);
  const head = Buffer.alloc(isIcon ? 0 : 14);
  if (!isIcon) {
    head.write('BM');
    head.writeUInt32LE(54 + rows.length, 2);
    head.writeUInt32LE(54, 10);
  }
  return Buffer.concat([head, info, rows, mask]);
}

function ico(...images: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let at = head.length;
  for (const [n, image] of images.entries()) {
    head.writeUInt8(n + 1, 6 + 16 * n);
    head.writeUInt32LE(image.length, 6 + 16 * n + 8);
    head.writeUInt32LE(at, 6 + 16 * n + 12);
    at += image.length;
  }
  return Buffer.concat([head, ...images]);
}

describe('pictures of Windows', () => {
  it('are converted, of an icon the largest', async () => {
    const inside = await halves(32, 32).png().toBuffer();
    for (const [file, side] of [
      [bmp(10, 10, false), 10],
      [bmp(10, 10, false, 32), 10],
      [ico(bmp(8, 8, true), bmp(16, 16, true)), 16],
      [ico(bmp(8, 8, true), inside), 32],
    ] as const) {
      const { bytes, natural } = await convertHere(file, PNG);
      expect(natural).toEqual({ width: side, height: side });
      expect(isNear((await row(bytes, 0))[0], RED)).toBe(true);
      expect((await sharp(bytes).stats()).isOpaque).toBe(true);
    }
  });

  it('are refused where they are too large, too many, or something else', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'.padEnd(80));
    const small = bmp(2, 2, true);
    for (const file of [
      ico(bmp(600, 600, true)),
      ico(...Array<Buffer>(33).fill(small)),
      ico(svg),
      ico(),
      ico(small).subarray(0, 40),
      bmp(10, 10, false).subarray(0, 60),
    ])
      await expect(convertHere(file, PNG)).rejects.toMatchObject(refused);
  });
});

describe('files that are no pictures of these types', () => {
  const noise = (bytes: number): Buffer => randomBytes(bytes);
  const HEADS: Readonly<Record<string, Buffer>> = {
    png: Buffer.from('89504e470d0a1a0a0000000d49484452000000400000004008060000000000000000', 'hex'),
    jpeg: Buffer.from('ffd8ffc0001108004000400301110002110103110100', 'hex'),
    gif: Buffer.from('474946383961400040008000000000002c00000000400040000008', 'hex'),
    webp: Buffer.from('52494646ffff0000574542505650384c000100002f3fc00f00', 'hex'),
    avif: Buffer.from('0000001c6674797061766966000000006176696661766966000000086d646174', 'hex'),
    none: Buffer.alloc(0),
  };

  it.each(Object.keys(HEADS))('are refused: %s and noise, of one length and of four times that', async (name) => {
    const head = HEADS[name] ?? Buffer.alloc(0);
    for (let n = 0; n < 20; n++)
      for (const length of [n * 50, n * 200])
        await expect(convertHere(Buffer.concat([head, noise(length)]), WEBP)).rejects.toMatchObject(refused);
  });

  it('are refused where they end early, or claim another size than they have', async () => {
    for (const type of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
      const file = await sharp(noise(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
        [type]()
        .toBuffer();
      await expect(convertHere(file.subarray(0, file.length / 2), WEBP)).rejects.toMatchObject(refused);
    }
    const file = await halves(8, 8).png().toBuffer();
    for (const [width, height] of [
      [30_000, 20_000],
      [1, 0x7fff_ffff],
      [0, 8],
      [8192, 8192],
    ] as const) {
      const lying = Buffer.from(file);
      lying.writeUInt32BE(width, 16);
      lying.writeUInt32BE(height, 20);
      await expect(convertHere(lying, WEBP)).rejects.toMatchObject(refused);
    }
  });

  it('are refused where libvips could read them: vectors, documents, TIFF, pixels without a type', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    const tiff = await halves(4, 4).tiff().toBuffer();
    for (const file of [svg, `\n<!-- -->${svg}`, '%PDF-1.7\n1 0 obj', 'P6\n1 1\n255\nabc', tiff, Buffer.alloc(300)]) {
      const bytes = Buffer.from(file as string);
      await expect(convertHere(bytes, WEBP)).rejects.toMatchObject(refused);
      await expect(sharp(bytes).metadata(), 'libvips itself').rejects.toThrow('unsupported image format');
    }
    // Nor are files read by their path.
    const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'vitrine-picture-')), 'a.png');
    await halves(4, 4).toFile(file);
    await expect(sharp(file).metadata()).rejects.toThrow('unsupported image format');
    await rm(path.dirname(file), { recursive: true });
  });
});
