import { dom } from '../../../core/page.ts';

/** Smallest and largest density that is sent. */
const LEAST = 0.001;
const MOST = 9999;
/** Densities that authors write are multiples of this. */
const USUAL = 0.25;
/** Precision of lengths of boxes, in CSS px. */
const LAYOUT_UNIT = 1 / 32;

interface Known {
  readonly address: string;
  readonly width: number;
  readonly height: number;
  /** The file itself, which has its own size. */
  readonly file: HTMLImageElement;
  density: number | undefined;
}

/**
 * Densities of images that are chosen from a `srcset`: pixels of the file per CSS px of the image's natural size. They follow from the
 * descriptor of the candidate, and with `sizes` from the viewport, so that an address alone does not give the image its size.
 */
export class Densities {
  readonly #known = new WeakMap<Element, Known>();
  readonly #later: (image: Element) => void;

  /** `later` is called when the density of an image has become known. */
  constructor(later: (image: Element) => void) {
    this.#later = later;
  }

  /** Returns the density to send after the address, such as ` 2x`; empty where it is 1 or not known yet. */
  suffix(image: HTMLImageElement): string {
    if (!hasCandidates(image) || image.naturalWidth === 0) return '';
    const { currentSrc: address, naturalWidth: width, naturalHeight: height } = image;
    let known = this.#known.get(image);
    if (known?.address !== address || known.width !== width || known.height !== height) {
      known = { address, width, height, file: fileOf(image, () => this.#later(image)), density: undefined };
      this.#known.set(image, known);
    }
    if (known.file.naturalWidth === 0) return '';
    const density = (known.density ??= densityOf(image, known.file.naturalWidth));
    return density === 1 ? '' : ` ${String(density)}x`;
  }
}

function hasCandidates(image: HTMLImageElement): boolean {
  if (dom.attribute(image, 'srcset') !== null) return true;
  const parent = dom.parentNode(image);
  return parent !== null && dom.isHtml(parent, 'picture');
}

/** The same file without candidates. The document has it already: mostly its size is there at once, and nothing is requested. */
function fileOf(image: HTMLImageElement, later: () => void): HTMLImageElement {
  const file = new Image();
  file.crossOrigin = image.crossOrigin;
  file.referrerPolicy = image.referrerPolicy;
  file.src = image.currentSrc;
  if (!file.complete) file.onload = later;
  return file;
}

function densityOf(image: HTMLImageElement, pixels: number): number {
  const whole = image.naturalWidth;
  const usual = Math.round(pixels / whole / USUAL) * USUAL;
  if (usual > 0 && Math.abs(pixels / usual - whole) < 1) return usual;
  // `naturalWidth` is rounded; the width of an image that has its natural size is not.
  const used = Number.parseFloat(getComputedStyle(image).width);
  const isNatural = Math.abs(used - whole) < 1 && Math.abs(used - whole) > LAYOUT_UNIT;
  return Number(Math.min(MOST, Math.max(LEAST, pixels / (isNatural ? used : whole))).toFixed(6));
}
