import type { DisplayListDelta } from '../display-list.ts';

/** A display list delta with every field and kind of operation. */
export const FULL_DELTA = {
  fid: 7,
  layer_id: 31,
  pictures: [{ provider_id: 61, format: 'webp', data: Uint8Array.of(82, 73, 70, 70, 0) }],
  removed: [3, 4],
  operations: [
    { type: 'fill', id: 5, order: 1, rect: { x: 0, y: 0, width: 640, height: 512 }, color: 0xffffffff },
    {
      type: 'picture',
      id: 6,
      order: 2 ** 40,
      rect: { x: 1, y: 2, width: 256, height: 256 },
      provider_id: 61,
      source: { x: 3, y: 4, width: 255.5, height: 254 },
    },
    { type: 'element', id: 7, order: 3, rect: { x: 5, y: 6, width: 7, height: 8 }, address: '/c/i/abc' },
    { type: 'unknown', tag: 9, body: Uint8Array.of(1, 2) },
  ],
} as const satisfies DisplayListDelta;
