import type { Metadata, Sharp } from 'sharp';
import { AppError } from '../../core/protocol/errors.ts';
import type { ConvertedPicture, PictureForm } from '../contracts/pictures.ts';
import { MAX_RESOURCE_BYTES, tooLarge } from '../resources/data-address.ts';
import { isBomb, MAX_PIXELS } from '../resources/inline-picture.ts';
import { pictureSize } from '../resources/picture-size.ts';
import type { Size } from '../resources/picture-size.ts';
import { imageType } from '../resources/sniff.ts';
import { bitmapOf, largestIcon } from './bitmap.ts';
import type { Bitmap } from './bitmap.ts';

/** The function that the package exports. */
export type SharpModule = typeof import('sharp').default;

/** Maximum pixels of all frames of an animation together; of a longer one only the first frame is kept. */
export const MAX_ANIMATED_PIXELS = 16 * 1024 * 1024;
/** Maximum pixels of an AVIF file: its decoder takes twenty bytes for each. */
const MAX_AVIF_PIXELS = 24 * 1024 * 1024;
/** Maximum number of frames. */
const MAX_FRAMES = 500;
/** Effort of the encoder of WebP, 0 to 6: from 3 on it takes twice the time. */
const WEBP_EFFORT = 2;
/** EXIF orientation of a picture that is not turned. */
const UPRIGHT = 1;

/** Decoders of libvips that are used, by the type of their files; all others are switched off. */
const LOADERS: Readonly<Record<string, { readonly operation: string; readonly format: string }>> = {
  'image/jpeg': { operation: 'VipsForeignLoadJpegBuffer', format: 'jpeg' },
  'image/png': { operation: 'VipsForeignLoadPngBuffer', format: 'png' },
  'image/gif': { operation: 'VipsForeignLoadNsgifBuffer', format: 'gif' },
  'image/webp': { operation: 'VipsForeignLoadWebpBuffer', format: 'webp' },
  'image/avif': { operation: 'VipsForeignLoadHeifBuffer', format: 'heif' },
};

/** Switches off all decoders but those of {@link LOADERS}, and every cache: call it once, before the first picture. */
export function confineSharp(sharp: SharpModule): SharpModule {
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: Object.values(LOADERS).map(({ operation }) => operation) });
  return sharp;
}

/**
 * Decodes a picture and encodes it again, as it is displayed: upright, in sRGB, without metadata. Short animations stay
 * animated in WebP.
 *
 * @param sharp confined by {@link confineSharp}.
 * @throws AppError `resource-type` for a file that cannot be shown, `resource-too-large` when the result is.
 */
export async function convertedPicture(sharp: SharpModule, file: Buffer, form: PictureForm): Promise<ConvertedPicture> {
  const type = imageType(file);
  const size = type === undefined ? undefined : pictureSize(type, file);
  if (type === undefined || !size || isBomb(size)) throw unknownType();
  try {
    const { picture, natural } = await opened(sharp, type, file, form);
    const [width, height] = [Math.min(form.maxSide, natural.width), Math.min(form.maxSide, natural.height)];
    const sized = picture.resize({ width, height, fit: 'inside', withoutEnlargement: true }).toColourspace('srgb');
    const { format, quality } = form;
    const encoded = format === 'webp' ? sized.webp({ quality, effort: WEBP_EFFORT }) : sized.png();
    const bytes = await encoded.toBuffer();
    if (bytes.length > MAX_RESOURCE_BYTES) throw tooLarge();
    return { bytes, natural };
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : unknownType(thrown);
  }
}

interface Opened {
  readonly picture: Sharp;
  /** Its size as displayed. */
  readonly natural: Size;
}

async function opened(sharp: SharpModule, type: string, file: Buffer, form: PictureForm): Promise<Opened> {
  if (type === 'image/bmp') return raw(sharp, bitmapOf(file));
  if (type === 'image/x-icon') {
    const icon = largestIcon(file);
    if (!Buffer.isBuffer(icon)) return raw(sharp, icon);
    const size = pictureSize('image/png', icon);
    if (imageType(icon) !== 'image/png' || !size || isBomb(size)) throw unknownType();
    return opened(sharp, 'image/png', icon, form);
  }
  const limitInputPixels = type === 'image/avif' ? MAX_AVIF_PIXELS : MAX_PIXELS;
  const options = { limitInputPixels, failOn: 'error' } as const;
  const about = await sharp(file, options).metadata();
  if (about.format !== LOADERS[type]?.format) throw unknownType();
  const natural = { width: about.autoOrient.width, height: about.autoOrient.height };
  if (isBomb(natural)) throw unknownType();
  const isMoving = form.format === 'webp' && isShortAnimation(about);
  const picture = sharp(file, { ...options, animated: isMoving });
  return { picture: isMoving ? picture : picture.autoOrient(), natural };
}

/** Animations that are turned are not read. */
function isShortAnimation({ format, width, height, pages = 1, orientation = UPRIGHT }: Metadata): boolean {
  return (
    (format === 'gif' || format === 'webp') &&
    pages > 1 &&
    pages <= MAX_FRAMES &&
    width * height * pages <= MAX_ANIMATED_PIXELS &&
    orientation === UPRIGHT
  );
}

function raw(sharp: SharpModule, { width, height, pixels }: Bitmap): Opened {
  return { picture: sharp(pixels, { raw: { width, height, channels: 4 } }), natural: { width, height } };
}

function unknownType(cause?: unknown): AppError {
  return new AppError('resource-type', 'The type of the resource is not supported.', { cause });
}
