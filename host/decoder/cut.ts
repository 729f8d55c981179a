import { AppError } from '../../core/protocol/errors.ts';
import { rangesOf } from '../fonts/pieces.ts';
import { singleFont } from './sfnt.ts';

/** The function that the package `subset-font` exports: the font reduced to the characters of a text. */
export type SubsetFont = (font: Buffer, text: string, options: { readonly targetFormat: 'woff2' }) => Promise<Buffer>;

/** Returns a piece of a font, by its index in a collection, as WOFF2. @throws AppError `font-broken` */
export async function cutPiece(subsetFont: SubsetFont, file: Buffer, index: number, piece: string): Promise<Buffer> {
  let text = '';
  for (const [first, last] of rangesOf(piece)) {
    for (let code = first; code <= last; code++) if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
  }
  try {
    return await subsetFont(singleFont(file, index), text, { targetFormat: 'woff2' });
  } catch (cause) {
    throw new AppError('font-broken', 'The font cannot be cut.', { cause });
  }
}
