import { frameAddresses, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { readPolicy } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';

export const MAIN_FRAME = 1;
/** Longest site that is shown. */
const MAX_SITE = 300;

type Scope = Pick<HostScope<typeof manifest>, 'tab' | 'log' | 'frames'>;

/** The policy of copying and pasting for the tab's page, and for addresses in it: what protects has its strictest value. */
export function policyOf(scope: Scope, addresses: readonly string[] = []): CopyPaste {
  const page = read(scope);
  if (addresses.length === 0) return page;
  const whole = read(scope, [scope.tab.url(), ...addresses]);
  const siteWhere = (refuses: (own: CopyPaste) => boolean): string | undefined =>
    siteOf(addresses.find((address) => refuses(read(scope, address))));
  const copySite = page.copy && !whole.copy ? siteWhere(({ copy }) => !copy) : undefined;
  const limit = whole.pasteLimit ?? Infinity;
  const pasteSite =
    limit < (page.pasteLimit ?? Infinity)
      ? (siteWhere(({ pasteLimit = Infinity }) => pasteLimit <= limit) ??
        siteWhere(({ pasteLimit }) => pasteLimit !== undefined))
      : undefined;
  return {
    ...whole,
    ...(copySite !== undefined && { copySite }),
    ...(pasteSite !== undefined && { pasteSite }),
  };
}

/** Whether two policies let the same pass. */
export function isSamePolicy(one: CopyPaste, other: CopyPaste): boolean {
  return one.copy === other.copy && one.pasteLimit === other.pasteLimit && one.isUnreadable === other.isUnreadable;
}

/** Addresses of a frame beside that of the page, as far as its process says them: they are there at once. */
export function claimedAddresses({ tab, frames }: Scope, frame: number): Promise<readonly string[]> {
  const originOf = async (id: number): Promise<string> => Promise.resolve(frames.get(id)?.origin ?? 'null');
  return frameAddresses({ url: tab.url(), get: (id) => frames.get(id), originOf }, frame);
}

/** The same, with the origin that the browser's own process knows. Never rejects. */
export async function knownAddresses({ tab, frames }: Scope, frame: number): Promise<readonly string[]> {
  // The tab knows the address of its page.
  if (frame === MAIN_FRAME && /^https?:/.test(tab.url())) return [];
  return frameAddresses({ url: tab.url(), get: (id) => frames.get(id), originOf: (id) => frames.originOf(id) }, frame);
}

function read({ tab, log }: Scope, address?: string | readonly string[]): CopyPaste {
  try {
    return readPolicy(tab.policy(address).copy_paste);
  } catch (thrown) {
    log.error('the policy of copying and pasting cannot be read', { error: toAppError(thrown).message });
    return readPolicy(undefined);
  }
}

/** The host of an address, also of a blob's. */
function siteOf(address: string | undefined): string | undefined {
  const origin = address === undefined ? undefined : URL.parse(address)?.origin;
  return origin === undefined ? undefined : URL.parse(origin)?.host.slice(0, MAX_SITE);
}
