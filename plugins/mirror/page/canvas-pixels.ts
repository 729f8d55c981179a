/** Side of the square that a canvas is scaled down to for comparison, in pixels. */
const SIDE = 32;

/**
 * Time in which the pixels of a canvas can be read: always, or only in the frame in which they were drawn, as with WebGL that does not
 * preserve its buffer.
 */
export type Lasting = 'always' | 'frame';

let context: OffscreenCanvasRenderingContext2D | null | undefined;

/** Thumbnail text of a canvas that is all black. */
export const BLACK = 'black';

/** Returns a thumbnail of a canvas or video as text; empty when it is all transparent, undefined when it may not be read. */
export function glanceAt(element: HTMLCanvasElement | HTMLVideoElement): string | undefined {
  try {
    context ??= new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true });
    if (!context) return undefined;
    context.clearRect(0, 0, SIDE, SIDE);
    context.drawImage(element, 0, 0, SIDE, SIDE);
    const pixels = new Uint32Array(context.getImageData(0, 0, SIDE, SIDE).data.buffer);
    let hash = 0;
    let all = 0;
    for (const pixel of pixels) {
      hash = (Math.imul(hash, 31) + pixel) | 0;
      all |= pixel;
    }
    if ((all & 0xffffff) !== 0) return String(hash);
    return all === 0 ? '' : BLACK;
  } catch {
    context = undefined; // it is tainted by another origin now
    return undefined;
  }
}

/** Only for a canvas that shows something: asking for its context would create one. */
export function lastingOf(element: HTMLCanvasElement): Lasting {
  const contextOf = HTMLCanvasElement.prototype.getContext.bind(element);
  try {
    const gl = webglOf(element);
    if (gl) return gl.getContextAttributes()?.preserveDrawingBuffer ? 'always' : 'frame';
    return (contextOf('2d') ?? contextOf('bitmaprenderer')) ? 'always' : 'frame';
  } catch {
    return 'always'; // transferred
  }
}

/** Whether a canvas becomes black once its frame has been shown, whatever was drawn. Only for one that shows something, as above. */
export function endsBlack(element: HTMLCanvasElement): boolean {
  try {
    const attributes = webglOf(element)?.getContextAttributes();
    return attributes?.alpha === false && attributes.preserveDrawingBuffer === false;
  } catch {
    return false; // transferred
  }
}

function webglOf(element: HTMLCanvasElement): WebGLRenderingContext | null {
  const contextOf = HTMLCanvasElement.prototype.getContext.bind(element);
  return contextOf('webgl') ?? contextOf('webgl2'); // both have the attributes
}

/** Returns the pixels of a canvas as a PNG data address; empty when there are none, undefined when they may not be read. */
export function pictureOf(element: HTMLCanvasElement): string | undefined {
  try {
    const address = HTMLCanvasElement.prototype.toDataURL.call(element, 'image/png');
    return address.startsWith('data:image/png') ? address : '';
  } catch {
    return undefined; // tainted by another origin
  }
}

/** Copies the pixels of a canvas into another one, which is created if it is not given. */
export function copyOf(element: HTMLCanvasElement, into = newCanvas()): HTMLCanvasElement {
  into.width = element.width;
  into.height = element.height;
  into.getContext('2d')?.drawImage(element, 0, 0);
  return into;
}

function newCanvas(): HTMLCanvasElement {
  return Document.prototype.createElement.call(document, 'canvas') as HTMLCanvasElement; // by its tag name
}
