import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';

const WORLD = 'vitrine-uploads';

/**
 * The execution context of the plugin in the present document of a frame, which scripts of the page cannot reach.
 *
 * @throws AppError as CdpBroker.send
 */
export async function worldOf({ frameId, send }: HostScope<typeof manifest>['cdp'], frame: number): Promise<number> {
  const world = { frameId: frameId(frame) ?? '', worldName: WORLD };
  const { executionContextId } = await send(frame, 'Page.createIsolatedWorld', world);
  return executionContextId;
}
