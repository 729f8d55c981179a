import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { AppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { FrameTree } from './frames.ts';

/** Time for which the cached place of a frame in its session's viewport is valid, in ms: one movement of the pointer asks once. */
const KEEP_MS = 100;
/** Deadline for the place of a frame, in ms: input waits behind it. */
const DEADLINE_MS = 3000;
/** Distance around a point that is scrolled into view with it, in CSS px: more than the frame's border and padding, in most pages. */
const AROUND = 20;

interface Box {
  readonly at: number;
  /** The content box's corners: x and y of top left, top right, bottom right, bottom left. */
  readonly quad: Protocol.DOM.Quad;
  /** The content box's own size, in CSS px of the frame. */
  readonly width: number;
  readonly height: number;
  /** The element that shows the frame. */
  readonly owner: Protocol.DOM.BackendNodeId;
  /** Size of the session's viewport, in CSS px. */
  readonly view: { readonly width: number; readonly height: number };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Where frames lie in the viewport of their session. A frame of its own target is that viewport; one in its parent's process lies
 * somewhere in it, perhaps transformed.
 */
export class FramePlacement {
  readonly #frames: FrameTree;
  readonly #isAwaiting: (session: CdpSession) => boolean;
  readonly #boxes = new Map<number, Box>();

  /** `isAwaiting`: see `AwaitedDocuments.has`. Frames of such a session are where they were last. */
  constructor(frames: FrameTree, isAwaiting: (session: CdpSession) => boolean) {
    this.#frames = frames;
    this.#isAwaiting = isAwaiting;
    frames.onGone((id) => this.#boxes.delete(id));
  }

  /** Something was scrolled: frames are elsewhere. */
  scrolled(): void {
    this.#boxes.clear();
  }

  /**
   * A point of a frame's viewport in that of its session; undefined when the frame is gone or not displayed. With `reveals` a point that is not
   * in view is scrolled there: the person sees it where something has scrolled their view that is no gesture, such as assistive technology.
   */
  async inSession(id: number, { x, y }: Point, reveals: boolean): Promise<Point | undefined> {
    const frame = this.#frames.get(id);
    if (!frame) return undefined;
    const session = this.#frames.sessionOf(id);
    if (frame.parent === 0 || this.#frames.sessionOf(frame.parent) !== session) return { x, y };
    const box = await this.#boxOf(id);
    const point = within(box, x, y);
    if (!reveals || !session || this.#isAwaiting(session) || isInView(box, point)) return point;
    const rect = { x: x - AROUND, y: y - AROUND, width: 2 * AROUND, height: 2 * AROUND };
    await session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: box.owner, rect }, { deadlineMs: DEADLINE_MS });
    this.#boxes.clear();
    return within(await this.#boxOf(id), x, y);
  }

  /** @throws AppError `frame-gone`, also where it is not known while the next document is awaited; or as CdpSession.send. */
  async #boxOf(id: number): Promise<Box> {
    const known = this.#boxes.get(id);
    const session = this.#frames.sessionOf(id);
    const isAwaiting = session !== undefined && this.#isAwaiting(session);
    if (known && (isAwaiting || Date.now() - known.at < KEEP_MS)) return known;
    const frameId = this.#frames.frameId(id);
    if (!session || isAwaiting || frameId === undefined)
      throw new AppError('frame-gone', 'the frame is gone', { retryable: true });
    const deadline = { deadlineMs: DEADLINE_MS };
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId }, deadline);
    const [{ model }, { cssLayoutViewport: view }] = await Promise.all([
      session.send('DOM.getBoxModel', { backendNodeId }, deadline),
      session.send('Page.getLayoutMetrics', undefined, deadline),
    ]);
    // Lengths along one edge keep their ratio under any affine transform.
    const box: Box = {
      at: Date.now(),
      quad: model.content,
      width: model.width * ratio(edge(model.content, 0, 2), edge(model.border, 0, 2)),
      height: model.height * ratio(edge(model.content, 0, 6), edge(model.border, 0, 6)),
      owner: backendNodeId,
      view: { width: view.clientWidth, height: view.clientHeight },
    };
    this.#boxes.set(id, box);
    return box;
  }
}

/** A point of a frame's viewport in that of its session. */
function within({ quad, width, height }: Box, x: number, y: number): Point {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, , , x3 = 0, y3 = 0] = quad;
  const u = width > 0 ? x / width : 0;
  const v = height > 0 ? y / height : 0;
  return { x: x0 + u * (x1 - x0) + v * (x3 - x0), y: y0 + u * (y1 - y0) + v * (y3 - y0) };
}

function isInView({ view }: Box, { x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < view.width && y < view.height;
}

function edge(quad: Protocol.DOM.Quad, from: number, to: number): number {
  return Math.hypot((quad[to] ?? 0) - (quad[from] ?? 0), (quad[to + 1] ?? 0) - (quad[from + 1] ?? 0));
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
