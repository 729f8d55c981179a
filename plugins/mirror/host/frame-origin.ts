import type { HostScope } from '../../../host/plugin.ts';

/** Deadline of one CDP call, in ms. */
const CALL_MS = 3000;

type Point = readonly [x: number, y: number];

/** Returns the origin of a frame's viewport in the page's viewport, in CSS px. @throws AppError when the frame or an ancestor is closed. */
export async function frameOrigin({ cdp, frames }: Pick<HostScope, 'cdp' | 'frames'>, frame: number): Promise<Point> {
  let [x, y] = [0, 0];
  const add = (corner: Point): void => {
    x += corner[0];
    y += corner[1];
  };
  /** A corner is relative to the viewport of the topmost frame of its process: counted once for all of its frames. */
  let isCounted = false;
  for (let at = frames.get(frame); at && at.parent !== 0; at = frames.get(at.parent)) {
    const inner = await ownerCorner(cdp, at.id, at.id).catch(() => undefined); // its element is in another process
    if (inner && isCounted) continue;
    add(inner ?? (await ownerCorner(cdp, at.parent, at.id)));
    isCounted = true;
  }
  return [x, y];
}

/** Returns the corner of the content box of the element that shows a frame, in the coordinates of the process of another frame. */
async function ownerCorner(cdp: HostScope['cdp'], asked: number, frame: number): Promise<Point> {
  const call = { deadlineMs: CALL_MS };
  const { backendNodeId } = await cdp.send(asked, 'DOM.getFrameOwner', { frameId: cdp.frameId(frame) ?? '' }, call);
  const { model } = await cdp.send(asked, 'DOM.getBoxModel', { backendNodeId }, call);
  const [x = 0, y = 0] = model.content;
  return [x, y];
}
