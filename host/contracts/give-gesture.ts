import type { HostScope } from './host-scope.ts';

/** The isolated world in which a frame gets a gesture. */
const GESTURE_WORLD = 'vitrine-gesture';

/**
 * Gives a frame a gesture, with which its page can do what the person has confirmed: the one with which it has asked may be used up, or too old. The
 * plugin needs the permissions `Page.createIsolatedWorld` and `Runtime.evaluate`. @throws AppError as `CdpBroker.send`
 */
export async function giveGesture({ cdp }: Pick<HostScope, 'cdp'>, frame: number): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp.send(frame, 'Page.createIsolatedWorld', {
    frameId,
    worldName: GESTURE_WORLD,
  });
  await cdp.send(frame, 'Runtime.evaluate', { expression: '0', contextId, userGesture: true });
}
