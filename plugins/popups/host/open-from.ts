import type { HostScope } from '../../../host/plugin.ts';

/** The isolated world in which a frame opens a window for the person. */
const WORLD = 'vitrine-link';

/**
 * Has a frame open a window, with the gesture that it requires: the person has clicked. Call it in the order of the input.
 *
 * @throws AppError as CdpBroker.send
 */
export async function openFrom(
  { cdp }: Pick<HostScope, 'cdp'>,
  frame: number,
  ...call: readonly [url: string, name: string, features: string]
): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp.send(frame, 'Page.createIsolatedWorld', {
    frameId,
    worldName: WORLD,
  });
  const expression = `void window.open(${call.map((argument) => JSON.stringify(argument)).join()})`;
  await cdp.send(frame, 'Runtime.evaluate', { expression, contextId, userGesture: true });
}
