/** Side of the square that a canvas is looked at in, in pixels. */
const SIDE = 32;

/**
 * How long what a canvas shows can be read: always, or only in the frame in which it has been drawn, as with WebGL that does not
 * preserve its buffer.
 */
export type Lasting = 'always' | 'frame';

let context: OffscreenCanvasRenderingContext2D | null | undefined;

/** What a canvas that is black looks like from afar. */
export const BLACK = 'black';

/** What a canvas or video looks like from afar; empty when all of it is transparent, undefined when it may not be read. */
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
    context = undefined; // it holds pixels of another origin now
    return undefined;
  }
}

/** Only for a canvas that shows something: one without a context would be given one. */
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

/** Whether a canvas is black once its frame has been shown, whatever was drawn on it. Only for one that shows something, as above. */
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
  return contextOf('webgl') ?? contextOf('webgl2'); // either has the attributes
}

/** A canvas's pixels as a PNG data address; empty when there are none, undefined when they may not be read. */
export function pictureOf(element: HTMLCanvasElement): string | undefined {
  try {
    const address = HTMLCanvasElement.prototype.toDataURL.call(element, 'image/png');
    return address.startsWith('data:image/png') ? address : '';
  } catch {
    return undefined; // pixels of another origin
  }
}

/** Copies what a canvas shows into another one, which is made when there is none. */
export function copyOf(element: HTMLCanvasElement, into = newCanvas()): HTMLCanvasElement {
  into.width = element.width;
  into.height = element.height;
  into.getContext('2d')?.drawImage(element, 0, 0);
  return into;
}

function newCanvas(): HTMLCanvasElement {
  return Document.prototype.createElement.call(document, 'canvas') as HTMLCanvasElement; // its name
}
