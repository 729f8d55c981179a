import { AppError } from '../../../core/protocol/errors.ts';
import type { ConvertPicture } from '../../contracts/pictures.ts';
import type { Settings } from '../../policy/settings.ts';
import { isBomb } from '../../resources/inline-picture.ts';
import { pictureSize } from '../../resources/picture-size.ts';
import type { Size } from '../../resources/picture-size.ts';
import { imageType, SVG } from '../../resources/sniff.ts';

/** Maximum side of a WebP picture, in pixels: encoders crop larger ones. */
const MAX_WEBP_SIDE = 16_383;

/** Picture settings of the policy. */
export type PictureRules = Settings['pictures'];

/** A body with its type. */
export interface Typed {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Chooses the form in which the pictures of a tab reach the person's browser. */
export class Pictures {
  readonly #convert: ConvertPicture;

  /** @param convert converts a picture outside of every process that runs its site. */
  constructor(convert: ConvertPicture) {
    this.#convert = convert;
  }

  /**
   * Returns a picture as it is shown: the file itself, a converted one where the policy requires it, an empty one of
   * its size when it is too large to be decoded.
   *
   * @throws AppError `resource-type`, and that of the decoder: no picture is shown unconverted then.
   */
  async shown(bytes: Uint8Array, rules: PictureRules): Promise<Typed> {
    const type = imageType(bytes);
    if (type === SVG) return { type, bytes };
    const size = type === undefined ? undefined : pictureSize(type, bytes);
    if (type === undefined || !size) throw unknownType();
    if (isBomb(size)) return frameOf(size, '');
    const { reencode, format, quality, max_side: allowed = Number.MAX_SAFE_INTEGER } = rules;
    if (!reencode && Math.max(size.width, size.height) <= allowed) return { type, bytes };
    const maxSide = format === 'webp' ? Math.min(allowed, MAX_WEBP_SIDE) : allowed;
    const { bytes: made, natural } = await this.#convert(bytes, { format, quality, maxSide });
    const madeType = imageType(made);
    const madeSize = madeType === `image/${format}` ? pictureSize(madeType, made) : undefined;
    if (madeType === undefined || !madeSize || isBomb(madeSize) || isBomb(natural)) throw unknownType();
    // A picture that was scaled down keeps its size in the page's layout.
    if (Math.max(natural.width, natural.height) <= maxSide) return { type: madeType, bytes: made };
    const base64 = Buffer.from(made).toString('base64');
    return frameOf(natural, `<image width="100%" height="100%" href="data:${madeType};base64,${base64}"/>`);
  }
}

/** Wraps content in an SVG of a size. */
function frameOf({ width, height }: Size, content: string): Typed {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  return { type: SVG, bytes: Buffer.from(svg) };
}

function unknownType(): AppError {
  return new AppError('resource-type', 'The type of the resource is not supported.');
}
