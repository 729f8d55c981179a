import type { RepairRequest } from '../../../core/protocol/pairing.ts';
import { isOpenable } from '../../base/addresses.ts';
import { initiatorOf } from './initiator.ts';
import type { Tab } from './tab.ts';

/**
 * The client of a tab has come back, for the address of its request. With an entry of the page's history (`hid`) the person has gone back or
 * forward, or has reloaded: what the page waits for is not wanted any more, and the client says where in the history it is. Without one the
 * person has typed an address: the page goes there. Returns whether it does.
 */
export function comeBack(tab: Tab, request: RepairRequest): boolean {
  const { hid, url } = request;
  const isThere = url === tab.url && url === (tab.load.destination ?? url);
  if (isThere || !isOpenable(url)) return false;
  if (hid !== undefined) tab.load.halt(url, initiatorOf(request));
  else tab.load.leave(url, initiatorOf(request));
  return hid === undefined;
}
