import type { HostScope } from '../../../host/plugin.ts';

/** Maximum number of frames that are looked at. */
const MAX_FRAMES = 20;

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
        return isWithoutPopups(node.attributes ?? []);
      }),
    );
    return each.includes(true);
  } catch {
    return true;
  }
}

/** Attributes as CDP has them: name, value, name, value. */
function isWithoutPopups(attributes: readonly string[]): boolean {
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'sandbox');
  return at >= 0 && !/(?:^|\s)allow-popups(?:\s|$)/i.test(attributes[at + 1] ?? '');
}
