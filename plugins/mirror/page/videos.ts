import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { glanceAt } from './canvas-pixels.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Videos checked after a poll. */
const POLL_BUDGET = 20;
/** Pause between two pictures of a video in ms, and its minimum ratio to the duration of the last capture. */
const REST_MS = 500;
const REST_FACTOR = 20;
/** Largest frame that is read, in pixels, and largest picture that is sent, in UTF-16 units. */
const MAX_PIXELS = 1920 * 1080;
const MAX_PICTURE_UNITS = 1024 * 1024;
/** Number of attempts to read a frame that is empty: the decoder may not have produced it yet, although it is reported as ready. */
const TRIES = 20;
/** Encoder quality for a playing video; a paused one is sent as PNG where it fits. */
const QUALITY = 0.7;

interface Video {
  readonly element: HTMLVideoElement;
  readonly id: number;
  /** Identifies the frame that was read: its time, and whether the video was paused. */
  moment: string;
  /** Last address sent; null while the poster is shown. */
  address: string | null;
  nextAt: number;
  /** Number of empty frames read. */
  tries: number;
}

/** Frames that videos show, as pictures, a few per second. Those of other origins cannot be read. */
export class Videos implements Tracker {
  readonly names = ['video'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #videos = new Sweep<Video>();
  #canvas: HTMLCanvasElement | undefined;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  added(element: Element, id: number): void {
    if (dom.isHtml(element, 'video')) this.#videos.add({ element, id, moment: '', address: null, nextAt: 0, tries: 0 });
  }

  reset(): void {
    this.#videos = new Sweep();
  }

  collect(full: boolean): void {
    if (full) this.#videos.run(POLL_BUDGET, (video) => this.#look(video));
  }

  #look(video: Video): boolean {
    const { element, id } = video;
    if (this.#kernel.idOf(element) !== id) return false;
    const begin = performance.now();
    if (begin < video.nextAt) return true;
    const moment = momentOf(element);
    if (moment === video.moment) return true;
    if (moment === '') video.tries = 0;
    const isDecoded = moment === '' || video.tries >= TRIES || glanceAt(element) !== '';
    const address = moment === '' ? element.poster : isDecoded ? this.#pictureOf(element) : undefined;
    video.nextAt = performance.now() + Math.max(REST_MS, REST_FACTOR * (performance.now() - begin));
    if (!isDecoded) video.tries++;
    else video.moment = moment;
    if (address === undefined || address === video.address) return true;
    video.address = address;
    this.#writer.op([OP.picture, id, address]);
    return true;
  }

  /** Undefined when the frame may not be read. */
  #pictureOf(element: HTMLVideoElement): string | undefined {
    try {
      this.#canvas ??= Document.prototype.createElement.call(document, 'canvas') as HTMLCanvasElement; // by its tag name
      this.#canvas.width = element.videoWidth;
      this.#canvas.height = element.videoHeight;
      this.#canvas.getContext('2d')?.drawImage(element, 0, 0);
      const type = element.paused ? 'image/png' : 'image/jpeg';
      const picture = this.#canvas.toDataURL(type, QUALITY);
      return picture.length <= MAX_PICTURE_UNITS ? picture : this.#canvas.toDataURL('image/jpeg', QUALITY);
    } catch {
      this.#canvas = undefined; // it is tainted by another origin now
      return undefined;
    }
  }
}

/** Returns a text that identifies the frame of a video; empty while it shows its poster, or nothing. */
function momentOf(element: HTMLVideoElement): string {
  const { videoWidth, videoHeight, currentTime, readyState, paused, played } = element;
  const pixels = videoWidth * videoHeight;
  if (readyState < HTMLMediaElement.HAVE_CURRENT_DATA || pixels === 0 || pixels > MAX_PIXELS) return '';
  const hasBegun = played.length > 0 || currentTime > 0 || element.poster === '';
  return hasBegun ? `${videoWidth} ${videoHeight} ${currentTime} ${paused}` : '';
}
