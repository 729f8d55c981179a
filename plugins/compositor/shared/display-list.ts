import { binaryForm } from './binary.ts';
import { blob, checked, choice, id, list, text, uint } from './codec.ts';
import type { ValueOf } from './codec.ts';
import { color, rect } from './geometry.ts';
import { oneOf, record } from './record.ts';

/** Largest display list delta, in bytes: enough for some tiles of photographs. */
export const MAX_DISPLAY_LIST_BYTES = 8 * 1024 * 1024;
/** Maximum number of operations that one delta adds, or removes. */
export const MAX_OPERATIONS = 65_536;
/** Maximum number of pictures in one delta. */
export const MAX_PICTURES = 4096;
/** Longest address of an element's content, in bytes. */
export const MAX_ADDRESS_BYTES = 2048;

/** Encodings of pictures. */
export const PICTURE_FORMATS = ['webp', 'png', 'jpeg'] as const;

/** Pixels that operations refer to by the id of their provider, until a commit discards it. */
const picture = record({ provider_id: id, format: choice(PICTURE_FORMATS), data: blob(MAX_DISPLAY_LIST_BYTES) });
export type Picture = ValueOf<typeof picture>;

/** Only a path of the host: with an address of the site, the site would learn who is looking. */
const address = checked(text(MAX_ADDRESS_BYTES), 'a path of the host', (value) => /^\/(?![/\\])[!-~]*$/.test(value));

/** Operations are replaced or removed by id; those of a layer are drawn by ascending `order`, then `id`. `rect` is in px of the layer. */
const place = { id, order: uint(Number.MAX_SAFE_INTEGER), rect };

/** One operation for each type of tile: a colour, pixels for a canvas, an element with the page's own bytes. */
const operation = oneOf({
  fill: { tag: 1, body: record({ ...place, color }) },
  /** The part `source` of the picture, in its own px, is stretched over `rect`. */
  picture: { tag: 2, body: record({ ...place, provider_id: id, source: rect }) },
  element: { tag: 3, body: record({ ...place, address }) },
});
export type DisplayOperation = ValueOf<typeof operation>;

const displayListDelta = record({
  fid: id,
  layer_id: id,
  /** New pictures that operations refer to. */
  pictures: list(picture, MAX_PICTURES),
  /** Ids of removed operations. */
  removed: list(id, MAX_OPERATIONS),
  /** New or changed operations. */
  operations: list(operation, MAX_OPERATIONS),
});
/**
 * Changes of a layer's drawing operations: only pictures and their places, since no text or markup of the site may reach the person's
 * browser.
 */
export type DisplayListDelta = ValueOf<typeof displayListDelta>;

/** Binary form of a display list delta. */
export const displayListDeltaForm = binaryForm('display list delta', displayListDelta, MAX_DISPLAY_LIST_BYTES);
