import { describe, expect, it } from 'vitest';
import { pictureSize } from '../picture-size.ts';

type Part = number | string | Uint8Array;
const bytes = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(typeof part === 'number' ? [part] : part),
    ),
  );
const be16 = (n: number): Buffer => bytes(n >> 8, n & 255);
const le16 = (n: number): Buffer => bytes(n & 255, n >> 8);
const be32 = (n: number): Buffer => bytes(be16(n >>> 16), be16(n & 0xffff));
const le32 = (n: number): Buffer => bytes(le16(n & 0xffff), le16(n >>> 16));
const le24 = (n: number): Buffer => bytes(le16(n & 0xffff), n >>> 16);

const png = (width: number, height: number): Buffer =>
  bytes(0x89, 'PNG\r\n', 0x1a, '\n', be32(13), 'IHDR', be32(width), be32(height), 8, 6, 0, 0, 0);
const jpeg = (...segments: readonly Part[]): Buffer => bytes(0xff, 0xd8, ...segments);
const app = bytes(0xff, 0xe1, be16(6), 0xff, 0xc0, 1, 2);
const frame = bytes(0xff, 0xc2, be16(17), 8, be16(300), be16(400));
const gif = (...after: readonly Part[]): Buffer => bytes('GIF89a', le16(10), le16(20), 0x80, 0, 0, '######', ...after);
const gifFrame = bytes(0x2c, le16(1), le16(2), le16(500), le16(3), 0);
const riff = (...chunk: readonly Part[]): Buffer => bytes('RIFF', le32(0), 'WEBP', ...chunk);
const box = (name: string, ...content: readonly Part[]): Buffer => {
  const body = bytes(...content);
  return bytes(be32(body.length + 8), name, body);
};
const ispe = (width: number, height: number): Buffer => box('ispe', be32(0), be32(width), be32(height));
const avif = (...properties: readonly Part[]): Buffer =>
  bytes(
    box('ftyp', 'avif', be32(0)),
    box('meta', be32(0), box('hdlr', be32(0)), box('iprp', box('ipco', ...properties))),
  );
const sequence = box('moov', box('trak', box('tkhd', Buffer.alloc(76), be32(640 << 16), be32(480 << 16))));
const bitmap = (width: number, height: number): Buffer => bytes(le32(40), le32(width), le32(height));
const icon = (...images: readonly Buffer[]): Buffer => {
  let at = 6 + 16 * images.length;
  const entries = images.map((image) =>
    bytes(32, 32, 0, 0, le32(0), le32(image.length), le32((at += image.length) - image.length)),
  );
  return bytes(0, 0, 1, 0, le16(images.length), ...entries, ...images);
};

describe('the size of a picture', () => {
  it.each([
    ['image/png', png(70_000, 3), 70_000, 3],
    ['image/jpeg', jpeg(app, 0xff, 0xff, 0xdb, be16(2), frame), 400, 300],
    ['image/gif', gif(gifFrame), 501, 20],
    ['image/gif', gif(0x21, 0xf9, 4, '....', 0, 0x21, 0xfe, 2, 0x2c, 0, 1, 9, 0, gifFrame), 501, 20],
    ['image/webp', riff('VP8 ', le32(9), '...', 0x9d, 1, 0x2a, le16(0x4000 | 320), le16(240)), 320, 240],
    ['image/webp', riff('VP8L', le32(9), 0x2f, le32((16_382 << 14) | 16_383)), 16_384, 16_383],
    ['image/webp', riff('VP8X', le32(10), 0, 0, 0, 0, le24(99_999), le24(4)), 100_000, 5],
    ['image/avif', avif(ispe(30, 40), ispe(50, 20)), 50, 40],
    ['image/avif', bytes(avif(ispe(30, 40)), sequence), 640, 480],
    ['image/bmp', bytes('BM', Buffer.alloc(12), bitmap(-7, -9)), 7, 9],
    ['image/bmp', bytes('BM', Buffer.alloc(12), le32(12), le16(7), le16(9)), 7, 9],
    ['image/x-icon', icon(bitmap(16, 32), png(4096, 8)), 4096, 16],
  ])('%s %#', (type, file, width, height) => {
    expect(pictureSize(type, file)).toEqual({ width, height });
  });

  it('is undefined for truncated or empty files, and for those without a size', () => {
    const whole = [
      png(5, 5),
      jpeg(frame),
      gif(gifFrame),
      riff('VP8X', le32(10), 0, 0, 0, 0, le24(9), le24(4)),
      icon(png(9, 9)),
    ];
    const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/x-icon'];
    for (const [n, type] of types.entries()) {
      const file = whole[n]!;
      expect(pictureSize(type, file)).toBeDefined();
      for (let end = 0; end <= 10; end++) expect(pictureSize(type, file.subarray(0, end))).toBeUndefined();
    }
    expect(pictureSize('image/png', png(0, 5))).toBeUndefined();
    expect(pictureSize('image/jpeg', jpeg(app, 0xff, 0xda, frame))).toBeUndefined();
    expect(pictureSize('image/avif', avif())).toBeUndefined();
    expect(pictureSize('image/avif', bytes(be32(1), 'meta', be32(0), be32(0)))).toBeUndefined();
    expect(pictureSize('image/x-icon', icon())).toBeUndefined();
    expect(pictureSize('text/plain', png(5, 5))).toBeUndefined();
  });

  it('is undefined for files with too many boxes', () => {
    const boxes = Array.from({ length: 10_000 }, () => box('free'));
    expect(pictureSize('image/avif', avif(ispe(30, 40), ...boxes, ispe(60_000, 60_000)))).toBeUndefined();
  });

  it('is found in linear time in crafted files', () => {
    const nested = Array.from({ length: 2000 }).reduce<Buffer>((inner) => box('trak', inner), ispe(1, 1));
    expect(pictureSize('image/avif', nested)).toBeUndefined();
    expect(pictureSize('image/avif', Buffer.concat(Array.from({ length: 50_000 }, () => box('free'))))).toBeUndefined();
  });
});
