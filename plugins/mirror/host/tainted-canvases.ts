import { createHash } from 'node:crypto';
import type { Frame, HostScope } from '../../../host/plugin.ts';
import { OP } from '../ops.ts';
import type { Box, TaintedCanvas } from '../tainted-canvas.ts';
import { frameOrigin } from './frame-origin.ts';
import type { OwnOps } from './frame-stream.ts';

/** Maximum number of pictures that may wait in one tab: past it, page halves ask again later. */
const MOST_WAITING = 8;
/** Options of one CDP call. */
const CALL = { deadlineMs: 3000 };
/** Largest canvas that is captured without loss, in CSS px; encoder quality for larger ones. */
const LOSSLESS_PIXELS = 1024 * 1024;
const QUALITY = 90;
/** Largest picture that is sent, in UTF-16 units. */
const MAX_PICTURE_UNITS = 4 * 1024 * 1024;
/** Longest side of a captured area, in CSS px: no screen is larger, whatever the page's process reports. */
const MAX_SIDE = 8192;
/** Maximum number of canvases whose last picture is kept. */
const MOST_REMEMBERED = 1000;

/** Dependencies of {@link TaintedCanvases}. */
interface TaintedCanvasesOptions {
  readonly scope: Pick<HostScope, 'cdp' | 'frames'>;
  /** Whether the client lags behind. */
  readonly isBusy: () => boolean;
  readonly add: (frame: number, epoch: number, own: OwnOps) => void;
}

/**
 * Pictures of canvases that the page's process is not allowed to read, captured from the surrogate's screen. They are sent to the view
 * only: no page half sees them. One at a time: each costs the surrogate a frame.
 */
export class TaintedCanvases {
  readonly #options: TaintedCanvasesOptions;
  readonly #digests = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: TaintedCanvasesOptions) {
    this.#options = options;
  }

  /** Sends the visible part of a canvas to the view; resolves to whether it has changed. Never rejects. */
  async show(frame: Frame, canvas: TaintedCanvas): Promise<boolean> {
    if (this.#waiting >= MOST_WAITING || this.#options.isBusy()) return false;
    this.#waiting++;
    // A failure means that the canvas is removed, or cannot be captured now.
    const shown = this.#last.then(() => this.#show(frame, canvas)).catch(() => false);
    this.#last = shown.finally(() => this.#waiting--);
    return shown;
  }

  async #show({ id: frame }: Frame, canvas: TaintedCanvas): Promise<boolean> {
    const { epoch, id, box, width, height } = canvas;
    const { scope } = this.#options;
    const [left, top] = await frameOrigin(scope, frame);
    const { cssVisualViewport: view } = await scope.cdp.send(0, 'Page.getLayoutMetrics', undefined, CALL);
    const screen: Box = [-left, -top, Math.min(view.clientWidth, MAX_SIDE), Math.min(view.clientHeight, MAX_SIDE)];
    // The page's process reports the place and the visible part of the canvas: limited here to the screen.
    const [x, y, across, down] = common(common(box, canvas.seen), screen);
    if (!(across >= 1 && down >= 1)) return false;
    const data = await this.#shot([left + x + view.pageX, top + y + view.pageY, across, down]);
    const place = JSON.stringify([canvas, x, y, across, down]);
    const digest = createHash('sha256').update(place).update(data).digest('base64');
    const key = `${frame} ${id}`;
    if (this.#digests.get(key) === digest || data.length > MAX_PICTURE_UNITS) return false;
    if (this.#digests.size >= MOST_REMEMBERED) this.#digests.clear();
    this.#digests.set(key, digest);
    // The SVG is as large as the canvas, whatever the resolution of the screen, with room for its hidden part.
    const type = data.startsWith('iVBOR') ? 'png' : 'webp';
    const image = `<image x="${x - box[0]}" y="${y - box[1]}" width="${across}" height="${down}" preserveAspectRatio="none" href="data:image/${type};base64,${data}"/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${box[2]} ${box[3]}" preserveAspectRatio="none">${image}</svg>`;
    const address = `data:image/svg+xml,${svg.replace(/[ "<>#%]/g, encodeURIComponent)}`;
    this.#options.add(frame, epoch, { ops: [[OP.picture, id, address]] });
    return true;
  }

  /** Captures a part of the page, as base64. */
  async #shot([x, y, width, height]: Box): Promise<string> {
    const clip = { x, y, width, height, scale: 1 };
    const kind =
      width * height <= LOSSLESS_PIXELS
        ? ({ format: 'png' } as const)
        : ({ format: 'webp', quality: QUALITY } as const);
    const params = { ...kind, clip, optimizeForSpeed: true };
    return (await this.#options.scope.cdp.send(0, 'Page.captureScreenshot', params, CALL)).data;
  }
}

/** Returns the intersection of two boxes; its sides are not positive when it is empty. */
function common([x, y, width, height]: Box, [left, top, across, down]: Box): Box {
  const [begin, above] = [Math.max(x, left), Math.max(y, top)];
  return [begin, above, Math.min(x + width, left + across) - begin, Math.min(y + height, top + down) - above];
}
