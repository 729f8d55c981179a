import { frameAddresses } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';

/** Addresses of a frame besides that of the page: see {@link frameAddresses}. Never rejects. */
export function addressesOf(
  { frames, tab }: Pick<HostScope<typeof manifest>, 'frames' | 'tab'>,
  frame: number,
): Promise<readonly string[]> {
  return frameAddresses({ url: tab.url(), get: (id) => frames.get(id), originOf: (id) => frames.originOf(id) }, frame);
}
