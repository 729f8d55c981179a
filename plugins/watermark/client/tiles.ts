/** Area of a tile in square px, and total margin of tiles beyond the view in px. */
const TILE_AREA = 43_200;
const MARGIN = 400;
/** Maximum number of tiles, for views of any size. */
const MAX_TILES = 2000;

/** Size in CSS px. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Number of tiles that cover a view. */
function tileCount({ width, height }: Size): number {
  return Math.min(Math.ceil(((width + MARGIN) * (height + MARGIN)) / TILE_AREA), MAX_TILES);
}

/** Creates the layer. It is not reachable by input, keyboard or screen readers. */
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
  const shown = text.replaceAll('{time}', () => new Date().toLocaleString());
  const tile = document.createElement('span');
  tile.textContent = shown;
  for (let left = tileCount(size); left > 0; left -= 1) layer.append(tile.cloneNode(true));
  return layer;
}
