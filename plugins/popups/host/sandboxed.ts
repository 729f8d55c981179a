import type { HostScope } from '../../../host/plugin.ts';

/** Maximum number of frames that are looked at. */
const MAX_FRAMES = 20;
const MAIN_FRAME = 1;
/** Time for each answer of a process around a frame, in ms: the person waits. */
const ASK_MS = 1000;

/**
 * Whether one of these nested frames of a process may not open windows, by the attribute of its element. Where there are too many of them, or one
 * has just gone, it is said to be so.
 */
export async function isOneSandboxed({ cdp }: Pick<HostScope, 'cdp'>, nested: readonly number[]): Promise<boolean> {
  if (nested.length > MAX_FRAMES) return true;
  try {
    const each = await Promise.all(
      nested.map(async (frame) => {
        const frameId = cdp.frameId(frame) ?? '';
        const { backendNodeId } = await cdp.send(frame, 'DOM.getFrameOwner', { frameId });
        const { node } = await cdp.send(frame, 'DOM.describeNode', { backendNodeId });
        return isWithout(node.attributes ?? [], 'allow-popups');
      }),
    );
    return each.includes(true);
  } catch {
    return true;
  }
}

/**
 * Whether a frame, or one around it, is sandboxed so that it opens no windows, or none that is free of its sandbox. Where that is not known, it is
 * said to be so.
 */
export async function keepsWindows(
  { cdp, frames }: Pick<HostScope, 'cdp' | 'frames'>,
  frame: number,
): Promise<boolean> {
  try {
    let left = MAX_FRAMES;
    for (let at = frames.get(frame); at?.id !== MAIN_FRAME; at = frames.get(at.parent)) {
      if (!at || (left -= 1) < 0) return true;
      const frameId = cdp.frameId(at.id) ?? '';
      const options = { deadlineMs: ASK_MS };
      const { backendNodeId } = await cdp.send(at.parent, 'DOM.getFrameOwner', { frameId }, options);
      const { node } = await cdp.send(at.parent, 'DOM.describeNode', { backendNodeId }, options);
      const { attributes = [] } = node;
      if (isWithout(attributes, 'allow-popups') || isWithout(attributes, 'allow-popups-to-escape-sandbox')) return true;
    }
    return false;
  } catch {
    return true;
  }
}

/** Whether there is a sandbox that does not allow something. Attributes as CDP has them: name, value, name, value. */
function isWithout(attributes: readonly string[], what: string): boolean {
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'sandbox');
  return at >= 0 && !(attributes[at + 1] ?? '').toLowerCase().split(/\s+/).includes(what);
}
