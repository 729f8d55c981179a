import type { HostScope } from '../../../host/plugin.ts';

/** Deadline of one CDP call, in ms. */
const CALL_MS = 3000;

type Point = readonly [x: number, y: number];

/** Where a frame's viewport begins in that of the page, in CSS px. @throws AppError when the frame, or one that it is in, is gone. */
export async function frameOrigin({ cdp, frames }: Pick<HostScope, 'cdp' | 'frames'>, frame: number): Promise<Point> {
  let [x, y] = [0, 0];
  const add = (corner: Point): void => {
    x += corner[0];
    y += corner[1];
  };
  /** A corner is told in the viewport of the topmost frame of its process: once for all of its frames. */
  let isCounted = false;
  for (let at = frames.get(frame); at && at.parent !== 0; at = frames.get(at.parent)) {
    const inner = await ownerCorner(cdp, at.id, at.id).catch(() => undefined); // its element is in another process
    if (inner && isCounted) continue;
    add(inner ?? (await ownerCorner(cdp, at.parent, at.id)));
    isCounted = true;
  }
  return [x, y];
}

/** The corner of the content box of the element that shows a frame, as the process of another one knows it. */
async function ownerCorner(cdp: HostScope['cdp'], asked: number, frame: number): Promise<Point> {
  const call = { deadlineMs: CALL_MS };
  const { backendNodeId } = await cdp.send(asked, 'DOM.getFrameOwner', { frameId: cdp.frameId(frame) ?? '' }, call);
  const { model } = await cdp.send(asked, 'DOM.getBoxModel', { backendNodeId }, call);
  const [x = 0, y = 0] = model.content;
  return [x, y];
}
