import decodeBmp from 'decode-bmp';
import decodeIco from 'decode-ico';
import { AppError } from '../../core/protocol/errors.ts';

/** Maximum number of icons in a file, and of pixels of each side: all of them are decoded. */
const MAX_ICONS = 32;
const MAX_ICON_SIDE = 512;

/** Pixels of four bytes: red, green, blue, alpha. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Decodes a BMP file. Its size has been checked. @throws Error when it cannot be read */
export function bitmapOf(file: Buffer): Bitmap {
  const { width, height, data } = decodeBmp(file);
  return bitmap(width, height, data);
}

/**
 * Returns the largest picture of an ICO file, a PNG file or pixels. @throws AppError `resource-type`, or Error when it
 * cannot be read
 */
export function largestIcon(file: Buffer): Bitmap | Buffer {
  if (file.readUInt16LE(4) > MAX_ICONS) throw new AppError('resource-type', 'too many icons');
  const icons = decodeIco(checkedIcons(file));
  const [largest] = [...icons].sort((a, b) => b.width * b.height - a.width * a.height || b.bpp - a.bpp);
  if (!largest) throw new AppError('resource-type', 'no icon');
  if (largest.type === 'png') return Buffer.from(largest.data);
  return bitmap(largest.width, largest.height, largest.data);
}

/** @throws AppError `resource-type` when an icon with its own pixels is larger than icons are */
function checkedIcons(file: Buffer): Buffer {
  for (let at = 6; at < 6 + 16 * file.readUInt16LE(4); at += 16) {
    const offset = file.readUInt32LE(at + 12);
    if (file.readUInt32BE(offset) === 0x89504e47) continue;
    const [width, height] = [file.readInt32LE(offset + 4), file.readInt32LE(offset + 8) / 2];
    if (width < 0 || height < 0 || width > MAX_ICON_SIDE || height > MAX_ICON_SIDE)
      throw new AppError('resource-type', 'an icon is too large');
  }
  return file;
}

/** Browsers take an alpha channel of zeros for an unused one. */
function bitmap(width: number, height: number, data: Uint8ClampedArray): Bitmap {
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let isUnused = true;
  for (let at = 3; at < pixels.length && isUnused; at += 4) isUnused = pixels[at] === 0;
  if (isUnused) for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return { width, height, pixels };
}
