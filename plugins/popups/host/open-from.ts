import { AppError, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';

/** The isolated world in which a frame opens a window for the person. */
const WORLD = 'vitrine-link';

/**
 * Has a frame open a window, with the gesture that it requires: the person has clicked. Call it in the order of the input. `reachMs`: time for the
 * frame to answer at all.
 *
 * @throws AppError as CdpBroker.send; `no-world` where the frame has not been reached
 */
export async function openFrom(
  { cdp }: Pick<HostScope, 'cdp'>,
  frame: number,
  call: readonly [url: string, name: string, features: string],
  reachMs?: number,
): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp
    .send(
      frame,
      'Page.createIsolatedWorld',
      { frameId, worldName: WORLD },
      reachMs === undefined ? {} : { deadlineMs: reachMs },
    )
    .catch((thrown: unknown) => {
      throw new AppError('no-world', toAppError(thrown).message); // nothing has been opened, whatever the code
    });
  const expression = `void window.open(${call.map((argument) => JSON.stringify(argument)).join()})`;
  await cdp.send(frame, 'Runtime.evaluate', { expression, contextId, userGesture: true });
}
