import { dataBytes } from './data-address.ts';
import { pictureSize } from './picture-size.ts';
import type { Size } from './picture-size.ts';
import { imageType, SVG } from './sniff.ts';

/** Maximum pixels of a picture that reaches the person's browser: decoded they take four bytes each. */
export const MAX_PIXELS = 64 * 1024 * 1024;

/** Whether a picture takes too much memory to be shown. */
export function isBomb({ width, height }: Size): boolean {
  return width * height > MAX_PIXELS;
}

/** Whether a data address of a page may stay in the markup: it is a picture, and not too large. */
export function isInlineable(address: string): boolean {
  const bytes = dataBytes(address);
  const type = imageType(bytes);
  const size = type === undefined ? undefined : pictureSize(type, bytes);
  return type === SVG || (size !== undefined && !isBomb(size));
}
