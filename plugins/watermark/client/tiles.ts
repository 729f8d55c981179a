/** A tile's place takes so many square pixels, and tiles go beyond the view by so many on all sides together. */
const TILE_AREA = 43_200;
const MARGIN = 400;
/** Bounds a view of any size. */
const MAX_TILES = 2000;

/** Size in CSS px. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** How many tiles cover a view. */
function tileCount({ width, height }: Size): number {
  return Math.min(Math.ceil(((width + MARGIN) * (height + MARGIN)) / TILE_AREA), MAX_TILES);
}

/** Makes the layer: nothing that input, the keyboard or a screen reader meets. */
export function layTiles(
  document: Document,
  { text, print }: { readonly text: string; readonly print: boolean },
  size: Size,
): HTMLElement {
  const layer = document.createElement('div');
  layer.id = 'vitrine-watermark';
  layer.ariaHidden = 'true';
  layer.inert = true;
  layer.dir = 'auto';
  if (print) layer.dataset['print'] = '';
  layer.style.inlineSize = `${size.width + MARGIN}px`;
  const said = text.replaceAll('{time}', () => new Date().toLocaleString());
  const tile = document.createElement('span');
  tile.textContent = said;
  for (let left = tileCount(size); left > 0; left -= 1) layer.append(tile.cloneNode(true));
  return layer;
}
