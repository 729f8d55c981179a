import type { HostScope } from '../../../host/plugin.ts';

/** The isolated world in which a frame gets a gesture. */
const GESTURE_WORLD = 'vitrine-gesture';

/** Gives the frame a gesture, with which it can do what the person's browser has confirmed: its own may be used up, or too old. */
export async function giveGesture({ cdp }: Pick<HostScope, 'cdp'>, frame: number): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp.send(frame, 'Page.createIsolatedWorld', {
    frameId,
    worldName: GESTURE_WORLD,
  });
  await cdp.send(frame, 'Runtime.evaluate', { expression: '0', contextId, userGesture: true });
}
